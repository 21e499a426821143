import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The first 64 bits of an IPv6 address: the network of one customer. */
export interface AddressBlock {
  readonly high: number;
  readonly low: number;
}

/** Shared by all clients without a known address. No real client has this value. */
export const unknownBlock: AddressBlock = { high: 0xffffffff, low: 0xffffffff };

/**
 * The block of an address; undefined for text that is no address. For IPv6 it is the /64, for IPv4 the 6to4 prefix of
 * the address (RFC 3056). IPv6 forms that embed an IPv4 address (`::ffff:1.2.3.4`, NAT64, 6to4) count as that address.
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

function word(bytes: readonly number[], offset: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(offset, offset + 4);
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}
