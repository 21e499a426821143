import { BlockList, isIP } from 'node:net';

/** Whose word counts about where a request came from: the nearest `hops` proxies, or those in `ranges`. */
export type TrustedProxies = { readonly hops: number } | { readonly ranges: BlockList };

/** No proxy is believed. */
export const noProxies: TrustedProxies = { hops: 0 };

const maxHops = 32;

/**
 * Reads a number of hops (`1`), or addresses and CIDRs between commas (`10.0.0.0/8, ::1`); undefined for anything else.
 */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return Number(trimmed) <= maxHops ? { hops: Number(trimmed) } : undefined;
  const ranges = new BlockList();
  return trimmed.split(',').every((part) => addRange(ranges, part.trim())) ? { ranges } : undefined;
}

/** False for what is neither an address nor a CIDR. */
function addRange(ranges: BlockList, text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  const maxBits = family === 4 ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits)) return false;
  ranges.addSubnet(address, bits === undefined ? maxBits : Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return true;
}

/**
 * The address that a request came from, going back from the connection's own through what proxies said, for as long as
 * the one who said it is trusted. `forwarded` is as the header has it, the nearest proxy's word last. A trusted proxy
 * whose word is no address stands for its client.
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

/** Whether the other end of a connection is a trusted proxy that says for whom it asks. */
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
