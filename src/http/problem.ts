import type { Context } from 'hono';
import { errorTable, ServiceError } from '../contract/errors.ts';
import type { Log } from '../runtime.ts';
import { isClientGone } from './client-gone.ts';
import { problemDetails } from './problem-details.ts';

const mediaType = 'application/problem+json';

/** Answers with a refusal as problem details; `Retry-After` says the same as `retry_after_seconds`. */
export function problem(c: Context, error: ServiceError, extensions?: Record<string, unknown>): Response {
  const details = problemDetails(error, extensions);
  if (details.retry_after_seconds !== undefined) c.header('Retry-After', String(details.retry_after_seconds));
  c.header('Cache-Control', 'no-store');
  return c.body(JSON.stringify(details), errorTable[error.code].status, { 'Content-Type': mediaType });
}

/**
 * Answers for anything that a route threw. Only a `ServiceError` speaks for itself; anything else is a bug of ours:
 * logged with its stack under the request id, which is all that the caller gets to see.
 */
export function problemOf(c: Context, error: unknown, log: Log): Response {
  if (error instanceof ServiceError && error.code !== 'internal') return problem(c, error);

  const requestId = c.get('requestId') as string;
  // The client went away and the engine stopped for that reason: nobody reads this answer.
  if (!isClientGone(c)) {
    log.error({ err: error, requestId, method: c.req.method, path: c.req.path }, 'a request failed');
  }
  const detail = 'something went wrong on our side, and has been logged under this request id';
  return problem(c, new ServiceError('internal', detail), { request_id: requestId });
}
