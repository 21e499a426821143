import { sleep as realSleep, type Sleep } from '../async/sleep.ts';
import type { Clock } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';
import type { PageWriter } from '../store/page-writer.ts';
import { createCommitVisit } from './commit-visit.ts';
import { type CrawlProgress, type CrawlSummary, createTally, storeFailureOf } from './crawl-tally.ts';
import { createHostRests } from './fetch/host-rests.ts';
import type { FrontierChange } from './frontier.ts';
import { createLinkStore } from './link-store.ts';
import { createSchedule } from './schedule.ts';
import type { Visitor } from './visit.ts';

export interface RecrawlOptions {
  readonly store: PageStore;
  readonly pageWriter: PageWriter;
  readonly visitor: Visitor;
  /** Only pages of these hosts (`URL.host`); all when not given. */
  readonly hosts?: ReadonlySet<string>;
  /** Maximum visits, whatever their results; no limit when not given. */
  readonly maxPages?: number;
  /** Hosts that are visited concurrently, each of them one page at a time; 64 when not given. */
  readonly maxConcurrentHosts?: number;
  /** Pause after each page, in addition to the pace of its host; 0 when not given. */
  readonly pauseSeconds?: number;
  readonly onProgress?: (progress: CrawlProgress) => void;
  readonly signal?: AbortSignal;
  readonly now?: Clock;
  readonly sleep?: Sleep;
}

/** A recrawl has no frontier: the next crawl follows new links. */
const noChange: FrontierChange = { write: () => {}, committed: () => {} };

/** Pages of a host in a row without an answer before its other pages stay due. */
const maxFailuresInARow = 5;
const defaultMaxConcurrentHosts = 64;

/**
 * Visits the stored pages that are due, on each host in the order of their time: `crawledAt` of unchanged pages moves,
 * changed pages are stored again, pages that are gone leave the index at once. The pages of a host that asks for a pause
 * stay due. When storing fails, the recrawl ends with a summary that has the reason.
 */
export async function recrawl(options: RecrawlOptions): Promise<CrawlSummary> {
  const { store, pageWriter, visitor, hosts, maxPages = Number.POSITIVE_INFINITY, signal } = options;
  const { maxConcurrentHosts = defaultMaxConcurrentHosts, pauseSeconds = 0, onProgress } = options;
  const { now = Date.now, sleep = realSleep } = options;
  const byHost = dueByHost(store, now(), hosts, maxPages);
  let queued = [...byHost.values()].reduce((sum, urls) => sum + urls.length, 0);
  let hostsLeft = byHost.size;
  const links = createLinkStore(store);
  const tally = createTally({ before: 0, queued: () => queued, hosts: () => hostsLeft, onProgress });
  const commitVisit = createCommitVisit({ store, pageWriter, visitor, links, tally, now });

  const visitHost = async (host: string, urls: readonly string[]): Promise<void> => {
    const within = (url: string) => new URL(url).host === host;
    let failures = 0;
    for (const url of urls) {
      if (signal?.aborted) return;
      const followed = await visitor.visit(url, { signal, within });
      const { visit } = followed;
      failures = visit.kind === 'later' && !visit.answered ? failures + 1 : 0;
      if (visit.kind === 'later' && (visit.wholeHost || failures >= maxFailuresInARow)) {
        tally.leaveHost({ host, why: visit.why, until: now() + visit.seconds * 1000 });
        return;
      }
      queued -= 1;
      const scopedLinks = 'links' in visit ? (visit.links ?? []).filter(within) : [];
      const entry = { key: '', url, depth: 0 };
      await commitVisit({ ...followed, entry, movedTo: [], links: scopedLinks }, noChange, Promise.resolve());
      if (pauseSeconds > 0) await sleep(pauseSeconds * 1000, signal);
    }
  };

  const waiting = [...byHost];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await visitHost(...next);
      hostsLeft -= 1;
    }
  };
  const lanes = Array.from({ length: Math.min(maxConcurrentHosts, waiting.length) }, lane);
  const broken = (await Promise.allSettled(lanes)).find((run) => run.status === 'rejected');
  const summary = tally.summary({ stopped: signal?.aborted ?? false, atMaxPages: false });
  if (broken === undefined || signal?.aborted) return summary;
  return { ...summary, storeFailure: storeFailureOf(broken.reason) };
}

function dueByHost(
  store: PageStore,
  now: number,
  hosts: ReadonlySet<string> | undefined,
  maxPages: number,
): Map<string, string[]> {
  const byHost = new Map<string, string[]>();
  const rests = createHostRests(store);
  const isAtRest = (host: string): boolean => {
    const { askedUntil = 0, asleepUntil = 0 } = rests.of(host) ?? {};
    return Math.max(askedUntil, asleepUntil) > now;
  };
  let count = 0;
  for (const { url } of createSchedule(store).due(now)) {
    if (count >= maxPages) break;
    const { host } = new URL(url);
    if (hosts !== undefined && !hosts.has(host)) continue;
    const urls = byHost.get(host);
    if (urls === undefined && isAtRest(host)) continue;
    count += 1;
    if (urls === undefined) byHost.set(host, [url]);
    else urls.push(url);
  }
  return byHost;
}
