import type { Context } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import type { Ready } from '../contract/health.ts';
import { sendUncached } from './cacheable-response.ts';
import { sendProblem } from './problem.ts';

/** The state of the process, for `/readyz`. */
export interface Readiness extends Omit<Ready, 'status'> {
  /** Why this process should get no requests; undefined when it is ready. */
  readonly notReady: 'starting' | 'stopping' | 'gone' | 'no cluster' | undefined;
}

const reasons = {
  starting: 'the index is being brought up to date',
  stopping: 'the service is stopping',
  gone: 'the data folder cannot be used any more: restart the service',
  'no cluster': 'the index in the OpenSearch cluster cannot answer',
} as const;

/** `/readyz`: 200 when this process should be sent requests, 503 while it starts and once it stops. */
export function readyAnswer(c: Context, { notReady, ...state }: Readiness): Response {
  if (notReady === undefined) return sendUncached(c, { status: 'ready', ...state } satisfies Ready);
  return sendProblem(c, new ServiceError('unavailable', reasons[notReady]), state);
}
