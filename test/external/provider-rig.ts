import { onTestFinished } from 'vitest';
import { providerMakers } from '../../src/external/create-providers.ts';
import { createExchange } from '../../src/external/json-client.ts';
import type { ProviderName } from '../../src/external/provider-facts.ts';
import { createSecret } from '../../src/external/secret.ts';
import type { WebSearch, WebSearchRequest } from '../../src/external/search-provider.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { createOutgoing } from '../../src/runtime.ts';
import { documented } from './documented.ts';

/** Long after every date in the documented answers. */
export const now = Date.UTC(2026, 10, 20);

/** A question as the engine puts it. */
export function request(q: string, rest: Partial<WebSearchRequest> = {}): WebSearchRequest {
  const { lang } = rest;
  return { query: parseQuery(q, lang ? { lang } : {}), limit: 10, offset: 0, ...rest };
}

/** The address that is set for a provider whose service is at `origin`. */
export function baseOf(name: ProviderName, origin: string): string {
  return `${origin}${documented[name].base ?? ''}`;
}

export interface RigOptions {
  readonly key?: string;
  readonly maxBytes?: number;
}

/** One real provider, asking the service at `origin` over a real connection. */
export function openProvider(name: ProviderName, origin: string, options: RigOptions = {}): WebSearch {
  const { key, maxBytes } = options;
  const outgoing = createOutgoing({ http: '', https: '', none: '' });
  onTestFinished(() => outgoing.close());
  return providerMakers[name]({
    exchange: createExchange({
      outgoing,
      userAgent: 'Gleaner/0.0.0 (+test@example.org)',
      ...(maxBytes !== undefined && { maxBytes }),
    }),
    now: () => now,
    baseUrl: baseOf(name, origin),
    key: key === undefined ? undefined : createSecret(key),
  });
}

/** A signal that nobody aborts. */
export const never = new AbortController().signal;
