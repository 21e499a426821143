import type { Config } from '../config/config.ts';
import { type CrawlOptions, crawl } from '../crawl/crawl.ts';
import type { CrawlSummary } from '../crawl/crawl-tally.ts';
import type { Credentials } from '../crawl/credentials/credentials.ts';
import { createHostRests } from '../crawl/fetch/host-rests.ts';
import { anonymously, createPoliteFetch, type PoliteFetch } from '../crawl/fetch/polite-fetch.ts';
import { type CrawlPreview, type PreviewOptions, previewCrawl } from '../crawl/preview.ts';
import { type RecrawlOptions, recrawl } from '../crawl/recrawl.ts';
import { createPageParts } from '../crawl/render/page-parts.ts';
import { createReadDrawnPage } from '../crawl/render/read-drawn-page.ts';
import { createRenderer } from '../crawl/render/renderer.ts';
import { createAskByRobots } from '../crawl/site/ask-by-robots.ts';
import { type CheckLlmsTxt, createLlmsTxtCheck } from '../crawl/site/llms-txt.ts';
import { createRobotsCache } from '../crawl/site/robots-cache.ts';
import { createSitemapReader } from '../crawl/site/sitemap.ts';
import { createTextTwins } from '../crawl/site/text-twin.ts';
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
  readonly config: Pick<Config, 'allowPrivate' | 'contact'> & Partial<Pick<Config, 'render'>>;
  /** Whether the operator wants no page of this URL. */
  readonly isBlocked?: ((url: string) => boolean) | undefined;
  /** For sites that are not for everybody. */
  readonly credentials?: Credentials | undefined;
  /** Pause between two requests to a host; 1 when not given, less only with `allowPrivate`. */
  readonly delaySeconds?: number | undefined;
  /** Threads that extract pages; when not given, depends on the number of processors. */
  readonly readers?: number;
  /** Called every ten seconds for a request that takes long. */
  readonly onSlow?: (url: string, seconds: number) => void;
  /** Called once for each sentence that the operator should know about drawing pages. */
  readonly onNotice?: ((message: string) => void) | undefined;
  readonly now?: Clock;
}

/** The crawler of one process, in what it does for its operator. */
export interface Crawler extends Visits {
  /** The same for others, without credentials. */
  readonly anonymous: Visits;
  /** What a crawl from this URL would find; stores no page. */
  preview(seed: string, options?: PreviewOptions): Promise<CrawlPreview>;
  /** Visits due pages. */
  recrawl(options: Omit<RecrawlOptions, 'store' | 'pageWriter' | 'visitor' | 'now'>): Promise<CrawlSummary>;
  close(): Promise<void>;
}

export interface Visits {
  crawl(
    options: Omit<CrawlOptions, 'store' | 'pageWriter' | 'visitor' | 'checkLlmsTxt' | 'sitemapUrls'>,
  ): Promise<CrawlSummary>;
  /** Visits one page outside of any crawl. */
  readonly visitAndKeep: VisitAndKeep;
  readonly checkLlmsTxt: CheckLlmsTxt;
}

/** Creates and connects the parts of the crawler. Pages are extracted in worker threads, which start with the first page. */
export function createCrawler(parts: CrawlerParts): Crawler {
  const { store, pageWriter, config, delaySeconds, readers, onSlow, now = Date.now } = parts;
  const { isBlocked, credentials, onNotice } = parts;
  const { allowPrivate, contact, render } = config;
  const politeFetch = createPoliteFetch({
    userAgent: userAgent(contact),
    allowPrivate,
    isBlocked,
    credentials,
    now,
    rests: createHostRests(store),
    onSlow,
    ...(delaySeconds !== undefined && { delaySeconds }),
  });
  const { extract, close: closeReaders } = createExtractPool(
    readers === undefined ? {} : { workers: readers },
  );
  const renderer = render && createRenderer({ ...render, onNotice });
  const connect = (fetch: PoliteFetch) => {
    const robotsFor = createRobotsCache({ store, politeFetch: fetch, now });
    const checkLlmsTxt = createLlmsTxtCheck({ store, politeFetch: fetch, robotsFor, now });
    const ask = createAskByRobots(fetch, robotsFor);
    const findTextTwin = createTextTwins({ ask, extract, llmsLinks: checkLlmsTxt });
    const partsOf = createPageParts({ politeFetch: fetch, robotsFor, now });
    const readDrawnPage = createReadDrawnPage({ findTextTwin, renderer, partsOf, extract });
    const visitor = createVisitor({ store, politeFetch: fetch, robotsFor, extract, readDrawnPage, now });
    const sitemapUrls = createSitemapReader({ politeFetch: fetch, robotsFor });
    const visits: Visits = {
      crawl: (options) => {
        // A user who names a site expects it to be up again.
        for (const seed of options.seeds) {
          if (URL.canParse(seed)) politeFetch.wake(new URL(seed).host);
        }
        return crawl({ ...options, store, pageWriter, visitor, checkLlmsTxt, sitemapUrls, now });
      },
      visitAndKeep: createVisitAndKeep({ store, pageWriter, visitor, now }),
      checkLlmsTxt,
    };
    return { visitor, robotsFor, sitemapUrls, visits };
  };
  const own = connect(politeFetch);
  const anonymous = credentials ? connect(anonymously(politeFetch)) : own;
  const { visitor, robotsFor, sitemapUrls } = own;
  return {
    ...own.visits,
    anonymous: anonymous.visits,
    preview: (seed, options) => previewCrawl({ visitor, robotsFor, sitemapUrls }, seed, options),
    recrawl: (options) => recrawl({ ...options, store, pageWriter, visitor, now }),
    close: async () => {
      await renderer?.close();
      await closeReaders();
      await politeFetch.close();
    },
  };
}
