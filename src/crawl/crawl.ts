import type { Sleep } from '../async/sleep.ts';
import { sleep as realSleep } from '../async/sleep.ts';
import { invalidParameters } from '../contract/errors.ts';
import type { Clock } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';
import type { PageWriter } from '../store/page-writer.ts';
import { type CrawlProgress, type CrawlSummary, createTally, storeFailureOf } from './crawl-tally.ts';
import { type Frontier, openFrontier, runOf } from './frontier.ts';
import { crawlHost } from './host/crawl-host.ts';
import type { HostPause } from './host/host-crawl.ts';
import { createHostPages, type HostPages, secondsLeft } from './host/time-left.ts';
import { createLinkStore } from './link-store.ts';
import { createPageBudget } from './page-budget.ts';
import type { CheckLlmsTxt } from './site/llms-txt.ts';
import type { SitemapUrls } from './site/sitemap.ts';
import { canonicalUrl } from './url/canonical-url.ts';
import type { Visitor } from './visit.ts';

export interface CrawlOptions {
  /** http(s) URLs. The crawl stays on their hosts. */
  readonly seeds: readonly string[];
  readonly store: PageStore;
  readonly pageWriter: PageWriter;
  readonly visitor: Visitor;
  readonly checkLlmsTxt?: CheckLlmsTxt;
  /** Further URLs of a seed's site, from its sitemaps; URLs out of scope are dropped. */
  readonly sitemapUrls?: SitemapUrls;
  /** Pages stored or found unchanged, over all hosts; no limit when not given. */
  readonly maxPages?: number;
  /** Links away from a seed; no limit when not given. */
  readonly maxDepth?: number;
  /** A link must match one of these globs to be followed; see `url-scope.ts`. Seeds are always visited. */
  readonly include?: readonly string[];
  /** A link must match none of these globs. */
  readonly exclude?: readonly string[];
  /** Whether to follow only links into the folders of the seeds. */
  readonly samePath?: boolean;
  readonly onProgress?: (progress: CrawlProgress) => void;
  /** Called for a page that a seed has moved to; whether another machine crawls that site from there. */
  readonly isCrawledElsewhere?: (url: string) => boolean;
  /** A host is left alone for a while, and its pages wait. */
  readonly onPause?: (pause: HostPause) => void;
  /** Aborting it ends the crawl early, with its summary; the frontier stays for the next run. */
  readonly signal?: AbortSignal;
  readonly sleep?: Sleep;
  readonly now?: Clock;
}

/**
 * Crawls sites breadth first from their seeds and stores their pages: hosts concurrently, one page at a time on each,
 * in the order of the distance from the seed, then of discovery. When storing fails, the crawl ends with a summary that
 * has the reason. Throws a `ServiceError`: `invalid_parameters` for a seed that is no http(s) URL, and that of the store
 * when even the first write fails.
 */
export async function crawl(options: CrawlOptions): Promise<CrawlSummary> {
  const { store, seeds, maxPages = Number.POSITIVE_INFINITY, maxDepth = Number.POSITIVE_INFINITY } = options;
  const { signal, sleep = realSleep, now = Date.now, onPause } = options;
  const scopes = seedsByHost(seeds);
  const run = runOf(store, scopes.keys());
  const frontiers: Frontier[] = [];
  for (const [scope, urls] of scopes)
    frontiers.push(await openFrontier({ store, scope, seeds: urls, maxDepth, maxPages, run }));
  const before = frontiers.reduce((sum, { pagesBefore }) => sum + pagesBefore, 0);
  const budget = createPageBudget(maxPages, before);
  const pages = frontiers.map(() => createHostPages(now));
  const tally = createTally({
    before,
    queued: () => frontiers.reduce((sum, frontier) => sum + frontier.queued(), 0),
    hosts: () => frontiers.filter((frontier) => frontier.queued() > 0).length,
    secondsLeft: () =>
      secondsLeft(
        frontiers.map((frontier, index) => ({
          queued: frontier.queued(),
          secondsPerPage: pages[index]?.secondsPerPage(),
        })),
        budget.remaining(),
      ),
    onProgress: options.onProgress,
  });

  const failure = new AbortController();
  const signals = signal ? [signal, failure.signal] : [failure.signal];
  const shared = { ...options, maxDepth, sleep, now, onPause, tally, budget, links: createLinkStore(store) };
  const runs = [...scopes.values()].map(async (hostSeeds, index) => {
    try {
      const [frontier, pace] = [frontiers[index] as Frontier, pages[index] as HostPages];
      await crawlHost({
        ...shared,
        seeds: hostSeeds,
        frontier,
        pages: pace,
        signal: AbortSignal.any(signals),
      });
    } catch (error) {
      // When the pages of one host cannot be stored, those of the others cannot either.
      failure.abort(error);
      throw error;
    }
  });
  const broken = (await Promise.allSettled(runs)).find((settled) => settled.status === 'rejected');
  const stopped = signal?.aborted ?? false;
  const isQueued = frontiers.some((frontier) => frontier.queued() > 0);
  const atMaxPages = !stopped && !broken && isQueued && budget.remaining() === 0;
  const summary = tally.summary({ stopped, atMaxPages });
  return broken ? { ...summary, storeFailure: storeFailureOf(broken.reason) } : summary;
}

function seedsByHost(seeds: readonly string[]): Map<string, string[]> {
  const scopes = new Map<string, string[]>();
  const wrong: string[] = [];
  for (const seed of seeds) {
    const url = canonicalUrl(seed);
    if (url === null) wrong.push(seed);
    else scopes.set(new URL(url).host, [...(scopes.get(new URL(url).host) ?? []), url]);
  }
  if (wrong.length > 0 || seeds.length === 0) {
    const message =
      wrong.length > 0
        ? `not an http(s) URL, such as https://example.com/: ${wrong.join(', ')}`
        : 'needs at least one URL';
    throw invalidParameters([{ parameter: 'url', message }]);
  }
  return scopes;
}
