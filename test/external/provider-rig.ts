import { onTestFinished } from 'vitest';
import { providerFactories } from '../../src/external/create-providers.ts';
import { createJsonClient } from '../../src/external/json-client.ts';
import type { ProviderName } from '../../src/external/provider-facts.ts';
import type { ProviderRequest, SearchProvider } from '../../src/external/search-provider.ts';
import { createSecret } from '../../src/external/secret.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { createOutgoing } from '../../src/runtime.ts';
import { documented } from './documented.ts';

/** Long after every date in the documented answers. */
export const now = Date.UTC(2026, 10, 20);

/** A question as the engine puts it. */
export function request(q: string, rest: Partial<ProviderRequest> = {}): ProviderRequest {
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
export function openProvider(name: ProviderName, origin: string, options: RigOptions = {}): SearchProvider {
  const { key, maxBytes } = options;
  const outgoing = createOutgoing({ http: '', https: '', none: '' });
  onTestFinished(() => outgoing.close());
  return providerFactories[name]({
    fetchJson: createJsonClient({
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
