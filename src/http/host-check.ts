import { isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import type { RequestOrigin } from '../limits/client-identity.ts';
import { hostnameOf, isLoopback } from '../limits/loopback.ts';
import { sourceOf } from './rate-limit.ts';

export interface KnownHosts {
  /** Names by which clients may reach the service, besides those that are always known; `*` for any. */
  readonly hosts: '*' | readonly string[];
  /** Whether the service can be reached from this machine alone. */
  readonly isLoopbackOnly: boolean;
  /** Whether a request was passed on by a proxy that is trusted, whose host names are its own affair. */
  readonly isFromTrustedProxy: (source: RequestOrigin) => boolean;
}

/** Supervisors ask these under an address, which no web page can make lead anywhere. */
const healthPaths = new Set(['/healthz', '/readyz']);

/**
 * Refuses (`forbidden`) requests under a host name that is not known. A web page comes by such requests when it lets
 * its own name lead here (DNS rebinding), and is then of the same origin, so that CORS does not apply.
 *
 * A service on loopback knows loopback names and addresses, `hosts`, and what a trusted proxy passes on; other
 * addresses for health checks alone. One that listens elsewhere is checked where `hosts` is set, and knows all
 * addresses. In both cases an absolute request target counts as well as the Host header.
 */
export function onlyUnderKnownHosts(known: KnownHosts): MiddlewareHandler {
  const { hosts, isLoopbackOnly, isFromTrustedProxy } = known;
  return async (c, next) => {
    const isChecked = isLoopbackOnly || hosts.length > 0;
    const knowsAddresses = !isLoopbackOnly || healthPaths.has(c.req.path);
    if (isChecked && !isNamed(c, hosts, knowsAddresses) && !isFromTrustedProxy(sourceOf(c)))
      throw unknownHost(isLoopbackOnly);
    await next();
  };
}

/** For `/mcp`, which is checked in any case; `hosts`, localhost and addresses are known where the service is public. */
export function onlyUnderKnownHostsOfMcp(known: KnownHosts): MiddlewareHandler {
  const { hosts, isLoopbackOnly } = known;
  // There every route was checked before, more strictly.
  if (isLoopbackOnly) return (_, next) => next();
  return async (c, next) => {
    if (!isNamed(c, hosts, true)) throw unknownHost(false);
    await next();
  };
}

function isNamed(c: Context, hosts: KnownHosts['hosts'], knowsAddresses: boolean): boolean {
  if (hosts === '*') return true;
  const header = c.req.header('host');
  // Where no Host is given, as HTTP/1.0 allows, the URL has the address that the service listens on.
  const names = [c.req.url, ...(header === undefined ? [] : [`http://${header}`])].map(hostnameOf);
  const isSet = (name: string) => hosts.includes(name) || hosts.includes(`[${name}]`);
  return names.every((name) => isLoopback(name) || (knowsAddresses && isIP(name) !== 0) || isSet(name));
}

/** The refusal, with what to do about it. The host is not repeated: it is what a stranger sent. */
export function unknownHost(isLoopbackOnly: boolean): ServiceError {
  const who = isLoopbackOnly ? 'this service listens on loopback and' : 'this service';
  return new ServiceError(
    'forbidden',
    `${who} is not known under the host name of this request: its operator can name it in GLEANER_HOSTS, or the proxy that passes it on in GLEANER_TRUST_PROXY`,
  );
}
