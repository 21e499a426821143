import type { MiddlewareHandler } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import { sendProblem } from './problem.ts';

/** In characters. The longest allowed `q` takes 24 KiB when percent-encoded. */
const maxRequestUrlLength = 32 * 1024;

/** `/mcp` and the routes that read a body have lower limits of their own. The rest of a larger body is not read. */
const maxBodyBytes = 4 * 1024 * 1024;

/** Refuses a URL or a body that is too long. `bodyLimits` has the paths that take larger bodies, in bytes. */
export function requestCaps(bodyLimits: Readonly<Record<string, number>> = {}): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.url.length > maxRequestUrlLength) return sendProblem(c, urlTooLong());
    const maxBytes = bodyLimits[c.req.path] ?? maxBodyBytes;
    if (Number(c.req.header('content-length') ?? 0) > maxBytes) {
      c.header('Connection', 'close');
      return sendProblem(c, bodyTooLarge(maxBytes));
    }
    await next();
  };
}

export function urlTooLong(): ServiceError {
  return new ServiceError('url_too_long', `the URL must have at most ${maxRequestUrlLength} characters`);
}

export function bodyTooLarge(maxBytes: number = maxBodyBytes): ServiceError {
  return new ServiceError('too_large', `a request may carry at most ${maxBytes} bytes`);
}
