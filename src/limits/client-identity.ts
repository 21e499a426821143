import { addressBlock, unknownBlock } from './address-block.ts';
import { type ApiKeyLookup, type ApiKeys, isKey, isKeyLike } from './api-keys.ts';
import type { Client } from './client-limits.ts';
import { type ForwardingHeader, forwardedAddresses } from './forwarded.ts';
import { clientAddress, isForwarded, type TrustedProxies } from './trusted-proxies.ts';

/** The connection and headers of a request. */
export interface RequestOrigin {
  /** Address of the connection; undefined when it is closed. */
  readonly remoteAddress: string | undefined;
  header(name: string): string | undefined;
}

/** A request with an invalid key is refused; it is not served as one without a key. */
export type Caller = Client | RefusedKey;

interface RefusedKey {
  readonly kind: 'refused';
  readonly why: string;
  /** What to do about it, if another key would not help. */
  readonly advice?: string;
  /** No key was sent, and the service answers no one without. */
  readonly isMissing?: true;
  readonly lacksScope?: true;
}

export interface ClientIdentityOptions {
  readonly apiKeys: ApiKeys;
  readonly trustedProxies: TrustedProxies;
  readonly proxyHeader: ForwardingHeader;
  /** `keys`: a request without a key or token is refused. `public` when not given. */
  readonly access?: 'public' | 'keys';
  /** Verifies what is sent as a Bearer token and is no key; without it only keys are known. */
  readonly verifyToken?: ((token: string) => Promise<ApiKeyLookup>) | undefined;
}

export interface ClientIdentity {
  /** The holder of the key or token in the request, else the client by its address. */
  client(source: RequestOrigin): Caller | Promise<Caller>;
  /** The client's address, as far as trusted proxies report it. */
  address(source: RequestOrigin): string | undefined;
  /** Whether a trusted proxy forwarded the request and named its client. */
  isFromTrustedProxy(source: RequestOrigin): boolean;
}

/** Identifies clients by `Authorization: Bearer` with a key or a token, or `X-API-Key: KEY`, else by their address. */
export function createClientIdentity({
  apiKeys,
  trustedProxies,
  proxyHeader,
  access = 'public',
  verifyToken,
}: ClientIdentityOptions): ClientIdentity {
  const advice = access === 'keys' ? { advice: 'ask the operator for another' } : {};
  const forwarded = ({ header }: RequestOrigin) => forwardedAddresses(proxyHeader, header(proxyHeader));
  const address = (source: RequestOrigin): string | undefined =>
    clientAddress(source.remoteAddress, forwarded(source), trustedProxies);

  return {
    address,
    isFromTrustedProxy: (source) => isForwarded(source.remoteAddress, forwarded(source), trustedProxies),
    client: (source) => {
      const keys = shownKeys(source);
      const [key] = keys;
      if (key === undefined) {
        if (holdsKey(source.header('authorization') ?? '')) return notBearer;
        if (access === 'keys') return noKey;
        const block = addressBlock(address(source) ?? '') ?? unknownBlock;
        return { kind: 'address', block };
      }
      if (keys.size > 1) return { kind: 'refused', why: 'two different API keys were sent: send one' };
      // What begins like a key never leaves this process.
      return verifyToken === undefined || isKeyLike(key) || key === ''
        ? callerOf(apiKeys.find(key), advice)
        : verifyToken(key).then((lookup) => callerOf(lookup, advice));
    },
  };
}

function callerOf(lookup: ApiKeyLookup, advice: Pick<RefusedKey, 'advice'>): Caller {
  return lookup.kind === 'valid' ? { kind: 'key', key: lookup.key } : { ...lookup, ...advice };
}

const noKey: RefusedKey = {
  kind: 'refused',
  why: 'this service answers those who have a key, and none was sent',
  advice: 'send one of the operator as "Authorization: Bearer gl_..." or as "X-API-Key: gl_..."',
  isMissing: true,
};

const notBearer: RefusedKey = {
  kind: 'refused',
  why: 'the API key in Authorization was not sent as a Bearer token',
  advice: 'send it as "Authorization: Bearer gl_..." or as "X-API-Key: gl_..."',
};

/** Other schemes of `Authorization` are for proxies in front of the service. */
function shownKeys({ header }: RequestOrigin): Set<string> {
  const bearer = /^bearer(?: +(.*))?$/i.exec(header('authorization')?.trim() ?? '');
  const keys = [bearer ? (bearer[1] ?? '') : undefined, header('x-api-key')?.trim()];
  return new Set(keys.filter((key) => key !== undefined));
}

/**
 * Whether `Authorization` contains one of our keys without a scheme or with another one: the client then expects the key
 * to count. With Basic it may be the user name or the password.
 */
function holdsKey(authorization: string): boolean {
  const basic = /^\s*basic +(\S+)\s*$/i.exec(authorization)?.[1];
  const text = basic === undefined ? authorization : Buffer.from(basic, 'base64').toString('latin1');
  return text.split(/[\s:=,"]+/).some((word) => (basic === undefined ? isKeyLike(word) : isKey(word)));
}
