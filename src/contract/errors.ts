/** One error in one parameter of a request. */
export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}

/** Every error of the service, with its HTTP status and title. There is no other such table. */
export const errorTable = {
  invalid_parameters: { status: 400, title: 'Invalid parameters' },
  unauthorized: { status: 401, title: 'Unknown API key' },
  forbidden: { status: 403, title: 'Not allowed from here' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  too_large: { status: 413, title: 'Request too large' },
  url_too_long: { status: 414, title: 'URL too long' },
  rate_limited: { status: 429, title: 'Too many requests' },
  unreadable: { status: 422, title: 'The page could not be read' },
  damaged: { status: 500, title: 'Stored data damaged' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Not available now' },
  storage_full: { status: 507, title: 'No space left' },
} as const;

export type ErrorCode = keyof typeof errorTable;

interface ErrorDetails {
  readonly parameters?: readonly ParameterError[];
  readonly retryAfterSeconds?: number;
}

/**
 * An error that the caller may see: `message` says what was wrong and what to do about it. Any other error is a bug, and
 * its message is never shown.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly parameters: readonly ParameterError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = 'ServiceError';
    this.code = code;
    this.parameters = details.parameters ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** A 400 whose message names every invalid parameter, so that a caller can correct all of them at once. */
export function invalidParameters(parameters: readonly ParameterError[]): ServiceError {
  const messages = parameters.map(({ parameter, message }) => `${parameter}: ${message}`);
  return new ServiceError('invalid_parameters', messages.join('; '), { parameters });
}
