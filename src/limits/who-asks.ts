import { addressBlock, unknownBlock } from './address-block.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Client } from './fair-use.ts';
import { type ForwardingHeader, forwardedAddresses } from './forwarded.ts';
import { clientAddress, type TrustedProxies } from './trusted-proxies.ts';

/** What is known of where a request came from. */
export interface RequestSource {
  /** Of the connection; undefined when it is gone. */
  readonly remoteAddress: string | undefined;
  header(name: string): string | undefined;
}

/** Whoever shows a key that is not good is refused, and never served as somebody without one. */
export type Caller = Client | { readonly kind: 'refused'; readonly why: string };

export interface WhoAsksOptions {
  readonly apiKeys: ApiKeys;
  readonly trustedProxies: TrustedProxies;
  readonly proxyHeader: ForwardingHeader;
}

export interface WhoAsks {
  /** The holder of the key that is shown, else the client at the address. */
  client(source: RequestSource): Caller;
  /** The client's address as far as proxies can be believed. */
  address(source: RequestSource): string | undefined;
}

/** Tells clients apart: by `Authorization: Bearer KEY` or `X-API-Key: KEY`, else by their address. */
export function createWhoAsks({ apiKeys, trustedProxies, proxyHeader }: WhoAsksOptions): WhoAsks {
  const address = ({ remoteAddress, header }: RequestSource): string | undefined =>
    clientAddress(remoteAddress, forwardedAddresses(proxyHeader, header(proxyHeader)), trustedProxies);

  return {
    address,
    client: (source) => {
      const keys = shownKeys(source);
      const [key] = keys;
      if (key === undefined) {
        const block = addressBlock(address(source) ?? '') ?? unknownBlock;
        return { kind: 'address', block };
      }
      if (keys.size > 1) return { kind: 'refused', why: 'two different API keys were sent: send one' };
      const found = apiKeys.find(key);
      return found.kind === 'valid' ? { kind: 'key', key: found.key } : found;
    },
  };
}

/** Other schemes of `Authorization` are for the proxies in front, and none of ours. */
function shownKeys({ header }: RequestSource): Set<string> {
  const bearer = /^bearer(?: +(.*))?$/i.exec(header('authorization')?.trim() ?? '');
  const keys = [bearer ? (bearer[1] ?? '') : undefined, header('x-api-key')?.trim()];
  return new Set(keys.filter((key) => key !== undefined));
}
