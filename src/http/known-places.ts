import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import type { Origins } from './cors.ts';

export interface KnownPlaces {
  /** Names by which clients may reach the service, besides localhost and addresses; `*` for any. */
  readonly hosts: '*' | readonly string[];
  /** Web pages whose scripts may ask; `*` stands for those that read public answers, and lets nobody in here. */
  readonly origins: Origins;
}

/**
 * Refuses (`forbidden`) what a web page could make its reader's browser send: requests of an origin that is neither of
 * this machine nor named, and requests under a host name that is not known, which a page comes by when it lets its
 * own name lead here (DNS rebinding; MCP specification 2025-11-25, basic/transports, security warning).
 */
export function onlyFromKnownPlaces({ hosts, origins }: KnownPlaces): MiddlewareHandler {
  return async (c, next) => {
    const host = hostnameOf(`http://${c.req.header('host') ?? ''}`);
    if (hosts !== '*' && !(isOfMachine(host) || isIP(host) !== 0 || hosts.includes(host))) {
      throw new ServiceError(
        'forbidden',
        'this service is not known under the host name of this request: its operator can name it in GLEANER_HOSTS',
      );
    }
    const origin = c.req.header('origin');
    if (origin !== undefined && !isOfMachine(hostnameOf(origin)) && !isNamed(origin, origins)) {
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

/** Lower case, IPv6 without brackets; empty for what is no host. */
function hostnameOf(origin: string): string {
  if (!URL.canParse(origin)) return '';
  return new URL(origin).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isOfMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
