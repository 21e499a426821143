import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';

/** nginx's "client closed request": no status of HTTP's own, for nobody is left to read it. */
const clientClosedRequest = 499;

/** Whether the connection was closed before the answer began. */
export function isClientGone(c: Context): boolean {
  // Node's response knows without a `Request` being made; where there is none, as in tests, there is a whole one.
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
  return outgoing?.closed ?? c.req.raw.signal.aborted;
}

/** What became of a request, for metrics and the log: the status of its answer, 499 where nobody waited for that. */
export function outcomeOf(c: Context): number {
  return isClientGone(c) ? clientClosedRequest : c.res.status;
}
