import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import { hostnameOf } from '../../limits/loopback.ts';
import type { HttpEnv } from '../http-env.ts';
import { originOf } from '../rate-limit.ts';

/** Headers with which proxies pass on the client or the host. Headers of service meshes are not among them. */
const proxyHeaders = [
  ...['cdn-loop', 'cf-connecting-ip', 'cf-connecting-ipv6', 'cf-ray', 'client-ip', 'fastly-client-ip'],
  ...['fly-client-ip', 'forwarded', 'true-client-ip', 'via', 'x-appengine-user-ip', 'x-azure-clientip'],
  ...['x-client-ip', 'x-cluster-client-ip', 'x-envoy-external-address', 'x-forwarded', 'x-forwarded-for'],
  ...['x-forwarded-host', 'x-forwarded-server', 'x-host', 'x-original-forwarded-for', 'x-original-host'],
  'x-real-ip',
];

/**
 * Whether a request came directly from a private network. A request through a proxy, or with a host name of the public
 * DNS, may come from anywhere.
 */
export function isPrivateClient(c: Context<HttpEnv>): boolean {
  const { remoteAddress = '', header } = originOf(c);
  const host = header('host');
  return (
    !proxyHeaders.some((name) => header(name) !== undefined) &&
    isPrivateAddress(remoteAddress.replace(/%.*/, '')) &&
    isPrivateHost(hostnameOf(c.req.url)) &&
    (host === undefined || isPrivateHost(hostnameOf(`http://${host}`)))
  );
}

const privateRanges = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

function isPrivateAddress(address: string): boolean {
  return ipaddr.isValid(address) && privateRanges.has(ipaddr.process(address).range());
}

/** Names that do not exist in the public DNS (RFC 6761, 6762, 8375; ICANN on `internal`), and private addresses. */
function isPrivateHost(host: string): boolean {
  if (ipaddr.isValid(host)) return isPrivateAddress(host);
  return /^[^.]+$|\.(?:internal|local|localhost|home\.arpa)$/.test(host);
}
