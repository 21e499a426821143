import ipaddr from 'ipaddr.js';

/**
 * The host of a URL or a Host header as names are compared: lower case, IPv6 without brackets, no dot at the end; empty
 * for what is no host.
 */
export function hostnameOf(url: string): string {
  if (!URL.canParse(url)) return '';
  return new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/**
 * Whether a host name or address leads to this machine alone, whatever DNS says: browsers resolve `localhost` and what
 * is below it themselves (RFC 6761, section 6.3).
 */
export function isLoopback(hostname: string): boolean {
  if (/^(?:.+\.)?localhost$/i.test(hostname)) return true;
  return ipaddr.isValid(hostname) && ipaddr.process(hostname).range() === 'loopback';
}
