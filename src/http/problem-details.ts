import { errorTable, type ServiceError } from '../contract/errors.ts';
import type { Problem } from '../contract/problem.ts';

/** `retry_after_seconds` of a 503 that names no time. */
const defaultRetrySeconds = 5;

/** An error as problem details (RFC 9457), with `extensions` after the members of the contract. */
export function problemDetails(
  error: ServiceError,
  extensions: Readonly<Record<string, unknown>> = {},
): Problem {
  const { status, title } = errorTable[error.code];
  const wait = error.retryAfterSeconds ?? (error.code === 'unavailable' ? defaultRetrySeconds : undefined);
  return {
    type: `urn:gleaner:error:${error.code}`,
    title,
    status,
    detail: error.message,
    ...extensions,
    ...(error.parameters.length > 0 && { errors: [...error.parameters] }),
    ...(wait !== undefined && { retry_after_seconds: Math.max(1, Math.ceil(wait)) }),
  };
}
