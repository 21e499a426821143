import { createCommitVisit } from '../commit-visit.ts';
import { createSitemapDates, type SitemapDates } from '../site/sitemap-dates.ts';
import { createLinkFilter, type LinkFilter } from '../url/link-filter.ts';
import { createUrlScope, type UrlScope } from '../url/url-scope.ts';
import { createCommitQueue } from './commit-queue.ts';
import type { HostCrawl } from './host-crawl.ts';
import { createHostSteps, onHosts } from './host-steps.ts';

/** URLs of a sitemap that one transaction queues: one of all 50,000 would hold up everything else. */
const urlsPerWrite = 500;

/**
 * Crawls the frontier of one host until it is empty, the budget is used up, the host wants a rest, or the signal ends
 * it. Rejects when storing fails.
 */
export async function crawlHost(crawl: HostCrawl): Promise<void> {
  const { frontier, budget, store, tally, now, signal } = crawl;
  const commits = createCommitQueue({ store, commitVisit: createCommitVisit(crawl) });
  const isWanted = createUrlFilter(crawl);
  const filter = createLinkFilter({ isWanted, tally, now });
  const dates = createSitemapDates(crawl);
  const steps = createHostSteps(crawl, { commits, isWanted, filter, dates });
  const isOver = (): boolean => signal.aborted || commits.failure() !== undefined || steps.isAtRest();
  try {
    if (!frontier.isOver) await queueListedUrls(crawl, filter, dates);
    while (!isOver() && (await budget.reserve())) {
      let counts = false;
      try {
        const attempt = await steps.next();
        if (attempt === undefined) break;
        counts = await steps.run(attempt);
      } finally {
        budget.settle(counts);
      }
      await commits.room();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await commits.settled();
  }
  const failure = commits.failure();
  if (failure !== undefined) throw failure.error;
  if (steps.isAtRest()) await steps.noteUnanswered();
  if (!signal.aborted && (!steps.isAtRest() || frontier.queued() === 0))
    await store.write(frontier.endRun().write);
}

/** Queues what llms.txt and the sitemaps name. Both are requested once, before the first page. */
async function queueListedUrls(crawl: HostCrawl, filter: LinkFilter, dates: SitemapDates): Promise<void> {
  const { seeds, frontier, store, signal, checkLlmsTxt, sitemapUrls, maxDepth, tally } = crawl;
  const [seed = ''] = seeds;
  const named = (await checkLlmsTxt?.(seed, signal)) ?? [];
  if (maxDepth < 1) return;
  const listed = (await sitemapUrls?.(seed, signal, tally.sitemapGap)) ?? [];
  dates.add(listed);
  const urls = onHosts(frontier, [...listed.map(({ url }) => url), ...named]);
  const urlsInScope = filter(urls, { from: seed, depth: 1 });
  for (let start = 0; start < urlsInScope.length; start += urlsPerWrite) {
    const change = frontier.add(urlsInScope.slice(start, start + urlsPerWrite), 1);
    await store.write(change.write);
    change.committed();
  }
}

/** The scope of the crawl, also after its seeds have moved. */
function createUrlFilter({
  include = [],
  exclude = [],
  samePath = false,
  seeds,
  frontier,
}: HostCrawl): UrlScope {
  const { homes } = frontier;
  const open = () => createUrlScope({ include, exclude, samePath, seeds: [...seeds, ...homes] });
  let homeCount = homes.size;
  let scope = open();
  return (url) => {
    if (homes.size !== homeCount) scope = open();
    homeCount = homes.size;
    return scope(url);
  };
}
