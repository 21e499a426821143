import { addressBlock, unknownBlock } from './address-block.ts';
import type { Client } from './admission.ts';
import { type ApiKeys, isKey, isKeyLike } from './api-keys.ts';
import { type ForwardingHeader, forwardedAddresses } from './forwarded.ts';
import { clientAddress, isForwarded, type TrustedProxies } from './trusted-proxies.ts';

/** What is known of where a request came from. */
export interface RequestOrigin {
  /** Of the connection; undefined when it is gone. */
  readonly remoteAddress: string | undefined;
  header(name: string): string | undefined;
}

/** Whoever shows a key that is not good is refused, and never served as somebody without one. */
export type Caller = Client | RefusedKey;

interface RefusedKey {
  readonly kind: 'refused';
  readonly why: string;
  /** What to do about it, where another key would not help. */
  readonly advice?: string;
}

export interface ClientIdentityOptions {
  readonly apiKeys: ApiKeys;
  readonly trustedProxies: TrustedProxies;
  readonly proxyHeader: ForwardingHeader;
}

export interface ClientIdentity {
  /** The holder of the key that is shown, else the client at the address. */
  client(source: RequestOrigin): Caller;
  /** The client's address as far as proxies can be believed. */
  address(source: RequestOrigin): string | undefined;
  /** Whether a trusted proxy passed the request on, and said for whom. */
  isFromTrustedProxy(source: RequestOrigin): boolean;
}

/** Tells clients apart: by `Authorization: Bearer KEY` or `X-API-Key: KEY`, else by their address. */
export function createClientIdentity({
  apiKeys,
  trustedProxies,
  proxyHeader,
}: ClientIdentityOptions): ClientIdentity {
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
        const block = addressBlock(address(source) ?? '') ?? unknownBlock;
        return { kind: 'address', block };
      }
      if (keys.size > 1) return { kind: 'refused', why: 'two different API keys were sent: send one' };
      const found = apiKeys.find(key);
      return found.kind === 'valid' ? { kind: 'key', key: found.key } : found;
    },
  };
}

const notBearer: RefusedKey = {
  kind: 'refused',
  why: 'the API key in Authorization was not sent as a Bearer token',
  advice: 'send it as "Authorization: Bearer gl_..." or as "X-API-Key: gl_..."',
};

/** Other schemes of `Authorization` are for the proxies in front, and none of ours. */
function shownKeys({ header }: RequestOrigin): Set<string> {
  const bearer = /^bearer(?: +(.*))?$/i.exec(header('authorization')?.trim() ?? '');
  const keys = [bearer ? (bearer[1] ?? '') : undefined, header('x-api-key')?.trim()];
  return new Set(keys.filter((key) => key !== undefined));
}

/**
 * Whether the value of `Authorization` is one of our keys by itself, or under another scheme: who sends that means to
 * be known. In Basic it is the name or the password.
 */
function holdsKey(authorization: string): boolean {
  const basic = /^\s*basic +(\S+)\s*$/i.exec(authorization)?.[1];
  const text = basic === undefined ? authorization : Buffer.from(basic, 'base64').toString('latin1');
  return text.split(/[\s:=,"]+/).some((word) => (basic === undefined ? isKeyLike(word) : isKey(word)));
}
