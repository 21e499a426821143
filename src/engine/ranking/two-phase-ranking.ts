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
import { readQuestion } from './query-features.ts';
import { type Candidate, type Factors, type RankedHit, rerank } from './rerank.ts';
import { textSourceRule } from './text-source.ts';

export interface Ranked {
  readonly id: string;
  readonly score: number;
  /** What each rule of the second phase did; empty for hits beyond its reach. */
  readonly factors: Factors;
  /** The first phase's score, and what each term added to it where the search asked for it. */
  readonly indexScore: number;
  readonly parts: ReadonlyMap<string, number>;
  /** The page, where the second phase has read it. */
  readonly read?: PageBeginning | undefined;
  /** The terms of `weights` in its body, where the second phase has found them all. */
  readonly found?: readonly FoundTerm[] | undefined;
}

export interface RankedAnswer {
  readonly total: number;
  readonly hits: readonly Ranked[];
  readonly weights: IndexAnswer['weights'];
}

/** So many of the best hits are looked at again. Always, whatever page of results is asked for, so that paging is stable. */
export const rerankDepth = 40;

/** And so much of each body, so that a few very long pages do not hold a search up. */
const rerankedLength = 40_000;
/** And so much of its headings. */
const headingsLength = 20_000;
/** And each word of the query so many times: a page that holds it more often is about it wherever one looks. */
const oftenEnough = 50;

export interface RankParts {
  readonly index: PageIndex;
  readonly store: PageStore;
  readonly now: Clock;
  readonly lap?: EndPhase;
  /** What the whole search may do; one of its own where nothing else is to come. */
  readonly budget?: SearchBudget;
  readonly pause?: Pause;
}

/** Both phases of the ranking: the index finds and scores, then the best few dozen are ordered anew. */
export async function rank(parts: RankParts, search: IndexSearch): Promise<RankedAnswer> {
  const answer = await parts.index.search({ ...search, limit: Math.max(search.limit, rerankDepth) });
  parts.lap?.('match');
  const hits = await orderAnew(parts, answer.hits, {
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
  /** How many of the best are wanted. */
  readonly wanted: number;
  /** How many of the hits are looked at again. */
  readonly depth: number;
  /** Primary subtag of the language of pages that is preferred; that of the query without. */
  readonly lang?: string | undefined;
}

/** The second phase: the best `wanted` of hits that the index has put in order. */
export async function orderAnew(
  { store, now, budget = createSearchBudget(), pause }: RankParts,
  hits: readonly IndexHit[],
  { query, weights, wanted, depth, lang }: Order,
): Promise<Ranked[]> {
  const question = readQuestion(query, weights, lang);
  const best = hits.slice(0, depth);
  let toCome = depth;
  /** Those that hold every place of the terms in a body. */
  const complete = new Set<readonly FoundTerm[]>();
  const candidates = best.flatMap((hit): Candidate[] => {
    const head = store.head(hit.id);
    if (!head) return [];
    const find = (text: string, most?: number) =>
      findTerms(text, question.weights, head.lang, oftenEnough, most);
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
    const source = textSourceRule(head.url, question, (id) => store.head(id) !== undefined);
    let inPlace: readonly FoundTerm[] | undefined;
    const findPlace = () => {
      inPlace ??= find(placeOf(head));
      return inPlace;
    };
    return [{ hit, head, inTitle: find(head.title), inPlace: findPlace, source, read }];
  });
  const reranked =
    question.totalWeight === 0
      ? candidates.flatMap(asItIs)
      : await rerank(candidates, question, now(), Math.min(wanted, depth), pause);
  const hasLookedForAll = question.weights === weights;
  const lowest = Math.min(...reranked.map(({ score }) => score), Number.POSITIVE_INFINITY);
  const ordered = [
    ...reranked.map(({ hit, read, score, factors }) => {
      const found = read && hasLookedForAll && complete.has(read.inBody) ? read.inBody : undefined;
      return { ...ranked(hit, score, factors), read, found };
    }),
    // What the second phase did not reach stays below what it did, in the order that it had.
    ...hits.slice(depth).map((hit) => ranked(hit, Math.min(hit.score, lowest), {})),
  ];
  return ordered.slice(0, wanted);
}

/** What says what a page is about, beside its text. */
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

/** Whether no word was found so often that it was not looked for any more. */
function isEveryPlace(inBody: readonly FoundTerm[]): boolean {
  if (inBody.length < oftenEnough) return true;
  const counts = new Map<string, number>();
  for (const { word } of inBody) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts.values()].every((count) => count < oftenEnough);
}

function ranked(
  { id, score: indexScore, parts = new Map() }: IndexHit,
  score: number,
  factors: Factors,
): Ranked {
  return { id, score, factors, indexScore, parts };
}
