import { errorTable, type ServiceError } from '../contract/errors.ts';
import type { Problem } from '../contract/problem.ts';

/** What a 503 asks for when nobody knows better. */
const defaultRetrySeconds = 5;

/** A refusal as problem details (RFC 9457), with `extensions` after the members that the contract names. */
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
