import type { MiddlewareHandler } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import { hostnameOf, isLoopback } from '../limits/loopback.ts';
import type { Origins } from './cors.ts';

/**
 * Refuses (`forbidden`) what a web page could make its reader's browser send: requests of an origin that is neither of
 * this machine nor named (MCP specification 2025-11-25, basic/transports, security warning). `*` stands for pages that
 * read public answers, and lets no page in here.
 */
export function onlyFromKnownOrigins(origins: Origins): MiddlewareHandler {
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
