import { jsonBytes } from '../async/json-bytes.ts';
import { createSingleFlightCache } from '../async/single-flight-cache.ts';
import { createTimeSlices } from '../async/time-slices.ts';
import type { PartialMatch, SearchParams } from '../contract/search.ts';
import type { IndexSearch, PageIndex } from '../index/page-index.ts';
import { loosenQuery } from '../query/bare-words.ts';
import type { Clock } from '../runtime.ts';
import type { PageSource } from '../store/loadable-pages.ts';
import { createLocalResult, loadResults } from './local-result.ts';
import { keepMs } from './local-search.ts';
import { heaviestWords } from './ranking/query-features.ts';
import { type RankedPage, type RankParts, rerankDepth, rerankHits } from './ranking/two-phase-ranking.ts';
import type { SearchBudget } from './search-budget.ts';

/** Minimum number of partial matches on the first page, if no local page has all words. */
export const minPartialMatches = 3;

/** The pages that have most of a query. The object is shared, so callers must not modify it. */
export interface PartialMatches {
  readonly matches: readonly PartialMatch[];
  /** The highest coverage of a page; see `PartialAnswer`. */
  readonly coverage: number;
  /** Words of the query that are on no page of the index, as they were typed. */
  readonly unknownWords: readonly string[];
}

export interface RankedPartialMatches extends Pick<PartialMatches, 'coverage' | 'unknownWords'> {
  readonly hits: readonly RankedPage[];
  readonly weights: ReadonlyMap<string, number>;
  /** The words that one of the hits lacks, as they were typed. */
  missingWords(id: string): string[];
}

/**
 * Ranks pages that lack some words of a query in both phases: the best `search.limit` of them, none twice and none with
 * all words. Undefined if the query has fewer than two words that a page may lack. The second phase reorders well-covered
 * pages among themselves, then the others, which rank after them and score below them.
 */
export async function rankPartialMatches(
  parts: RankParts,
  search: IndexSearch,
): Promise<RankedPartialMatches | undefined> {
  const { limit: wanted, ...filters } = search;
  const loosened = loosenQuery(search.query);
  if (!loosened) return undefined;
  const typed = (indexes: readonly number[]) =>
    indexes.flatMap((index) => loosened.words[index]?.typed ?? []);
  const partial = await parts.index.partialMatches({ ...filters, loosened, pause: parts.pause });
  const { well, rest, coverage, unknown, missing } = partial;
  const weights = heaviestWords(search.query, partial.weights);
  const order = { query: search.query, weights, lang: search.prefer?.lang };
  const first = await rerankHits(parts, well, { ...order, wanted, depth: rerankDepth });
  const others = await rerankHits(parts, rest, {
    ...order,
    wanted: wanted - first.length,
    depth: Math.max(0, rerankDepth - well.length),
  });
  return {
    hits: [...first, ...below(others, first)],
    coverage,
    weights,
    unknownWords: typed(unknown),
    missingWords: (id) => typed(missing(id)),
  };
}

/** The second list, its scores scaled below those of the first, so that both together are in order of score. */
function below(others: readonly RankedPage[], first: readonly RankedPage[]): RankedPage[] {
  const lowest = first.at(-1)?.score;
  const highest = others[0]?.score;
  if (lowest === undefined || highest === undefined || highest <= lowest) return [...others];
  const coverage = lowest / highest;
  return others.map((hit) => ({
    ...hit,
    score: hit.score * coverage,
    factors: () => ({ ...hit.factors(), coverage }),
  }));
}

export interface PartialSearchParts {
  readonly pages: PageSource;
  readonly index: PageIndex;
  readonly now: Clock;
}

/** The partial matches from `start` to before `end`. */
export interface PartialRange {
  readonly start: number;
  readonly end: number;
}

export type FindPartialMatches = (
  params: SearchParams,
  search: IndexSearch,
  range: PartialRange,
  options: { readonly signal?: AbortSignal | undefined; readonly budget: SearchBudget },
) => Promise<PartialMatches>;

const maxCachedBytes = 4 * 1024 * 1024;
const none: PartialMatches = { matches: [], coverage: 0, unknownWords: [] };

/**
 * Finds and ranks the pages that have most of a query, and makes their snippets; cached as local results are. All ranges
 * are of the same list.
 */
export function createPartialSearch({ pages, index, now }: PartialSearchParts): FindPartialMatches {
  const answers = createSingleFlightCache<PartialMatches>({
    ttlMs: () => keepMs,
    bytesOf: jsonBytes,
    maxBytes: maxCachedBytes,
    now,
  });

  return (params, search, { start, end }, { signal, budget }) => {
    const make = async (shared: AbortSignal): Promise<PartialMatches> => {
      const pause = createTimeSlices({ signal: shared });
      const store = pages.open();
      const ranked = await rankPartialMatches(
        { index, store, now, budget, pause },
        { ...search, limit: end },
      );
      if (!ranked) return none;
      shared.throwIfAborted();
      const { coverage, unknownWords } = ranked;
      const matches: PartialMatch[] = [];
      const pageHits = ranked.hits.slice(start);
      await loadResults(store, pageHits, { weights: ranked.weights, budget });
      const result = createLocalResult({ store, hasLlmsTxt: pages.hasLlmsTxt });
      for (const [position, hit] of pageHits.entries()) {
        const [made] = result(hit, ranked.weights, { budget, remaining: pageHits.length - position });
        if (made) matches.push({ ...made, missing_words: ranked.missingWords(hit.id) });
        await pause();
      }
      return { matches, coverage, unknownWords };
    };
    const key = JSON.stringify([params, start, end, index.answersKey()]);
    return answers.get(key, make, signal);
  };
}
