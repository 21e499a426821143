import { type Clock, createOutgoing, type Log, type Outgoing } from '../runtime.ts';
import { createJsonClient } from './json-client.ts';
import type { ProviderParts } from './provider.ts';
import type { ProviderName } from './provider-facts.ts';
import { createProviderPool, type ObserveProvider, type ProviderPool } from './provider-pool.ts';
import { createBrave } from './providers/brave.ts';
import { createExa } from './providers/exa.ts';
import { createGleaner } from './providers/gleaner.ts';
import { createHackerNews } from './providers/hackernews.ts';
import { createKagi } from './providers/kagi.ts';
import { createMarginalia } from './providers/marginalia.ts';
import { createMediaWiki, createWikipedia } from './providers/mediawiki.ts';
import { createMojeek } from './providers/mojeek.ts';
import { createMwmbl } from './providers/mwmbl.ts';
import { createSearxng } from './providers/searxng.ts';
import { createSerper } from './providers/serper.ts';
import { createStackExchange } from './providers/stackexchange.ts';
import { createTavily } from './providers/tavily.ts';
import type { SearchProvider } from './search-provider.ts';
import type { ExternalConfig } from './settings.ts';

type CreateProvider = (parts: ProviderParts) => SearchProvider;

/** For providers without a default URL; `readExternal` guarantees that one is set. */
const withUrl =
  (create: (parts: ProviderParts & { readonly baseUrl: string }) => SearchProvider): CreateProvider =>
  (parts) =>
    create({ ...parts, baseUrl: parts.baseUrl ?? '' });

/** The factory of each provider. */
export const providerFactories: Readonly<Record<ProviderName, CreateProvider>> = {
  gleaner: withUrl(createGleaner),
  searxng: withUrl(createSearxng),
  mediawiki: withUrl(createMediaWiki),
  brave: createBrave,
  kagi: createKagi,
  serper: createSerper,
  exa: createExa,
  mojeek: createMojeek,
  tavily: createTavily,
  wikipedia: createWikipedia,
  stackexchange: createStackExchange,
  hackernews: createHackerNews,
  marginalia: createMarginalia,
  mwmbl: createMwmbl,
};

export interface OpenProviderPoolOptions {
  readonly config: ExternalConfig;
  /** `Gleaner/<version> (+contact)`. */
  readonly userAgent: string;
  readonly log: Log;
  readonly now?: Clock;
  readonly observe?: ObserveProvider;
  /** URLs that replace those of the services, for tests. */
  readonly baseUrls?: Readonly<Partial<Record<ProviderName, string>>>;
  readonly outgoing?: Outgoing;
}

/** Creates the providers that are on and their pool. Opens no connection before the first search. */
export function openProviderPool(options: OpenProviderPoolOptions): ProviderPool {
  const { config, userAgent, log, now = Date.now, observe, baseUrls = {} } = options;
  const { http, https, none } = config.proxies;
  const outgoing =
    options.outgoing ?? createOutgoing({ http: http.reveal(), https: https.reveal(), none: none.reveal() });
  const fetchJson = createJsonClient({ outgoing, userAgent });
  const providers = config.providers.map((name) =>
    providerFactories[name]({
      fetchJson,
      now,
      key: config.keys[name],
      baseUrl: baseUrls[name] ?? config.urls[name]?.reveal(),
    }),
  );
  const { deadlineMs } = config;
  return createProviderPool({
    providers,
    deadlineMs,
    log,
    now,
    close: outgoing.close,
    ...(observe && { observe }),
  });
}
