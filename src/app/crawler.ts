import type { Config } from '../config/config.ts';
import { type CrawlOptions, crawl } from '../crawl/crawl.ts';
import type { CrawlSummary } from '../crawl/crawl-tally.ts';
import { createHostRests } from '../crawl/fetch/host-rests.ts';
import { createPoliteFetch } from '../crawl/fetch/polite-fetch.ts';
import { type RecrawlOptions, recrawl } from '../crawl/recrawl.ts';
import { type CheckLlmsTxt, createLlmsTxtCheck } from '../crawl/site/llms-txt.ts';
import { createRobotsCache } from '../crawl/site/robots-cache.ts';
import { createSitemapReader } from '../crawl/site/sitemap.ts';
import { createVisitor } from '../crawl/visit.ts';
import { createVisitAndKeep, type VisitAndKeep } from '../crawl/visit-and-keep.ts';
import { createExtractPool } from '../extract/extract-pool.ts';
import type { Clock } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';
import type { PageWriter } from '../store/page-writer.ts';
import { userAgent } from './about.ts';

export interface CrawlerParts {
  readonly store: PageStore;
  readonly pageWriter: PageWriter;
  readonly config: Pick<Config, 'allowPrivate' | 'contact'>;
  /** Pause between two requests to a host; 1 when not given, less only with `allowPrivate`. */
  readonly delaySeconds?: number | undefined;
  /** Threads that extract pages; when not given, depends on the number of processors. */
  readonly readers?: number;
  /** Called every ten seconds for a request that takes long. */
  readonly onSlow?: (url: string, seconds: number) => void;
  readonly now?: Clock;
}

export interface Crawler {
  crawl(
    options: Omit<CrawlOptions, 'store' | 'pageWriter' | 'visitor' | 'checkLlmsTxt' | 'sitemapUrls'>,
  ): Promise<CrawlSummary>;
  /** Visits due pages. */
  recrawl(options: Omit<RecrawlOptions, 'store' | 'pageWriter' | 'visitor' | 'now'>): Promise<CrawlSummary>;
  /** Visits one page outside of any crawl. */
  readonly visitAndKeep: VisitAndKeep;
  readonly checkLlmsTxt: CheckLlmsTxt;
  close(): Promise<void>;
}

/** Creates and connects the parts of the crawler. Pages are extracted in worker threads, which start with the first page. */
export function createCrawler(parts: CrawlerParts): Crawler {
  const { store, pageWriter, config, delaySeconds, readers, onSlow, now = Date.now } = parts;
  const { allowPrivate, contact } = config;
  const politeFetch = createPoliteFetch({
    userAgent: userAgent(contact),
    allowPrivate,
    now,
    rests: createHostRests(store),
    onSlow,
    ...(delaySeconds !== undefined && { delaySeconds }),
  });
  const robotsFor = createRobotsCache({ store, politeFetch, now });
  const { extract, close: closeReaders } = createExtractPool(
    readers === undefined ? {} : { workers: readers },
  );
  const visitor = createVisitor({ store, politeFetch, robotsFor, extract, now });
  const checkLlmsTxt = createLlmsTxtCheck({ store, politeFetch, robotsFor, now });
  const sitemapUrls = createSitemapReader({ politeFetch, robotsFor });
  return {
    crawl: (options) => {
      // A user who names a site expects it to be up again.
      for (const seed of options.seeds) {
        if (URL.canParse(seed)) politeFetch.wake(new URL(seed).host);
      }
      return crawl({ ...options, store, pageWriter, visitor, checkLlmsTxt, sitemapUrls, now });
    },
    recrawl: (options) => recrawl({ ...options, store, pageWriter, visitor, now }),
    visitAndKeep: createVisitAndKeep({ store, pageWriter, visitor, now }),
    checkLlmsTxt,
    close: async () => {
      await closeReaders();
      await politeFetch.close();
    },
  };
}
