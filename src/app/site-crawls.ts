import { ServiceError } from '../contract/errors.ts';
import type { CrawlSummary } from '../crawl/crawl-tally.ts';
import { refusedByRobots } from '../crawl/visit.ts';
import type { CrawlSite, SiteCrawlReport } from '../engine/site-crawl.ts';
import { fullAfterReturn, fullAfterTake, type Rate, waitMs } from '../limits/gcra.ts';
import type { Clock } from '../runtime.ts';
import type { Visits } from './crawler.ts';

type CrawlsSites = Pick<Visits, 'crawl'>;

export interface SiteCrawlsParts {
  readonly crawler: () => Promise<CrawlsSites & { readonly anonymous: CrawlsSites }>;
  readonly now: Clock;
  /** For one call: less than the timeout of MCP clients, 60 s. */
  readonly timeoutMs?: number;
}

/** Pages that clients may have crawled, all together. */
export const siteCrawlRate: Rate = { perMinute: 20, burst: 200 };
const defaultTimeoutMs = 45_000;
const busySeconds = 10;
const maxUrls = 20;

/** Crawls for the clients of this process, one at a time, with a budget of their own: an agent must not fill a disk. */
export function createSiteCrawls({ crawler, now, timeoutMs = defaultTimeoutMs }: SiteCrawlsParts): CrawlSite {
  let isBusy = false;
  let fullAt = 0;

  const take = (pages: number): void => {
    const wait = waitMs(siteCrawlRate, fullAt, now(), pages);
    if (wait > 0)
      throw new ServiceError('rate_limited', 'too many pages were crawled for clients in the last minutes', {
        retryAfterSeconds: wait / 1000,
      });
    fullAt = fullAfterTake(siteCrawlRate, fullAt, now(), pages);
  };

  return async ({ url, maxPages, samePath, isAnonymous = false }, { signal, onProgress } = {}) => {
    if (isBusy)
      throw new ServiceError('unavailable', 'another crawl is under way, and one at a time is done', {
        retryAfterSeconds: busySeconds,
      });
    take(maxPages);
    isBusy = true;
    let read = 0;
    try {
      onProgress?.(`Looking at ${URL.canParse(url) ? new URL(url).host : url}`);
      const late = AbortSignal.timeout(timeoutMs);
      const urls: string[] = [];
      const own = await crawler();
      const summary = await (isAnonymous ? own.anonymous : own).crawl({
        seeds: [url],
        maxPages,
        samePath,
        signal: signal ? AbortSignal.any([signal, late]) : late,
        onProgress: ({ url: visited, outcome, stored, unchanged, queued }) => {
          read = stored + unchanged;
          const isPage = outcome === 'stored' || outcome === 'unchanged';
          if (isPage && urls.length < maxUrls) urls.push(visited);
          onProgress?.(`${read} of ${maxPages} pages, ${queued} queued: ${visited}`);
        },
      });
      signal?.throwIfAborted();
      if (summary.storeFailure && summary.stored === 0)
        throw new ServiceError(summary.storeFailure.code, summary.storeFailure.message);
      return reportOf(summary, urls, timeoutMs);
    } finally {
      fullAt = fullAfterReturn(siteCrawlRate, fullAt, now(), Math.max(0, maxPages - read));
      isBusy = false;
    }
  };
}

function reportOf(summary: CrawlSummary, urls: readonly string[], timeoutMs: number): SiteCrawlReport {
  const { stored, unchanged, queued, failed, moved, examples, left, storeFailure } = summary;
  const reasons: Record<string, number> = { ...failed, ...moved };
  if (summary.refusedByRobots > 0) reasons[refusedByRobots] = summary.refusedByRobots;
  const ended =
    storeFailure?.message ??
    left[0]?.why ??
    (summary.stopped ? `${timeoutMs / 1000} seconds were over` : undefined) ??
    (summary.atMaxPages ? 'max_pages was reached' : undefined);
  return {
    stored,
    unchanged,
    urls,
    notStored: Object.entries(reasons)
      .sort(([, a], [, b]) => b - a)
      .map(([why, count]) => ({ why, count, urls: examples[why] ?? [] })),
    queued,
    ...(ended !== undefined && { ended }),
  };
}
