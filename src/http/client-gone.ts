import type { Context } from 'hono';
import type { HttpEnv } from './http-env.ts';

/** The status that nginx logs for a client that disconnected before its answer; HTTP defines none. */
const clientClosedRequest = 499;

/** Whether the connection was closed before the answer began. */
export function isClientGone(c: Context<HttpEnv>): boolean {
  // Node's response is cheaper to ask than the signal, for which a `Request` has to be created. Tests have no server.
  const { outgoing } = c.env ?? {};
  return outgoing?.closed ?? c.req.raw.signal.aborted;
}

/** The status for metrics and the log: that of the answer, or 499 when the client disconnected before it. */
export function loggedStatus(c: Context<HttpEnv>): number {
  return isClientGone(c) ? clientClosedRequest : c.res.status;
}
