import type { Config } from '../config/config.ts';
import type { BackgroundFetch } from '../engine/background-fetch.ts';
import type { OnDemandFetch } from '../engine/on-demand-fetch.ts';
import type { CrawlSite } from '../engine/site-crawl.ts';
import type { Web } from '../engine/web.ts';
import type { FederatedSearch } from '../external/federated-search.ts';
import type { ProviderPool } from '../external/provider-pool.ts';
import type { DomainRules } from '../query/domain-rules.ts';
import type { Clock, Log } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';
import { createPageWriter, type PageWriter } from '../store/page-writer.ts';
import type { Upkeep } from '../store/upkeep.ts';
import { briefWriter } from '../store/writer/lock-per-write.ts';
import type { LanguageThread } from '../text/language/language-thread.ts';
import type { Crawler, CrawlerParts } from './crawler.ts';
import type { Elsewhere } from './elsewhere.ts';

export interface WebParts {
  readonly store: PageStore;
  /** Brings this process's index up to the store. */
  readonly catchUp: () => Promise<void>;
  readonly upkeep: Upkeep;
  readonly config: CrawlerParts['config'] & { readonly credentials?: Config['credentials'] | undefined };
  readonly rules?: DomainRules | undefined;
  /** Opens the providers of external results. Undefined if none is on. */
  readonly openPool: (() => Promise<ProviderPool>) | undefined;
  /** Visits pages for this process, where another one does. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Whether pages are visited: external results in the background, and URLs on request. */
  readonly learns: boolean;
  /** Wraps the writer of the pages that are visited. */
  readonly writerOf?: ((writer: PageWriter) => PageWriter) | undefined;
  readonly now: Clock;
  readonly log: Log;
}

export interface ClosableWeb extends Web {
  /** The crawler of this process, created on first use. */
  crawler(): Promise<Crawler>;
  /** Resolves once all offered pages have been visited; for tests. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface Visits {
  readonly read: OnDemandFetch;
  readonly learner: Pick<BackgroundFetch, 'offer'> | undefined;
}

/** Creates everything that reaches beyond the index. Each part is loaded on first use, nothing at the start. */
export function createWeb({
  store,
  catchUp,
  upkeep,
  config,
  rules,
  openPool,
  elsewhere,
  learns,
  writerOf = (writer) => writer,
  now,
  log,
}: WebParts): ClosableWeb {
  let pool: ProviderPool | undefined;
  let languages: LanguageThread | undefined;
  let federated: Promise<FederatedSearch> | undefined;
  let visits: Promise<Visits> | undefined;
  let learner: BackgroundFetch | undefined;
  let crawler: Promise<Crawler> | undefined;
  let siteCrawls: Promise<CrawlSite> | undefined;

  // One crawler for all visits of this process: it holds the pace of each host.
  const openCrawler = async (): Promise<Crawler> => {
    const [{ createCrawler }, { liveCredentials }] = await Promise.all([
      import('./crawler.ts'),
      import('./live/credentials-file.ts'),
    ]);
    const brief = briefWriter(store);
    return createCrawler({
      store: brief,
      pageWriter: writerOf(createPageWriter({ store: brief, catchUp, upkeep })),
      config,
      isBlocked: rules?.isBlocked,
      credentials: liveCredentials(config.credentials, {
        now,
        warn: (message) => log.warn({}, message),
      }),
      readers: 1,
      onNotice: (message) => log.warn({}, message),
      now,
    });
  };

  const openCrawlerOnce = (): Promise<Crawler> => {
    crawler ??= openCrawler();
    return crawler;
  };

  const openSiteCrawls = (): Promise<CrawlSite> => {
    siteCrawls ??= import('./site-crawls.ts').then(({ createSiteCrawls }) =>
      createSiteCrawls({ crawler: openCrawlerOnce, now }),
    );
    return siteCrawls;
  };

  const openFederatedSearch = async (open: () => Promise<ProviderPool>): Promise<FederatedSearch> => {
    const [{ createFederatedSearch }, { canonicalUrl }, { createLanguageThread }] = await Promise.all([
      import('../external/federated-search.ts'),
      import('../crawl/url/canonical-url.ts'),
      import('../text/language/language-thread.ts'),
    ]);
    pool = await open();
    languages = createLanguageThread();
    return createFederatedSearch({ pool, canonicalUrl, languages, now });
  };

  const openVisits = async (): Promise<Visits> => {
    if (learns && elsewhere) {
      const { createReaderElsewhere } = await import('./elsewhere.ts');
      return {
        read: createReaderElsewhere({ store, catchUp, elsewhere }),
        learner: { offer: elsewhere.shown },
      };
    }
    const [{ createOnDemandFetch }, { canonicalUrl }] = await Promise.all([
      import('../engine/on-demand-fetch.ts'),
      import('../crawl/url/canonical-url.ts'),
    ]);
    if (!learns) {
      return { read: createOnDemandFetch({ store, canonicalUrl, now }), learner: undefined };
    }
    const { createBackgroundFetch } = await import('../engine/background-fetch.ts');
    const brief = briefWriter(store);
    const { visitAndKeep, anonymous } = await openCrawlerOnce();
    // Pages of strangers choose where these visits lead, so they go without credentials.
    learner = createBackgroundFetch({ store: brief, ...anonymous, now, log });
    const { hold, lookAtSite } = learner;
    const onNotStored = (url: string): void => {
      const health = store.health();
      const why = health.kind === 'ok' ? 'another process is writing to the data folder' : health.why;
      log.warn({ url, why }, 'a page was read for an answer and could not be stored');
    };
    const read = createOnDemandFetch({
      store,
      canonicalUrl,
      visitAndKeep,
      visitAnonymously: anonymous.visitAndKeep,
      hold,
      onStored: lookAtSite,
      onNotStored,
      now,
    });
    return { read, learner };
  };

  const openVisitsOnce = (): Promise<Visits> => {
    visits ??= openVisits();
    return visits;
  };

  return {
    federatedSearch:
      openPool &&
      (() => {
        federated ??= openFederatedSearch(openPool).catch((error: unknown) => {
          // Lets the next search try again.
          federated = undefined;
          throw error;
        });
        return federated;
      }),
    reader: async () => (await openVisitsOnce()).read,
    visitsPages: learns,
    crawlSite: elsewhere
      ? async (request, { signal } = {}) => {
          const report = await elsewhere.crawl(request, signal);
          await catchUp();
          return report;
        }
      : async (request, options) => (await openSiteCrawls())(request, options),
    onShown: (urls) => {
      if (!learns || urls.length === 0) return;
      openVisitsOnce().then(
        (opened) => opened.learner?.offer(urls),
        (error: unknown) => log.error({ err: error }, 'pages could not be learned'),
      );
    },
    homeOf: (key) => learner?.homeOf(key) ?? key,
    crawler: openCrawlerOnce,
    settled: async () => {
      await visits;
      await learner?.settled();
    },
    close: async () => {
      // Waits for parts that are just being opened, and closes them, too.
      await Promise.allSettled([federated, visits, crawler]);
      await pool?.close();
      await languages?.close();
      await learner?.stop();
      await (await crawler?.catch(() => undefined))?.close();
    },
  };
}
