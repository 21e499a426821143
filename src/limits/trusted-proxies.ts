import { BlockList, isIP } from 'node:net';

/** Proxies whose forwarding header is believed: the nearest `hops`, or those in `ranges`. */
export type TrustedProxies = { readonly hops: number } | { readonly ranges: BlockList };

/** Believes no proxy. */
export const noProxies: TrustedProxies = { hops: 0 };

const maxHops = 32;

/**
 * Parses a number of hops (`1`), or addresses and CIDRs separated by commas (`10.0.0.0/8, ::1`); undefined for other text.
 */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return Number(trimmed) <= maxHops ? { hops: Number(trimmed) } : undefined;
  const ranges = new BlockList();
  return trimmed.split(',').every((part) => addRange(ranges, part.trim())) ? { ranges } : undefined;
}

/** Adds an address or a CIDR to the list; false for other text. */
export function addRange(ranges: BlockList, text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  const maxBits = family === 4 ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits)) return false;
  ranges.addSubnet(address, bits === undefined ? maxBits : Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return true;
}

/**
 * The client's address. Starts at the connection and follows the addresses that proxies reported, as long as each proxy
 * is trusted. `forwarded` is in the order of the header, the nearest proxy's entry last. When a trusted proxy reports no
 * valid address, its own address is used.
 */
export function clientAddress(
  connection: string | undefined,
  forwarded: readonly (string | undefined)[],
  trusted: TrustedProxies,
): string | undefined {
  let client = connection;
  for (let hop = 0; hop < forwarded.length; hop++) {
    const before = forwarded[forwarded.length - 1 - hop];
    if (before === undefined || client === undefined || !isTrusted(client, hop, trusted)) break;
    client = before;
  }
  return client;
}

/** Whether the connection comes from a trusted proxy that names its client. */
export function isForwarded(
  connection: string | undefined,
  forwarded: readonly (string | undefined)[],
  trusted: TrustedProxies,
): boolean {
  return connection !== undefined && forwarded.length > 0 && isTrusted(connection, 0, trusted);
}

function isTrusted(address: string, hop: number, trusted: TrustedProxies): boolean {
  if ('hops' in trusted) return hop < trusted.hops;
  // IPv4 ranges also match what an IPv6 socket shows as ::ffff:a.b.c.d.
  return trusted.ranges.check(address.replace(/%.*/, ''), isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
