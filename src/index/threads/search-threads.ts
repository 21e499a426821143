import type { PartNow } from '../tiers.ts';
import {
  createSearchThread,
  type SearchThreadOptions,
  type ThreadAnswer,
  type ThreadRequest,
} from './search-thread.ts';

/** Segments that a thread was asked to search. */
export interface SearchShare {
  readonly parts: readonly PartNow[];
  /** Undefined if the thread failed: the segments are to be searched by the caller. */
  readonly answer: Promise<ThreadAnswer | undefined>;
}

/** Segments by who searches them. */
export interface DividedSearch {
  readonly here: readonly PartNow[];
  readonly shares: readonly SearchShare[];
}

export interface SearchThreads {
  /** Asks each free thread to search its share of the segments, if the search reads enough postings. */
  divide(
    parts: readonly PartNow[],
    search: Pick<ThreadRequest, 'search' | 'limit'>,
    postings: number,
  ): DividedSearch;
  close(): Promise<void>;
}

/** Opens the threads for the packed index in a folder. */
export type OpenSearchThreads = (indexFolder: string) => SearchThreads;

export interface SearchThreadsOptions extends SearchThreadOptions {
  /** Number of threads. */
  readonly count: number;
  /** A search that reads fewer postings is not shared. */
  readonly minPostings?: number;
}

/** To read this many postings takes at least two milliseconds. */
const dearPostings = 500_000;

/**
 * Threads that share the work of dear searches with the one that calls. A thread starts when it is first wanted, is used once
 * it is ready, and ends when it was long not needed. Each segment always belongs to the same thread, or to the caller, so that
 * its tables are in memory once. Segments that are not mapped are the caller's.
 */
export function createSearchThreads({
  count,
  minPostings = dearPostings,
  ...options
}: SearchThreadsOptions): SearchThreads {
  const threads = Array.from({ length: count }, () => createSearchThread(options));
  return {
    divide: (parts, search, postings) => {
      if (postings < minPostings) return { here: parts, shares: [] };
      const mapped = parts.filter(({ isMapped }) => isMapped);
      const shares = threads.flatMap((thread, number): SearchShare[] => {
        const own = mapped.filter((_, index) => index % (count + 1) === number + 1);
        if (own.length === 0) return [];
        const asked = own.map(({ file, identity, dead }) => ({ file, identity, dead }));
        const answer = thread.ask({ ...search, parts: asked });
        return answer ? [{ parts: own, answer }] : [];
      });
      const elsewhere = new Set(shares.flatMap((share) => share.parts));
      return { here: parts.filter((part) => !elsewhere.has(part)), shares };
    },
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
