import type { IndexAnswer, IndexHit, IndexSearch, PageIndex } from '../../index/page-index.ts';
import type { PageHead } from '../../page.ts';
import type { Query } from '../../query/query.ts';
import type { Clock } from '../../runtime.ts';
import type { PageBeginning } from '../../store/page/beginnings.ts';
import type { PageStore } from '../../store/page-store.ts';
import { type FoundTerm, findTerms } from '../../text/find-terms.ts';
import type { EndPhase } from '../phase-timer.ts';
import { createSearchBudget, type SearchBudget } from '../search-budget.ts';
import type { Pause } from '../time-slices.ts';
import { queryFeatures } from './query-features.ts';
import { type Candidate, type Factors, type RankedHit, rerank } from './rerank.ts';
import { textSourceRule } from './text-source.ts';

export interface RankedPage {
  readonly id: string;
  readonly score: number;
  /** The factor of each rule of the second phase; empty for hits that it did not reach. */
  readonly factors: Factors;
  /** The first phase's score, and the part of each term in it if the search requested parts. */
  readonly indexScore: number;
  readonly parts: ReadonlyMap<string, number>;
  /** The page, if the second phase has read it. */
  readonly read?: PageBeginning | undefined;
  /** All matches of `weights` in its body, if the second phase has found them all. */
  readonly found?: readonly FoundTerm[] | undefined;
}

export interface RankedAnswer {
  readonly total: number;
  readonly hits: readonly RankedPage[];
  readonly weights: IndexAnswer['weights'];
}

/**
 * Number of hits that the second phase reorders. It is the same for every page of results, so that paging is stable. The
 * words of a dotted name stand on every page of its package, so the page about it may be far down.
 */
export const rerankDepth = 80;

/** Number of bodies that share the matches of a search: fewer are read, and snippets need the rest. */
const maxMatchShares = 40;

/** Maximum length of a body that is scanned, in UTF-16 units, so that a few very long pages do not delay a search. */
const rerankedLength = 40_000;
/** Maximum length of the headings that are scanned, in UTF-16 units. */
const headingsLength = 20_000;
/** Maximum number of matches of each query word in a page: more of them do not change the score. */
const maxOccurrencesPerWord = 50;

export interface RankParts {
  readonly index: PageIndex;
  readonly store: PageStore;
  readonly now: Clock;
  readonly lap?: EndPhase;
  /** The budget of the whole search; by default a new one for the ranking alone. */
  readonly budget?: SearchBudget;
  readonly pause?: Pause;
}

/** Both phases of the ranking: the index finds and scores, then the best few dozen hits are reordered. */
export async function rank(parts: RankParts, search: IndexSearch): Promise<RankedAnswer> {
  const answer = await parts.index.search({ ...search, limit: Math.max(search.limit, rerankDepth) });
  parts.lap?.('match');
  const hits = await rerankHits(parts, answer.hits, {
    query: search.query,
    weights: answer.weights,
    wanted: search.limit,
    depth: rerankDepth,
    lang: search.prefer?.lang,
  });
  return { total: answer.total, hits, weights: answer.weights };
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
  const best = hits.slice(0, depth);
  let toCome = Math.min(depth, maxMatchShares);
  /** Lists of matches that are complete for their body. */
  const complete = new Set<readonly FoundTerm[]>();
  const candidates = best.flatMap((hit): Candidate[] => {
    const head = store.head(hit.id);
    if (!head) return [];
    const find = (text: string, most?: number) =>
      findTerms(text, features.weights, head.lang, maxOccurrencesPerWord, most);
    const read = () => {
      const most = budget.share('matches', toCome--);
      if (budget.remaining('readCharacters') === 0) return 'unread';
      const beginning = store.beginning(hit.id);
      if (!beginning) return 'removed';
      const { body } = beginning.page;
      const looked = body.slice(0, Math.min(rerankedLength, budget.remaining('scannedCharacters')));
      const inBody = find(looked, most);
      const isWhole = looked.length === beginning.bodyLength;
      budget.spend('readCharacters', body.length);
      budget.spend('scannedCharacters', looked.length);
      budget.spend('matches', inBody.length);
      const isAll = isWhole && inBody.length < most;
      if (isAll && isEveryPlace(inBody)) complete.add(inBody);
      const inHeadings = find(beginning.page.headings.slice(0, headingsLength), most);
      return { ...beginning, inBody, inHeadings };
    };
    const source = textSourceRule(head.url, features, (id) => store.head(id) !== undefined);
    let inPlace: readonly FoundTerm[] | undefined;
    const findPlace = () => {
      inPlace ??= find(placeOf(head));
      return inPlace;
    };
    return [{ hit, head, inTitle: find(head.title), inPlace: findPlace, source, read }];
  });
  const reranked =
    features.totalWeight === 0
      ? candidates.flatMap(asItIs)
      : await rerank(candidates, features, now(), Math.min(wanted, depth), pause);
  const hasLookedForAll = features.weights === weights;
  const lowest = Math.min(...reranked.map(({ score }) => score), Number.POSITIVE_INFINITY);
  const ordered = [
    ...reranked.map(({ hit, read, score, factors }) => {
      const found = read && hasLookedForAll && complete.has(read.inBody) ? read.inBody : undefined;
      return { ...ranked(hit, score, factors), read, found };
    }),
    // Hits that the second phase did not reach stay below the others, in their order.
    ...hits.slice(depth).map((hit) => ranked(hit, Math.min(hit.score, lowest), {})),
  ];
  return ordered.slice(0, wanted);
}

/** The texts that say what a page is about, except its body. */
function placeOf({ url, title, siteName }: PageHead): string {
  const { host, pathname } = new URL(url);
  return `${title}\n${siteName ?? ''}\n${host} ${readablePath(pathname)}`;
}

function readablePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

function asItIs({ hit, read }: Candidate): RankedHit[] {
  const page = read();
  if (page === 'removed') return [];
  return [{ read: page === 'unread' ? undefined : page, hit, score: hit.score, factors: {} }];
}

/** Whether no word reached the maximum number of matches. */
function isEveryPlace(inBody: readonly FoundTerm[]): boolean {
  if (inBody.length < maxOccurrencesPerWord) return true;
  const counts = new Map<string, number>();
  for (const { word } of inBody) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts.values()].every((count) => count < maxOccurrencesPerWord);
}

function ranked(
  { id, score: indexScore, parts = new Map() }: IndexHit,
  score: number,
  factors: Factors,
): RankedPage {
  return { id, score, factors, indexScore, parts };
}
