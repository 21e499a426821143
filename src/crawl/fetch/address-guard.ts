import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { notPublic } from './fetch-outcome.ts';

/** All addresses of a host name, as text. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface AddressGuardOptions {
  /** Also opens loopback, private and shared (100.64/10) networks, and every port: for an intranet or a test. */
  readonly allowPrivate?: boolean;
  readonly resolve?: Resolve;
}

export interface AddressGuard {
  /** Throws `RefusedAddress` for a scheme, port, credentials or literal address that is not allowed. */
  checkUrl(url: URL): void;
  /** For a connector: throws `RefusedAddress` when the name is a literal address that is not allowed. */
  checkHostname(hostname: string): void;
  /** For `connect`: resolves once, checks every address, and passes on exactly those that were checked. */
  readonly lookup: LookupFunction;
  /** Throws `RefusedAddress` unless the address at the other end of the socket is allowed. */
  checkPeer(address: string | undefined): void;
}

/** A URL that the crawler may not request. The message never contains an IP address, so it reveals nothing of a network. */
export class RefusedAddress extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RefusedAddress';
  }
}

const publicPorts = new Set(['', '80', '443', '8080', '8443']);

/** Ranges in the names of ipaddr.js. Link-local is refused even here: clouds have their metadata service there. */
const intranetRanges = new Set(['unicast', 'loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);
const publicRanges = new Set(['unicast']);

/**
 * The range in the names of ipaddr.js. It calls every unnamed range of IPv6 unicast, but only 2000::/3 is assigned
 * (IANA, "Internet Protocol Version 6 Address Space"): `::127.0.0.1`, for one, is not.
 */
function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = address.range();
  const isGivenOut = !('parts' in address) || ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
  return range === 'unicast' && !isGivenOut ? 'reserved' : range;
}

const resolveBySystem: Resolve = async (hostname) =>
  (await systemLookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * Whether every address of a host (a name or a literal, as in `URL.hostname`) belongs to a loopback, private or shared
 * network. False for a name without an address. Never rejects.
 */
export async function isOnOwnNetwork(hostname: string, resolve: Resolve = resolveBySystem): Promise<boolean> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const addresses = ipaddr.isValid(literal) ? [literal] : await resolve(literal).catch(() => []);
  const isOwn = (address: string): boolean => {
    const range = rangeOf(ipaddr.process(address));
    return intranetRanges.has(range) && !publicRanges.has(range);
  };
  return addresses.length > 0 && addresses.every(isOwn);
}

/**
 * Keeps the crawler out of networks that are not public. A name is refused when any one of its addresses is not
 * global unicast (RFC 6890 registries as in ipaddr.js, mapped addresses unwrapped first). Connections go to the checked
 * addresses, so DNS rebinding gains nothing.
 */
export function createAddressGuard(options: AddressGuardOptions = {}): AddressGuard {
  const { allowPrivate = false, resolve = resolveBySystem } = options;
  const ranges = allowPrivate ? intranetRanges : publicRanges;

  const checkAddress = (address: string): void => {
    if (!ipaddr.isValid(address) || !ranges.has(rangeOf(ipaddr.process(address)))) {
      throw new RefusedAddress(notPublic);
    }
  };

  const checkHostname = (hostname: string): void => {
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (ipaddr.isValid(literal)) checkAddress(literal);
  };

  const resolveChecked = async (hostname: string) => {
    const addresses = await resolve(hostname);
    for (const address of addresses) checkAddress(address);
    if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };

  return {
    checkUrl(url) {
      if (!/^https?:$/.test(url.protocol)) throw new RefusedAddress('only http and https are asked');
      if (url.username !== '' || url.password !== '') throw new RefusedAddress('the URL holds credentials');
      if (!allowPrivate && !publicPorts.has(url.port)) throw new RefusedAddress('the port is not a web port');
      checkHostname(url.hostname);
    },
    checkHostname,
    lookup(hostname, { all }, callback) {
      resolveChecked(hostname).then(
        (addresses) => {
          if (all) callback(null, addresses);
          else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
        },
        (error) => callback(error, ''),
      );
    },
    checkPeer(address) {
      if (address === undefined) throw new RefusedAddress('the connection was closed');
      checkAddress(address);
    },
  };
}
