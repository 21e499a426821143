import type { Context } from 'hono';
import { errorTable, ServiceError } from '../contract/errors.ts';
import type { Log } from '../outside.ts';

const mediaType = 'application/problem+json';

/** What a 503 asks for when nobody knows better. */
const defaultRetrySeconds = 5;

/**
 * A refusal as problem details (RFC 9457): `type`, `title`, `status`, `detail`; `errors` names every bad parameter,
 * `retry_after_seconds` repeats the `Retry-After` header.
 */
export function problem(c: Context, error: ServiceError, extensions: Record<string, unknown> = {}): Response {
  const { status, title } = errorTable[error.code];
  const body: Record<string, unknown> = {
    type: `urn:gleaner:error:${error.code}`,
    title,
    status,
    detail: error.message,
    ...extensions,
  };
  if (error.parameters.length > 0) body.errors = error.parameters;

  const wait = error.retryAfterSeconds ?? (error.code === 'unavailable' ? defaultRetrySeconds : undefined);
  if (wait !== undefined) {
    const seconds = Math.max(1, Math.ceil(wait));
    c.header('Retry-After', String(seconds));
    body.retry_after_seconds = seconds;
  }
  c.header('Cache-Control', 'no-store');
  return c.body(JSON.stringify(body), status, { 'Content-Type': mediaType });
}

/**
 * Answers for anything that a route threw. Only a `ServiceError` speaks for itself; anything else is a bug of ours:
 * logged with its stack under the request id, which is all that the caller gets to see.
 */
export function problemOf(c: Context, error: unknown, log: Log): Response {
  if (error instanceof ServiceError && error.code !== 'internal') return problem(c, error);

  const requestId = c.get('requestId') as string;
  // The client went away and the engine stopped for that reason: nobody reads this answer.
  if (!c.req.raw.signal.aborted) {
    log.error({ err: error, requestId, method: c.req.method, path: c.req.path }, 'a request failed');
  }
  const detail = 'something went wrong on our side, and has been logged under this request id';
  return problem(c, new ServiceError('internal', detail), { request_id: requestId });
}
