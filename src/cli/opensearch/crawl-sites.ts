import type { Crawler } from '../../app/crawler.ts';
import type { Division } from '../../app/division.ts';
import type { Config } from '../../config/config.ts';
import type { CrawlOptions } from '../../crawl/crawl.ts';
import type { CrawlSummary } from '../../crawl/crawl-tally.ts';
import { canonicalUrl } from '../../crawl/url/canonical-url.ts';
import type { Log } from '../../runtime.ts';

/** Undefined where one machine crawls all hosts. */
export async function openDivisionOf({ cluster }: Config, log: Log): Promise<Division | undefined> {
  if (!cluster?.part) return undefined;
  const { openDivision } = await import('../../app/division.ts');
  return openDivision({ cluster, log, now: Date.now });
}

/**
 * Crawls sites; where several machines crawl, those of this one's hosts and those that others have handed over to it, and
 * hands the others over. Undefined if no site is left for this machine.
 */
export async function crawlSites(
  crawler: Crawler,
  division: Division | undefined,
  options: Parameters<Crawler['crawl']>[0] & Pick<CrawlOptions, 'signal'>,
): Promise<CrawlSummary | undefined> {
  if (!division) return crawler.crawl(options);
  // What is no URL is refused by the crawl.
  const isOfOthers = (seed: string): boolean => {
    const url = canonicalUrl(seed);
    return url !== null && !division.isOwn(url);
  };
  const { seeds, signal } = options;
  await division.giveSites(seeds.filter(isOfOthers));
  const sites = await division.sites();
  const own = [...seeds.filter((seed) => !isOfOthers(seed)), ...sites.map(({ url }) => url)];
  const summary =
    own.length === 0
      ? undefined
      : await crawler.crawl({
          ...options,
          seeds: own,
          isCrawledElsewhere: (url) => {
            if (division.isOwn(url)) return false;
            division.giveSite(url);
            return true;
          },
        });
  // A crawl that was cut short takes them up again.
  const isDone = summary && !summary.stopped && !summary.atMaxPages && !summary.storeFailure;
  if (isDone) await division.takeSites(sites);
  if (summary && !isDone) return summary;
  for (const url of await division.takePages()) await crawler.visitAndKeep(url, signal);
  return summary;
}
