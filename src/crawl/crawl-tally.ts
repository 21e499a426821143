import { type ErrorCode, ServiceError } from '../contract/errors.ts';
import type { SitemapGap } from './site/sitemap.ts';

/** How far a crawl is, after each page that is done and committed. */
export interface CrawlProgress {
  readonly url: string;
  /** What became of it: `stored`, `unchanged`, `removed`, or why it gave no page of its own. */
  readonly outcome: string;
  readonly stored: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly refusedByRobots: number;
  readonly failed: number;
  readonly queued: number;
  /** Hosts that still have pages to be visited. */
  readonly hosts: number;
  /** Until what is queued is visited or the limit of pages is reached; absent while the pace is not known. */
  readonly secondsLeft?: number;
}

/** A host that was left before its pages were done. */
export interface UnfinishedHost {
  readonly host: string;
  readonly why: string;
  /** Epoch milliseconds before which it is not asked again. */
  readonly until: number;
}

/** What a crawl did. */
export interface CrawlSummary {
  readonly stored: number;
  readonly unchanged: number;
  /** Pages that were in the store and are no more: gone, moved, or not to be indexed. */
  readonly removed: number;
  readonly refusedByRobots: number;
  /** URLs that are another page, which is visited by itself or out of reach: how it was said -> how many. */
  readonly moved: Readonly<Record<string, number>>;
  /** Reason -> how many URLs. */
  readonly failed: Readonly<Record<string, number>>;
  /** The first few URLs for each key of `moved` and `failed`, and for `refused by robots.txt`. */
  readonly examples: Readonly<Record<string, readonly string[]>>;
  /** Links that the site asks not to follow. */
  readonly nofollowed: number;
  readonly left: readonly UnfinishedHost[];
  /** Sitemaps that were not read, or not to their end, and why. */
  readonly sitemaps: readonly SitemapGap[];
  /** What is left for the next run. */
  readonly queued: number;
  /** Pages of the run that was cut short and that this one goes on with; they count towards `maxPages`. */
  readonly before: number;
  /** Whether it was ended by its signal. */
  readonly stopped: boolean;
  /** Whether it ended because its limit of pages was reached, with URLs left. */
  readonly atMaxPages: boolean;
  /** Why nothing more could be stored, which ended it; missing where all was. */
  readonly storeFailure?: StoreFailure;
}

/** What ended a crawl or an import early: the code of the refusal, and its words. */
export interface StoreFailure {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What a summary says of an error that ended the work; throws what is no refusal of the store. */
export function storeFailureOf(error: unknown): StoreFailure {
  const isOfStore =
    error instanceof ServiceError && (error.code === 'storage_full' || error.code === 'unavailable');
  if (!isOfStore) throw error;
  return { code: error.code, message: error.message };
}

export interface Tally {
  count(kind: 'stored' | 'unchanged' | 'removed' | 'nofollowed', by?: number): void;
  /** A URL that gave no page of its own, and why. */
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

/** Counts what became of the pages of one crawl. */
export function createTally({ before, queued, hosts, secondsLeft, onProgress }: TallyOptions): Tally {
  const counts = { stored: 0, unchanged: 0, removed: 0, nofollowed: 0 };
  const totals = { failed: 0, moved: 0, refusedByRobots: 0 };
  const reasons = { failed: new Map<string, number>(), moved: new Map<string, number>() };
  const examples = new Map<string, string[]>();
  const left: UnfinishedHost[] = [];
  const sitemaps: SitemapGap[] = [];
  let last = 'visited';
  return {
    count(kind, by = 1) {
      counts[kind] += by;
      if (by > 0 && kind !== 'nofollowed') last = kind;
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
