import { jsonBytes } from '../async/json-bytes.ts';
import { createSingleFlightCache } from '../async/single-flight-cache.ts';
import { createTimeSlices } from '../async/time-slices.ts';
import type { SearchParams, SearchResult } from '../contract/search.ts';
import type { IndexSearch, PageIndex } from '../index/page-index.ts';
import type { Clock } from '../runtime.ts';
import type { PageSource } from '../store/loadable-pages.ts';
import { createLocalResult, loadResults } from './local-result.ts';
import { type OnPhase, startPhaseTimer } from './phase-timer.ts';
import { type RankedPage, rank } from './ranking/two-phase-ranking.ts';
import { createSearchBudget, type SearchBudget } from './search-budget.ts';

/** One page of local results. The object is shared, so callers must not modify it. */
export interface LocalAnswer {
  /** How many pages match. */
  readonly total: number;
  /** The best matches, up to the end of the requested page. */
  readonly hits: readonly Pick<RankedPage, 'id' | 'score'>[];
  /** The results of the requested page. */
  readonly results: readonly SearchResult[];
}

export interface LocalSearchParts {
  readonly pages: PageSource;
  readonly index: PageIndex;
  readonly now: Clock;
  /** Called for the phases of searches that are not answered from the cache. */
  readonly onPhase?: OnPhase | undefined;
}

/** `search` is the search of the index for `params`. Rejects with the signal's reason. */
export type LocalSearch = (
  params: SearchParams,
  search: IndexSearch,
  options?: LocalSearchOptions,
) => Promise<LocalAnswer>;

export interface LocalSearchOptions {
  readonly signal?: AbortSignal | undefined;
  /** The budget of the whole search, if more work than this follows. */
  readonly budget?: SearchBudget;
}

/** How long an answer is cached; the same as for HTTP caches. Time ranges and freshness may be this much out of date. */
export const keepMs = 15_000;
const maxCachedBytes = 16 * 1024 * 1024;

/**
 * Finds and ranks local results, and makes their snippets. The second phase and the snippets are most of a search's cost,
 * so answers are cached for a while. The key has the state of the index: each change and each packing invalidates them.
 */
export function createLocalSearch({ pages, index, now, onPhase }: LocalSearchParts): LocalSearch {
  const answers = createSingleFlightCache<LocalAnswer>({
    ttlMs: () => keepMs,
    bytesOf: jsonBytes,
    maxBytes: maxCachedBytes,
    now,
  });

  const make = async (
    offset: number,
    search: IndexSearch,
    { signal, budget }: { readonly signal: AbortSignal; readonly budget: SearchBudget },
  ): Promise<LocalAnswer> => {
    const endPhase = startPhaseTimer(onPhase);
    const pause = createTimeSlices({ signal });
    const store = pages.open();
    const { total, hits, weights } = await rank({ index, store, now, lap: endPhase, budget, pause }, search);
    endPhase('rerank');
    signal.throwIfAborted();
    const results: SearchResult[] = [];
    const pageHits = hits.slice(offset);
    await loadResults(store, pageHits, { weights, budget });
    const result = createLocalResult({ store, hasLlmsTxt: pages.hasLlmsTxt });
    for (const [position, hit] of pageHits.entries()) {
      results.push(...result(hit, weights, { budget, remaining: pageHits.length - position }));
      await pause();
    }
    const answer = { total, hits: hits.map(({ id, score }) => ({ id, score })), results };
    endPhase('results');
    return answer;
  };

  return (params, search, { signal, budget = createSearchBudget() } = {}) => {
    const key = JSON.stringify([params, index.answersKey()]);
    return answers.get(key, (shared) => make(params.offset, search, { signal: shared, budget }), signal);
  };
}
