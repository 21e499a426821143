import type { MiddlewareHandler } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { hostnameOf, isLoopback } from '../../limits/loopback.ts';
import type { Origins } from './cors.ts';

/**
 * Refuses (`forbidden`) requests from web pages whose origin is neither on this machine nor in `origins` (MCP
 * specification 2025-11-25, basic/transports, security warning). `*` allows all pages to read public answers, and
 * allows none here.
 */
export function originCheck(origins: Origins): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (origin !== undefined && !isLoopback(hostnameOf(origin)) && !isNamed(origin, origins)) {
      throw new ServiceError(
        'forbidden',
        'web pages of this origin may not ask here: the operator can name it in GLEANER_CORS_ORIGINS',
      );
    }
    await next();
  };
}

function isNamed(origin: string, origins: Origins): boolean {
  return origins !== '*' && origins.includes(origin);
}
