import type { Context } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import type { Ready } from '../contract/health.ts';
import { sendFresh } from './cacheable-response.ts';
import { problem } from './problem.ts';

/** What the process can say of itself when a supervisor asks. */
export interface Readiness extends Omit<Ready, 'status'> {
  /** Why searches would not be answered as they should be; undefined when they would. */
  readonly notReady: 'starting' | 'stopping' | 'gone' | undefined;
}

const reasons = {
  starting: 'the index is being brought up to date',
  stopping: 'the service is stopping',
  gone: 'the data folder cannot be used any more: restart the service',
} as const;

/** `/readyz`: 200 when this process should be sent requests, 503 while it starts and once it stops. */
export function readyAnswer(c: Context, { notReady, ...state }: Readiness): Response {
  if (notReady === undefined) return sendFresh(c, { status: 'ready', ...state } satisfies Ready);
  return problem(c, new ServiceError('unavailable', reasons[notReady]), state);
}
