import type { StatusReport } from '../../contract/status-report.ts';
import { frontierTables } from '../../crawl/frontier-tables.ts';
import type { Clock } from '../../runtime.ts';
import type { PageStore } from '../../store/page-store.ts';

interface Sample {
  readonly pages: number;
  readonly at: number;
}

/** A pace is taken over at least this time, and over three times as long at most. */
const minPaceMs = 5000;
const minuteMs = 60_000;

/**
 * Returns the function that reads the crawls of a store that have not visited all that they found. The pace of a running one
 * comes from how many pages it had some seconds ago; it is null at first, and after a pause of those who ask.
 */
export function createCrawlReports(store: PageStore, now: Clock): () => StatusReport['crawls'] {
  const { crawls } = frontierTables(store);
  const samples = new Map<string, { readonly before: Sample; readonly latest: Sample }>();

  const paceOf = (host: string, pages: number): number | null => {
    const at = now();
    const known = samples.get(host);
    const isUsable =
      known !== undefined && at - known.latest.at <= 3 * minPaceMs && pages >= known.latest.pages;
    const { before, latest } = isUsable ? known : { before: { pages, at }, latest: { pages, at } };
    if (at - latest.at >= minPaceMs || !isUsable)
      samples.set(host, { before: latest, latest: { pages, at } });
    const tookMs = at - before.at;
    return tookMs < minPaceMs ? null : Math.round(((pages - before.pages) / tookMs) * minuteMs);
  };

  return () =>
    [...crawls.entries()].flatMap(([host, { running, queued, pages }]) => {
      if (!running) samples.delete(host);
      if (!running && queued === 0) return [];
      const pace = running ? paceOf(host, pages) : null;
      const end = pace === null || pace === 0 ? null : now() + (queued / pace) * minuteMs;
      return {
        host,
        is_running: running,
        pages,
        queued,
        pages_per_minute: pace,
        expected_end: end === null ? null : new Date(end).toISOString(),
      };
    });
}
