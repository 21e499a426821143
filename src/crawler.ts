import { version } from './about.ts';
import type { Config } from './config.ts';
import { type CrawlOptions, crawl } from './crawl/crawl.ts';
import type { CrawlSummary } from './crawl/crawl-tally.ts';
import { createHostRests } from './crawl/host-rests.ts';
import { type CheckLlmsTxt, createLlmsTxtCheck } from './crawl/llms-txt.ts';
import { createPoliteFetch } from './crawl/polite-fetch.ts';
import { createRobotsCache } from './crawl/robots-cache.ts';
import { createSitemapReader } from './crawl/sitemap.ts';
import { createVisitor } from './crawl/visit.ts';
import { createVisitAndKeep, type VisitAndKeep } from './crawl/visit-and-keep.ts';
import type { Keep } from './engine/keep.ts';
import { createExtractor } from './extract/extract.ts';
import type { Clock } from './outside.ts';
import type { PageStore } from './store/page-store.ts';
import { loadLanguageDetector } from './text/language.ts';

export interface CrawlerParts {
  readonly store: PageStore;
  readonly keep: Keep;
  readonly config: Pick<Config, 'allowPrivate' | 'contact'>;
  /** Between two requests to a host; 1 when not given, below that only with `allowPrivate`. */
  readonly delaySeconds?: number | undefined;
  readonly now?: Clock;
}

export interface Crawler {
  crawl(
    options: Omit<CrawlOptions, 'store' | 'keep' | 'visitor' | 'checkLlmsTxt' | 'sitemapUrls'>,
  ): Promise<CrawlSummary>;
  /** Visits one page outside of any crawl. */
  readonly visitAndKeep: VisitAndKeep;
  readonly checkLlmsTxt: CheckLlmsTxt;
  close(): Promise<void>;
}

/** Makes the crawler's parts and puts them together. Loads the language detector, which takes its memory. */
export async function createCrawler(parts: CrawlerParts): Promise<Crawler> {
  const { store, keep, config, delaySeconds, now = Date.now } = parts;
  const { allowPrivate, contact } = config;
  const politeFetch = createPoliteFetch({
    userAgent: `Gleaner/${version}${contact ? ` (+${contact})` : ''}`,
    allowPrivate,
    now,
    rests: createHostRests(store),
    ...(delaySeconds !== undefined && { delaySeconds }),
  });
  const robotsFor = createRobotsCache({ store, politeFetch, now });
  const extract = createExtractor({ detectLanguage: await loadLanguageDetector(), now });
  const visitor = createVisitor({ store, politeFetch, robotsFor, extract, now });
  const checkLlmsTxt = createLlmsTxtCheck({ store, politeFetch, robotsFor, now });
  const sitemapUrls = createSitemapReader({ politeFetch, robotsFor });
  return {
    crawl: (options) => {
      // Whoever names a site knows that it is up again.
      for (const seed of options.seeds) {
        if (URL.canParse(seed)) politeFetch.wake(new URL(seed).host);
      }
      return crawl({ ...options, store, keep, visitor, checkLlmsTxt, sitemapUrls, now });
    },
    visitAndKeep: createVisitAndKeep({ store, keep, visitor }),
    checkLlmsTxt,
    close: () => politeFetch.close(),
  };
}
