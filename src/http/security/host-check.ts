import { isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import type { RequestOrigin } from '../../limits/client-identity.ts';
import { hostnameOf, isLoopback } from '../../limits/loopback.ts';
import { originOf } from '../rate-limit.ts';

export interface AllowedHosts {
  /** Host names of the service, besides those that are always allowed; `*` for any. */
  readonly hosts: '*' | readonly string[];
  /** Whether the service listens on loopback only. */
  readonly isLoopbackOnly: boolean;
  /** Whether a trusted proxy forwarded the request. The proxy decides about its own host names. */
  readonly isFromTrustedProxy: (source: RequestOrigin) => boolean;
}

/** Supervisors call these by IP address, which DNS rebinding cannot use. */
const healthPaths = new Set(['/healthz', '/readyz']);

/**
 * Refuses (`forbidden`) requests with an unknown host name. A web page can send such requests by resolving its own name
 * to this machine (DNS rebinding). It then has the same origin, so that CORS does not apply.
 *
 * A service on loopback allows loopback names and addresses, `hosts`, and requests from a trusted proxy; other IP
 * addresses for health checks only. A service that listens elsewhere is checked only when `hosts` is set, and allows all
 * IP addresses. In both cases an absolute request target is checked as well as the Host header.
 */
export function hostCheck(allowed: AllowedHosts): MiddlewareHandler {
  const { hosts, isLoopbackOnly, isFromTrustedProxy } = allowed;
  return async (c, next) => {
    const isChecked = isLoopbackOnly || hosts.length > 0;
    const allowsAddresses = !isLoopbackOnly || healthPaths.has(c.req.path);
    if (isChecked && !isAllowed(c, hosts, allowsAddresses) && !isFromTrustedProxy(originOf(c)))
      throw unknownHostError(isLoopbackOnly);
    await next();
  };
}

/** For `/mcp`, which is always checked. A public service allows `hosts`, localhost and IP addresses. */
export function mcpHostCheck(allowed: AllowedHosts): MiddlewareHandler {
  const { hosts, isLoopbackOnly } = allowed;
  // On loopback `hostCheck` has checked every route already, more strictly.
  if (isLoopbackOnly) return (_, next) => next();
  return async (c, next) => {
    if (!isAllowed(c, hosts, true)) throw unknownHostError(false);
    await next();
  };
}

function isAllowed(c: Context, hosts: AllowedHosts['hosts'], allowsAddresses: boolean): boolean {
  if (hosts === '*') return true;
  const header = c.req.header('host');
  // Without a Host header, as HTTP/1.0 allows, the URL has the address that the service listens on.
  const names = [c.req.url, ...(header === undefined ? [] : [`http://${header}`])].map(hostnameOf);
  const isSet = (name: string) => hosts.includes(name) || hosts.includes(`[${name}]`);
  return names.every((name) => isLoopback(name) || (allowsAddresses && isIP(name) !== 0) || isSet(name));
}

/** The error, with what to do about it. It does not repeat the host, which an attacker may have chosen. */
export function unknownHostError(isLoopbackOnly: boolean): ServiceError {
  const who = isLoopbackOnly ? 'this service listens on loopback and' : 'this service';
  return new ServiceError(
    'forbidden',
    `${who} is not known under the host name of this request: its operator can name it in GLEANER_HOSTS, or the proxy that passes it on in GLEANER_TRUST_PROXY`,
  );
}
