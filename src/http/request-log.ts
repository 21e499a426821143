import type { MiddlewareHandler } from 'hono';
import type { Log } from '../runtime.ts';
import { loggedStatus } from './client-gone.ts';
import type { HttpEnv } from './http-env.ts';

const maxShownChars = 300;

/**
 * Logs one line (info) per request: id, method, path, status (499 for a client that disconnected before its answer) and
 * duration. The query string is logged only with `queries`. The client's address is not logged: the proxy does that.
 */
export function logRequests(
  log: Log,
  { queries }: { readonly queries: boolean },
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    await next();
    const { method, path, url } = c.req;
    const queryStart = url.indexOf('?');
    const details = {
      requestId: c.get('requestId'),
      method,
      path: path.slice(0, maxShownChars),
      // The token that opens `/admin` stands in its query.
      ...(queries &&
        queryStart >= 0 &&
        !path.startsWith('/admin') && { query: url.slice(queryStart + 1, queryStart + 1 + maxShownChars) }),
      status: loggedStatus(c),
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
    };
    log.info(details, 'request');
  };
}
