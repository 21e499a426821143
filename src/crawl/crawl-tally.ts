import { type ErrorCode, ServiceError } from '../contract/errors.ts';
import type { SitemapGap } from './site/sitemap.ts';

/** The progress of a crawl, after each page that is committed. */
export interface CrawlProgress {
  readonly url: string;
  /** The result: `stored`, `unchanged`, `removed`, or why there is no page. */
  readonly outcome: string;
  readonly stored: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly refusedByRobots: number;
  readonly failed: number;
  readonly queued: number;
  /** Hosts that still have pages to be visited. */
  readonly hosts: number;
  /** Until the queue is visited or the limit of pages is reached; absent while the pace is unknown. */
  readonly secondsLeft?: number;
}

/** A host that was left before its pages were done. */
export interface UnfinishedHost {
  readonly host: string;
  readonly why: string;
  /** Epoch milliseconds before which it is not requested again. */
  readonly until: number;
}

/** What a crawl did. */
export interface CrawlSummary {
  readonly stored: number;
  readonly unchanged: number;
  /** Of the stored and unchanged ones: pages that a browser drew. */
  readonly rendered: number;
  /** Pages that left the store: gone, moved, or not to be indexed. */
  readonly removed: number;
  readonly refusedByRobots: number;
  /** URLs that lead to another page, which has its own visit or is out of scope: kind of move -> number of URLs. */
  readonly moved: Readonly<Record<string, number>>;
  /** Reason -> number of URLs. */
  readonly failed: Readonly<Record<string, number>>;
  /** The first few URLs for each key of `moved` and `failed`, and for `refused by robots.txt`. */
  readonly examples: Readonly<Record<string, readonly string[]>>;
  /** Links that the site asks not to follow. */
  readonly nofollowed: number;
  readonly left: readonly UnfinishedHost[];
  /** Sitemaps that were not read, or only in part, and why. */
  readonly sitemaps: readonly SitemapGap[];
  /** URLs that remain for the next run. */
  readonly queued: number;
  /** Pages of the interrupted run that this one carries on; they count towards `maxPages`. */
  readonly before: number;
  /** Whether the signal ended it. */
  readonly stopped: boolean;
  /** Whether it ended at its limit of pages, with URLs queued. */
  readonly atMaxPages: boolean;
  /** Why storing failed, which ended the crawl; absent otherwise. */
  readonly storeFailure?: StoreFailure;
}

/** The error of the store that ended a crawl or an import early. */
export interface StoreFailure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The error as part of a summary; throws it again when it does not come from the store. */
export function storeFailureOf(error: unknown): StoreFailure {
  const isOfStore =
    error instanceof ServiceError && (error.code === 'storage_full' || error.code === 'unavailable');
  if (!isOfStore) throw error;
  return { code: error.code, message: error.message };
}

export interface Tally {
  count(kind: 'stored' | 'unchanged' | 'rendered' | 'removed' | 'nofollowed', by?: number): void;
  /** Counts a URL without a page, and why. */
  outcome(kind: 'failed' | 'moved' | 'refusedByRobots', why: string, url: string): void;
  leaveHost(left: UnfinishedHost): void;
  sitemapGap(gap: SitemapGap): void;
  /** Reports a URL, right after its outcome was counted. */
  done(url: string): void;
  summary(ended: Pick<CrawlSummary, 'stopped' | 'atMaxPages'>): CrawlSummary;
}

interface TallyOptions {
  readonly before: number;
  readonly queued: () => number;
  readonly hosts: () => number;
  readonly secondsLeft?: () => number | undefined;
  readonly onProgress: ((progress: CrawlProgress) => void) | undefined;
}

const maxExamples = 3;

/** Counts the results of one crawl. */
export function createTally({ before, queued, hosts, secondsLeft, onProgress }: TallyOptions): Tally {
  const counts = { stored: 0, unchanged: 0, rendered: 0, removed: 0, nofollowed: 0 };
  const totals = { failed: 0, moved: 0, refusedByRobots: 0 };
  const reasons = { failed: new Map<string, number>(), moved: new Map<string, number>() };
  const examples = new Map<string, string[]>();
  const left: UnfinishedHost[] = [];
  const sitemaps: SitemapGap[] = [];
  let last = 'visited';
  return {
    count(kind, by = 1) {
      counts[kind] += by;
      if (by > 0 && kind !== 'nofollowed' && kind !== 'rendered') last = kind;
    },
    outcome(kind, why, url) {
      last = why;
      totals[kind] += 1;
      if (kind !== 'refusedByRobots') reasons[kind].set(why, (reasons[kind].get(why) ?? 0) + 1);
      const shown = examples.get(why) ?? [];
      if (shown.length < maxExamples) examples.set(why, [...shown, url]);
    },
    leaveHost: (host) => left.push(host),
    sitemapGap: (gap) => sitemaps.push(gap),
    done(url) {
      const { stored, unchanged, removed } = counts;
      const { failed, refusedByRobots } = totals;
      const seconds = secondsLeft?.();
      onProgress?.({
        url,
        outcome: last,
        stored,
        unchanged,
        removed,
        refusedByRobots,
        failed,
        queued: queued(),
        hosts: hosts(),
        ...(seconds !== undefined && { secondsLeft: Math.ceil(seconds) }),
      });
      last = 'visited';
    },
    summary: (ended) => ({
      ...counts,
      refusedByRobots: totals.refusedByRobots,
      moved: Object.fromEntries(reasons.moved),
      failed: Object.fromEntries(reasons.failed),
      examples: Object.fromEntries(examples),
      left,
      sitemaps,
      queued: queued(),
      before,
      ...ended,
    }),
  };
}
