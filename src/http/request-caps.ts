import type { MiddlewareHandler } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import { problem } from './problem.ts';

/** The longest `q` that is allowed, percent-encoded, has 24 KiB. */
export const maxUrlLength = 32 * 1024;

/** Nothing that we answer reads a body; what is announced beyond this is not waited for. */
export const maxBodyBytes = 4 * 1024 * 1024;

/** Refuses what no route would want to look at: a URL or a body that is too long. */
export const requestCaps: MiddlewareHandler = async (c, next) => {
  if (c.req.url.length > maxUrlLength) {
    return problem(
      c,
      new ServiceError('url_too_long', `the URL must have at most ${maxUrlLength} characters`),
    );
  }
  if (Number(c.req.header('content-length') ?? 0) > maxBodyBytes) {
    c.header('Connection', 'close');
    return problem(c, new ServiceError('too_large', `a request may carry at most ${maxBodyBytes} bytes`));
  }
  await next();
};
