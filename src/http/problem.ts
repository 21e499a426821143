import type { Context } from 'hono';
import { errorTable, ServiceError } from '../contract/errors.ts';
import type { Log } from '../runtime.ts';
import { isClientGone } from './client-gone.ts';
import type { HttpEnv } from './http-env.ts';
import { problemDetails } from './problem-details.ts';

const mediaType = 'application/problem+json';

/** Answers with an error as problem details; `Retry-After` equals `retry_after_seconds`. */
export function sendProblem(c: Context, error: ServiceError, extensions?: Record<string, unknown>): Response {
  const details = problemDetails(error, extensions);
  if (details.retry_after_seconds !== undefined) c.header('Retry-After', String(details.retry_after_seconds));
  c.header('Cache-Control', 'no-store');
  return c.body(JSON.stringify(details), errorTable[error.code].status, { 'Content-Type': mediaType });
}

/**
 * Answers a request whose route threw. Only the message of a `ServiceError` is shown. Anything else is a bug: it is
 * logged with its stack under the request id, and the caller sees that id alone.
 */
export function sendThrown(c: Context<HttpEnv>, error: unknown, log: Log): Response {
  if (error instanceof ServiceError && error.code !== 'internal') return sendProblem(c, error);

  const requestId = c.get('requestId');
  // When the client disconnects, the engine stops with an error, which is no bug.
  if (!isClientGone(c)) {
    log.error({ err: error, requestId, method: c.req.method, path: c.req.path }, 'a request failed');
  }
  const detail = 'something went wrong on our side, and has been logged under this request id';
  return sendProblem(c, new ServiceError('internal', detail), { request_id: requestId });
}
