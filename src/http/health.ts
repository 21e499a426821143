import type { Context } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import { problem } from './problem.ts';
import { sendFresh } from './send.ts';

/** What the process can say of itself when a supervisor asks. */
export interface Readiness {
  /** Why searches would not be answered as they should be; undefined when they would. */
  readonly notReady: 'starting' | 'stopping' | undefined;
  /** Pages in the store, and how many of them can be found. */
  readonly pages: number;
  readonly searchable: number;
  /** By name, how the outside searches that are configured are doing; a failing one makes nothing unready. */
  readonly providers: Readonly<Record<string, string>>;
}

const reasons = {
  starting: 'the index is being brought up to date',
  stopping: 'the service is stopping',
} as const;

/** `/readyz`: 200 when this process should be sent requests, 503 while it starts and once it stops. */
export function readyAnswer(c: Context, { notReady, ...state }: Readiness): Response {
  if (notReady === undefined) return sendFresh(c, { status: 'ready', ...state });
  return problem(c, new ServiceError('unavailable', reasons[notReady]), state);
}
