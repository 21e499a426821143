import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The first 64 bits of an IPv6 address: what one customer of a network has. */
export interface AddressBlock {
  readonly high: number;
  readonly low: number;
}

/** Where clients go whose address nobody knows: all into one bucket, so that hiding it gains nothing. No source has it. */
export const unknownBlock: AddressBlock = { high: 0xffffffff, low: 0xffffffff };

/**
 * The block that an address belongs to, or undefined for what is no address: an IPv6 address its /64, an IPv4 address
 * itself, written as its 6to4 prefix (RFC 3056). Forms that hold an IPv4 address (`::ffff:1.2.3.4`, those of NAT64 and
 * 6to4) are that address.
 */
export function addressBlock(text: string): AddressBlock | undefined {
  if (isIP(text) === 0) return undefined;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return blockOfIpv4(address.octets);
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === 'ipv4Mapped' || range === 'rfc6052') return blockOfIpv4(bytes.slice(12));
  if (range === '6to4') return blockOfIpv4(bytes.slice(2, 6));
  return { high: word(bytes, 0), low: word(bytes, 4) };
}

function blockOfIpv4(octets: readonly number[]): AddressBlock {
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  return { high: word([0x20, 0x02, a, b], 0), low: word([c, d, 0, 0], 0) };
}

function word(bytes: readonly number[], at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(at, at + 4);
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}
