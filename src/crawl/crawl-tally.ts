/** How far a crawl is, after each page that is done and committed. */
export interface CrawlProgress {
  readonly url: string;
  readonly stored: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly refusedByRobots: number;
  readonly failed: number;
  readonly queued: number;
}

/** What a crawl did. */
export interface CrawlSummary {
  readonly stored: number;
  readonly unchanged: number;
  /** Pages that were in the store and are no more: gone, moved, or not to be indexed. */
  readonly removed: number;
  readonly refusedByRobots: number;
  /** Reason -> how many URLs. */
  readonly failed: Readonly<Record<string, number>>;
  /** What is left for the next run. */
  readonly queued: number;
  /** Pages of the run that was cut short and that this one goes on with; they count towards `maxPages`. */
  readonly before: number;
  /** Whether it was ended by its signal. */
  readonly stopped: boolean;
}

export interface Tally {
  count(kind: 'stored' | 'unchanged' | 'removed' | 'refusedByRobots'): void;
  fail(reason: string): void;
  /** Tells whoever listens. */
  done(url: string): void;
  summary(stopped: boolean): CrawlSummary;
}

interface TallyOptions {
  readonly before: number;
  readonly queued: () => number;
  readonly onProgress: ((progress: CrawlProgress) => void) | undefined;
}

/** Counts what became of the pages of one crawl. */
export function createTally({ before, queued, onProgress }: TallyOptions): Tally {
  const counts = { stored: 0, unchanged: 0, removed: 0, refusedByRobots: 0 };
  const reasons = new Map<string, number>();
  let failed = 0;
  return {
    count: (kind) => {
      counts[kind] += 1;
    },
    fail(reason) {
      failed += 1;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    },
    done: (url) => onProgress?.({ url, ...counts, failed, queued: queued() }),
    summary: (stopped) => ({
      ...counts,
      failed: Object.fromEntries(reasons),
      queued: queued(),
      before,
      stopped,
    }),
  };
}
