import { BlockList, isIP } from 'node:net';

/** Loopback addresses (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3), with IPv4-mapped ones. */
const loopbackAddresses = new BlockList();
loopbackAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
loopbackAddresses.addAddress('::1', 'ipv6');
loopbackAddresses.addSubnet('::ffff:127.0.0.0', 104, 'ipv6');

/**
 * The host of a URL, normalized for comparison: lower case, IPv6 without brackets, no trailing dot. Empty for an invalid
 * URL.
 */
export function hostnameOf(url: string): string {
  if (!URL.canParse(url)) return '';
  return new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/**
 * Whether a host name or address is loopback, whatever DNS says: browsers resolve `localhost` and its subdomains
 * themselves (RFC 6761, section 6.3).
 */
export function isLoopback(hostname: string): boolean {
  if (/^(?:.+\.)?localhost$/i.test(hostname)) return true;
  const version = isIP(hostname);
  return version !== 0 && loopbackAddresses.check(hostname, version === 4 ? 'ipv4' : 'ipv6');
}
