import type { MiddlewareHandler } from 'hono';
import type { Log } from '../runtime.ts';
import { outcomeOf } from './client-gone.ts';

const longestShown = 300;

/**
 * One line (info) for every request: its id, method, path, status (499 for a client that went away before its answer)
 * and how long the answer took to make. What was searched for is left out unless `queries` asks for it; who asked is
 * left to the proxy in front.
 */
export function logRequests(log: Log, { queries }: { readonly queries: boolean }): MiddlewareHandler {
  return async (c, next) => {
    const startedAt = performance.now();
    await next();
    const { method, path, url } = c.req;
    const question = url.indexOf('?');
    const details = {
      requestId: c.get('requestId') as string,
      method,
      path: path.slice(0, longestShown),
      ...(queries && question >= 0 && { query: url.slice(question + 1, question + 1 + longestShown) }),
      status: outcomeOf(c),
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
    };
    log.info(details, 'request');
  };
}
