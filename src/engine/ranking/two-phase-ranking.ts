import type { Pause } from '../../async/time-slices.ts';
import type { IndexAnswer, IndexHit, IndexSearch, PageIndex } from '../../index/page-index.ts';
import type { PageMarks } from '../../index/page-marks.ts';
import type { Query } from '../../query/query.ts';
import type { Clock } from '../../runtime.ts';
import type { LoadablePages } from '../../store/loadable-pages.ts';
import type { EndPhase } from '../phase-timer.ts';
import { createSearchBudget, type SearchBudget } from '../search-budget.ts';
import type { Factors } from './candidate.ts';
import { candidatesOf, loadCandidates } from './candidates.ts';
import { heaviestWords, queryFeatures } from './query-features.ts';
import { rerank } from './rerank.ts';

export interface RankedPage {
  readonly id: string;
  readonly score: number;
  /** The factor of each rule of the second phase; empty for hits that it did not reach. */
  readonly factors: () => Factors;
  /** The first phase's score, and the part of each term in it if the search requested parts. */
  readonly indexScore: number;
  readonly parts: ReadonlyMap<string, number>;
  /** The marks of the page, if the index keeps them or the second phase has read the page. */
  readonly marks?: PageMarks | undefined;
}

export interface RankedAnswer {
  readonly total: number;
  readonly hits: readonly RankedPage[];
  /** Of the words that the second phase looked for. */
  readonly weights: IndexAnswer['weights'];
}

/**
 * Number of hits that the second phase reorders. It is the same for every page of results, so that paging is stable. The
 * words of a dotted name stand on every page of its package, so the page about it may be far down.
 */
export const rerankDepth = 80;

export interface RankParts {
  readonly index: PageIndex;
  readonly store: LoadablePages;
  readonly now: Clock;
  readonly lap?: EndPhase;
  /** The budget of the whole search; by default a new one for the ranking alone. */
  readonly budget?: SearchBudget;
  readonly pause?: Pause;
}

/** Both phases of the ranking: the index finds and scores, then the best few dozen hits are reordered. */
export async function rank(parts: RankParts, search: IndexSearch): Promise<RankedAnswer> {
  const limit = Math.max(search.limit, rerankDepth);
  const answer = await parts.index.search({ ...search, limit, pause: parts.pause });
  parts.lap?.('match');
  const weights = heaviestWords(search.query, answer.weights);
  const hits = await rerankHits(parts, answer.hits, {
    query: search.query,
    weights,
    wanted: search.limit,
    depth: rerankDepth,
    lang: search.prefer?.lang,
  });
  return { total: answer.total, hits, weights };
}

export interface Order extends Pick<IndexAnswer, 'weights'> {
  readonly query: Query;
  /** Number of hits to return. */
  readonly wanted: number;
  /** Number of hits that are reordered. */
  readonly depth: number;
  /** Primary subtag of the preferred language of pages; by default that of the query. */
  readonly lang?: string | undefined;
}

/** The second phase: reorders hits of the index and returns the best `wanted` of them. */
export async function rerankHits(
  { store, now, budget = createSearchBudget(), pause }: RankParts,
  hits: readonly IndexHit[],
  { query, weights, wanted, depth, lang }: Order,
): Promise<RankedPage[]> {
  const features = queryFeatures(query, weights, lang);
  await loadCandidates(store, hits.slice(0, depth), features);
  const candidates = candidatesOf(hits, features, { store, budget, depth });
  const reranked =
    features.totalWeight === 0
      ? candidates.map(({ hit }) => ({ hit, marks: undefined, score: hit.score, factors: noFactors }))
      : await rerank(candidates, features, now(), Math.min(wanted, depth), pause, store.loadTexts);
  const lowest = Math.min(...reranked.map(({ score }) => score), Number.POSITIVE_INFINITY);
  const ordered = [
    ...reranked.map(({ hit, marks, score, factors }) => {
      return { ...ranked(hit, score, factors), marks: marks ?? hit.marks };
    }),
    // Hits that the second phase did not reach stay below the others, in their order.
    ...hits.slice(depth).map((hit) => ranked(hit, Math.min(hit.score, lowest), noFactors)),
  ];
  return ordered.slice(0, wanted);
}

const noParts: RankedPage['parts'] = new Map();
const noFactors = (): Factors => ({});

function ranked(
  { id, score: indexScore, parts = noParts, marks }: IndexHit,
  score: number,
  factors: RankedPage['factors'],
): RankedPage {
  return { id, score, factors, indexScore, parts, marks };
}
