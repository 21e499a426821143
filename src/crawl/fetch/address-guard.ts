import { lookup as systemLookup } from 'node:dns/promises';
import type { BlockList, LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { notPublic } from './fetch-outcome.ts';

/** All addresses of a host name, as text. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** A part of a private network that may be requested: a host by its name, or a range of addresses. */
export type PrivateRule = (
  | { readonly host: string; readonly hasSubdomains: boolean }
  | { readonly range: BlockList }
) & {
  /** A number as text, `*` for any, `web` for those of the public web. */
  readonly port: string;
};

/** All private networks and every port, none, or what a rule names. */
export type PrivateAccess = boolean | readonly PrivateRule[];

export interface AddressGuardOptions {
  /** Opens loopback, private and shared (100.64/10) networks, and ports: for an intranet or a test. */
  readonly allowPrivate?: PrivateAccess;
  /** Closes the public internet: for what a page in a private network asks for. */
  readonly refusesPublic?: boolean;
  readonly resolve?: Resolve;
}

export interface AddressGuard {
  /** Throws `RefusedAddress` for a scheme, port, credentials or literal address that is not allowed. */
  checkUrl(url: URL): void;
  /** Whether the URL's host is opened by its name or its literal address. */
  isNamed(url: URL): boolean;
  /** What guards a connection to a host at a port, where an empty port is that of the scheme. */
  connectionTo(hostname: string, port: string): GuardedConnection;
}

export interface GuardedConnection {
  /** Throws `RefusedAddress` when the name is a literal address that is not allowed. */
  checkHostname(): void;
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
const notWebPort = 'the port is not a web port';
const notPrivate = 'the host is on the public internet';

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
  const literal = literalOf(hostname);
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
  const { allowPrivate = false, refusesPublic = false, resolve = resolveBySystem } = options;
  const rules = typeof allowPrivate === 'boolean' ? [] : allowPrivate;

  const checkAddress = (address: string, hostname: string, port: string): void => {
    if (!ipaddr.isValid(address)) throw new RefusedAddress(notPublic);
    const parsed = ipaddr.process(address);
    const range = rangeOf(parsed);
    if (refusesPublic && publicRanges.has(range)) throw new RefusedAddress(notPrivate);
    if (publicRanges.has(range) && publicPorts.has(port)) return;
    const isOpen =
      allowPrivate === true ||
      rules.some((rule) => fitsPort(rule, port) && (fitsHost(rule, hostname) || isInRange(rule, parsed)));
    if (isOpen && intranetRanges.has(range)) return;
    throw new RefusedAddress(publicRanges.has(range) ? notWebPort : notPublic);
  };

  /** Whether the port may be open; a name may lead into a range whose rule opens it. */
  const canHavePort = (hostname: string, port: string): boolean =>
    publicPorts.has(port) ||
    allowPrivate === true ||
    rules.some((rule) => fitsPort(rule, port) && ('range' in rule || fitsHost(rule, hostname)));

  const connectionTo = (hostname: string, port: string): GuardedConnection => {
    const literal = literalOf(hostname);
    const resolveChecked = async (name: string) => {
      const addresses = await resolve(name);
      for (const address of addresses) checkAddress(address, hostname, port);
      if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    };
    return {
      checkHostname() {
        if (ipaddr.isValid(literal)) checkAddress(literal, hostname, port);
      },
      lookup(name, { all }, callback) {
        resolveChecked(name).then(
          (addresses) => {
            if (all) callback(null, addresses);
            else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
          },
          (error) => callback(error, ''),
        );
      },
      checkPeer(address) {
        if (address === undefined) throw new RefusedAddress('the connection was closed');
        checkAddress(address, hostname, port);
      },
    };
  };

  return {
    checkUrl({ protocol, username, password, port, hostname }) {
      if (!/^https?:$/.test(protocol)) throw new RefusedAddress('only http and https are asked');
      if (username !== '' || password !== '') throw new RefusedAddress('the URL holds credentials');
      if (!canHavePort(hostname, port)) throw new RefusedAddress(notWebPort);
      connectionTo(hostname, port).checkHostname();
    },
    isNamed({ hostname, port }) {
      const literal = literalOf(hostname);
      const address = ipaddr.isValid(literal) ? ipaddr.process(literal) : undefined;
      const fits = (rule: PrivateRule): boolean =>
        fitsHost(rule, hostname) || (address !== undefined && isInRange(rule, address));
      return allowPrivate === true || rules.some((rule) => fitsPort(rule, port) && fits(rule));
    },
    connectionTo,
  };
}

/** A host without the brackets of an IPv6 address. */
function literalOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function fitsPort({ port: open }: PrivateRule, port: string): boolean {
  return open === '*' || (open === 'web' ? publicPorts.has(port) : open === port);
}

function fitsHost(rule: PrivateRule, hostname: string): boolean {
  if ('range' in rule) return false;
  return rule.hasSubdomains ? hostname.endsWith(`.${rule.host}`) : hostname === rule.host;
}

function isInRange(rule: PrivateRule, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return 'range' in rule && rule.range.check(address.toString(), address.kind());
}
