import type { Context, MiddlewareHandler } from 'hono';
import { externalHeader } from '../contract/headers.ts';

/** Origins of pages whose scripts may read our answers: all of them, or these. */
export type Origins = '*' | readonly string[];

const readableHeaders = `ETag, ${externalHeader}, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id`;
const sendableHeaders = 'Authorization, If-None-Match, X-API-Key, X-Request-Id';
const preflightSeconds = 86_400;

interface AllowOriginsOptions {
  /** Paths whose answers no script of another page may read. */
  readonly except?: readonly string[];
}

/** Lets scripts of these origins read every answer (Fetch standard, CORS protocol); cookies play no part. */
export function allowOrigins(origins: Origins, { except = [] }: AllowOriginsOptions = {}): MiddlewareHandler {
  return async (c, next) => {
    if (except.includes(c.req.path)) return next();
    if (origins !== '*') c.header('Vary', 'Origin', { append: true });
    const origin = c.req.header('origin');
    if (origins === '*') c.header('Access-Control-Allow-Origin', '*');
    else if (origin !== undefined && origins.includes(origin))
      c.header('Access-Control-Allow-Origin', origin);
    c.header('Access-Control-Expose-Headers', readableHeaders);
    await next();
  };
}

/**
 * The answer to OPTIONS: what may be done here, and what a browser asks before it does (a preflight). `moreHeaders` may
 * be sent here besides those of every route.
 */
export function optionsAnswer(c: Context, methods: string, moreHeaders = ''): Response {
  c.header('Allow', methods);
  if (c.req.header('access-control-request-method') !== undefined) {
    c.header('Access-Control-Allow-Methods', methods);
    c.header('Access-Control-Allow-Headers', [sendableHeaders, moreHeaders].filter(Boolean).join(', '));
    c.header('Access-Control-Max-Age', String(preflightSeconds));
  }
  return c.body(null, 204);
}
