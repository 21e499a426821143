import type { IndexAnswer, IndexHit, IndexSearch, PageIndex } from '../index/page-index.ts';
import type { Clock } from '../outside.ts';
import type { Page } from '../page.ts';
import type { PageStore } from '../store/page-store.ts';
import { type FoundTerm, findTerms } from '../text/find-terms.ts';
import type { Lap } from './laps.ts';
import { readQuestion } from './question.ts';
import { type Candidate, type Factors, type RankedHit, rerank } from './rerank.ts';

export interface Ranked {
  readonly id: string;
  readonly score: number;
  /** What each rule of the second phase did; empty for hits beyond its reach. */
  readonly factors: Factors;
  /** The first phase's score, and what each term added to it where the search asked for it. */
  readonly indexScore: number;
  readonly parts: ReadonlyMap<string, number>;
  /** The page, where the second phase has read it. */
  readonly page?: Page;
  /** The terms of `weights` in its body, where the second phase has found them all. */
  readonly found?: readonly FoundTerm[] | undefined;
}

export interface RankedAnswer {
  readonly total: number;
  readonly hits: readonly Ranked[];
  readonly weights: IndexAnswer['weights'];
}

/** So many of the best hits are looked at again. Always, whatever page of results is asked for, so that paging is stable. */
export const rerankDepth = 30;

/** And so much of each body, so that a few very long pages do not hold a search up. */
const rerankedLength = 20_000;
/** And each word of the query so many times: a page that holds it more often is about it wherever one looks. */
const oftenEnough = 50;

export interface RankParts {
  readonly index: PageIndex;
  readonly store: PageStore;
  readonly now: Clock;
  readonly lap?: Lap;
}

/** Both phases of the ranking: the index finds and scores, then the best few dozen are ordered anew. */
export async function rank(
  { index, store, now, lap }: RankParts,
  search: IndexSearch,
): Promise<RankedAnswer> {
  const answer = await index.search({ ...search, limit: Math.max(search.limit, rerankDepth) });
  lap?.('match');
  const question = readQuestion(search.query, answer.weights);
  const best = answer.hits.slice(0, rerankDepth);
  const candidates = best.flatMap((hit): Candidate[] => {
    const head = store.head(hit.id);
    if (!head) return [];
    const find = (text: string) => findTerms(text, question.weights, head.lang, oftenEnough);
    const read = () => {
      const page = store.page(hit.id);
      return page && { page, inBody: find(page.body.slice(0, rerankedLength)) };
    };
    return [{ hit, head, inTitle: find(head.title), read }];
  });
  const reranked =
    question.totalWeight === 0
      ? candidates.flatMap(asItIs)
      : rerank(candidates, question, now(), Math.min(search.limit, rerankDepth));
  const hasLookedForAll = question.weights === answer.weights;
  const lowest = Math.min(...reranked.map(({ score }) => score), Number.POSITIVE_INFINITY);
  const hits = [
    ...reranked.map(({ hit, page, inBody, score, factors }) => {
      const found = hasLookedForAll && isAll(inBody, page) ? inBody : undefined;
      return { ...ranked(hit, score, factors), page, found };
    }),
    // What the second phase did not reach stays below what it did, in the order that it had.
    ...answer.hits.slice(rerankDepth).map((hit) => ranked(hit, Math.min(hit.score, lowest), {})),
  ];
  return { total: answer.total, hits: hits.slice(0, search.limit), weights: answer.weights };
}

function asItIs({ hit, read }: Candidate): RankedHit[] {
  const page = read();
  return page ? [{ ...page, hit, score: hit.score, factors: {} }] : [];
}

/** Whether the body has no more of the terms than were found in what was read of it. */
function isAll(inBody: readonly FoundTerm[], { body }: Page): boolean {
  if (body.length > rerankedLength) return false;
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
