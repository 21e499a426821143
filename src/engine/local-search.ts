import { createSingleFlightCache } from '../async/single-flight-cache.ts';
import type { SearchParams, SearchResult } from '../contract/search.ts';
import type { IndexSearch, PageIndex } from '../index/page-index.ts';
import type { Clock } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';
import { createLocalResult } from './local-result.ts';
import { type OnPhase, startPhaseTimer } from './phase-timer.ts';
import { type Ranked, rank } from './ranking/two-phase-ranking.ts';
import { createSearchBudget, type SearchBudget } from './search-budget.ts';
import { createTimeSlices } from './time-slices.ts';

/** What the index knows of a page of results. It is shared, so callers must not write into it. */
export interface LocalAnswer {
  /** How many pages match. */
  readonly total: number;
  /** The best of them, to the end of the page that was asked for. */
  readonly hits: readonly Pick<Ranked, 'id' | 'score'>[];
  /** The page that was asked for. */
  readonly results: readonly SearchResult[];
}

export interface LocalSearchParts {
  readonly store: PageStore;
  readonly index: PageIndex;
  readonly hasLlmsTxt: (url: string) => boolean;
  readonly now: Clock;
  /** Told of the phases of searches that are made, not of those whose answer is there. */
  readonly onPhase?: OnPhase | undefined;
}

/** `search` is what the index is to be asked for `params`. Rejects with the signal's reason. */
export type LocalSearch = (
  params: SearchParams,
  search: IndexSearch,
  options?: LocalSearchOptions,
) => Promise<LocalAnswer>;

export interface LocalSearchOptions {
  readonly signal?: AbortSignal | undefined;
  /** What the whole search may do, where more of it is to come. */
  readonly budget?: SearchBudget;
}

/** As long as HTTP caches may keep a search: time ranges and the freshness of pages are that much out of date. */
export const keepMs = 15_000;
const maxCachedBytes = 16 * 1024 * 1024;
/** For what holds an answer in the cache, besides its texts. */
export const frameBytes = 512;

/**
 * Finds, orders and dresses local results. The same question to the same state of the index has the same answer for
 * a while, since the second phase and the snippets are most of what a search costs; any change of the index that is
 * seen, and any packing, makes new ones.
 */
export function createLocalSearch({ store, index, hasLlmsTxt, now, onPhase }: LocalSearchParts): LocalSearch {
  const answers = createSingleFlightCache<LocalAnswer>({
    ttlMs: () => keepMs,
    bytesOf: (answer) => 2 * JSON.stringify(answer).length + frameBytes,
    maxBytes: maxCachedBytes,
    now,
  });

  const result = createLocalResult({ store, hasLlmsTxt });

  const make = async (
    offset: number,
    search: IndexSearch,
    { signal, budget }: { readonly signal: AbortSignal; readonly budget: SearchBudget },
  ): Promise<LocalAnswer> => {
    const endPhase = startPhaseTimer(onPhase);
    const pause = createTimeSlices({ signal });
    const { total, hits, weights } = await rank({ index, store, now, lap: endPhase, budget, pause }, search);
    endPhase('rerank');
    signal.throwIfAborted();
    const results: SearchResult[] = [];
    const pageHits = hits.slice(offset);
    for (const [index, hit] of pageHits.entries()) {
      results.push(...result(hit, weights, { budget, remaining: pageHits.length - index }));
      await pause();
    }
    // A string that was cut from a page's text may hold all of it in memory; its copy does not.
    const answer = structuredClone({ total, hits: hits.map(({ id, score }) => ({ id, score })), results });
    endPhase('results');
    return answer;
  };

  return (params, search, { signal, budget = createSearchBudget() } = {}) => {
    const key = JSON.stringify([params, index.stats()]);
    return answers.get(key, (shared) => make(params.offset, search, { signal: shared, budget }), signal);
  };
}
