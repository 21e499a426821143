import type { Context, MiddlewareHandler } from 'hono';
import { externalHeader, ignoredHeader } from '../../contract/headers.ts';

/** Origins whose scripts may read our responses: all, or these. */
export type Origins = '*' | readonly string[];

const readableHeaders = `ETag, ${externalHeader}, ${ignoredHeader}, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id`;
const sendableHeaders = 'Authorization, If-None-Match, X-API-Key, X-Request-Id';
const preflightSeconds = 86_400;

interface AllowOriginsOptions {
  /** Paths, with what is below them, whose responses scripts of other origins may not read. */
  readonly except?: readonly string[];
}

/** Allows scripts of these origins to read responses (Fetch standard, CORS protocol), without credentials. */
export function allowOrigins(origins: Origins, { except = [] }: AllowOriginsOptions = {}): MiddlewareHandler {
  return async (c, next) => {
    if (except.some((path) => c.req.path === path || c.req.path.startsWith(`${path}/`))) return next();
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
 * Answers OPTIONS: the allowed methods, and for a CORS preflight also the allowed headers. `moreHeaders` are allowed
 * here in addition to those of every route.
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
