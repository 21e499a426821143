import type { Page } from '../page.ts';
import type { LoosenedQuery } from '../query/bare-words.ts';
import type { Query, Word } from '../query/query.ts';
import type { PerField } from './bm25f.ts';

/** What the index is asked: a query tree and the filters that are not part of `q`. */
export interface IndexSearch {
  readonly query: Query;
  /** Only pages of this primary language subtag. */
  readonly lang?: string;
  /** Only pages crawled at or after this time, epoch milliseconds. */
  readonly crawledSince?: number;
  /** Multiplies the score of one language's pages; never changes what matches. */
  readonly prefer?: { readonly lang: string; readonly factor: number };
  /** How many of the best hits are wanted; the total counts all. */
  readonly limit: number;
  /** Whether hits are to tell the parts of their scores. */
  readonly explain?: boolean;
}

export interface IndexHit {
  readonly id: string;
  /** BM25F over the whole index, times the preference. Greater is better; 0 where the query has no words. */
  readonly score: number;
  readonly crawledAt: number;
  /** What each term adds to the score, before the preference; where the search asked for it. */
  readonly parts?: ReadonlyMap<string, number>;
}

export interface IndexAnswer {
  /** How many pages match, exactly. */
  readonly total: number;
  /** Best first; equal scores by newer crawl, then by id. */
  readonly hits: readonly IndexHit[];
  /** How much each term of the query counts, exact forms and stems: for snippets and for the second phase. */
  readonly weights: ReadonlyMap<string, number>;
}

/** Best first; what scores alike by newer crawl, then by id, so that no page of results repeats or skips a hit. */
export function byRank(a: IndexHit, b: IndexHit): number {
  return b.score - a.score || b.crawledAt - a.crawledAt || (a.id < b.id ? -1 : 1);
}

/** What the index is asked for pages that lack some words of a query; scores are those of the whole query. */
export interface PartialSearch extends Omit<IndexSearch, 'limit'> {
  readonly loosened: LoosenedQuery;
}

/**
 * Pages that lack some of the words, at most `maxPartialMatches`. None that holds all of them, and none with less than
 * `leastShare` of the coverage of the one that has most. Coverage is the idf of the words that a page holds, as a share of the
 * idf of those that any page holds: 0 to 1.
 */
export interface PartialAnswer {
  /** Those with a coverage of `wellCovered` and more, best first. */
  readonly well: readonly IndexHit[];
  /** The others, best first; they stand below all of `well`, whatever their scores. */
  readonly rest: readonly IndexHit[];
  /** The highest coverage; 0 when no page is found. */
  readonly coverage: number;
  readonly weights: ReadonlyMap<string, number>;
  /** The words that no page holds, by their place in the query. */
  readonly unknown: readonly number[];
  /** The words that one of the pages lacks, by their place in the query. */
  missing(id: string): number[];
}

/** One entry of the store's change log with what the index needs of it. */
export type IndexChange =
  | { readonly seq: number; readonly kind: 'put'; readonly page: Page }
  | { readonly seq: number; readonly kind: 'remove'; readonly id: string };

export interface IndexStats {
  readonly pages: number;
  /** Of these, the pages that are not packed yet. */
  readonly livePages: number;
  readonly segments: number;
  /** The change log is applied up to this entry. */
  readonly seq: number;
  /** And is packed up to this one. */
  readonly packedSeq: number;
  /** What is packed cannot be used, or was packed by an older version: the next packing mends it. */
  readonly needsPacking: boolean;
  /** The mean length of each field that scores are normalised by. */
  readonly averageLengths: PerField;
}

/** A question for words that are spelt like another one. */
export interface SimilarWordsSearch {
  /** An index term; for what is no word of letters the answer is empty. */
  readonly word: string;
  /** In letters left out, added, replaced or swapped with their neighbour. */
  readonly maxDistance: number;
  /** Only words that at least this many pages hold. */
  readonly minPages: number;
  /** How many words are wanted at most. */
  readonly limit: number;
}

export interface SimilarWord {
  /** As `indexTerms` gives it, and as people type it: no stem, no bigram, no compound. */
  readonly term: string;
  readonly distance: number;
  /** How many pages hold it; pages that were replaced or removed since they were packed may count. */
  readonly pages: number;
}

/** Which pages hold these words, and how well? The store is the truth, an index is a cache of it. */
export interface PageIndex {
  search(search: IndexSearch): Promise<IndexAnswer>;
  partialMatches(search: PartialSearch): Promise<PartialAnswer>;
  /** How much it tells that a page holds the words of each list: an idf; 0 where one of them stands on no page. */
  rarities(words: readonly (readonly Word[])[]): number[];
  /** Other words of pages that are spelt like this one: the nearest first, of equally near ones that of more pages. */
  similarWords(search: SimilarWordsSearch): Promise<SimilarWord[]>;
  /** Takes changes in the order of their `seq`; a `seq` that was applied before is skipped. */
  apply(changes: readonly IndexChange[]): Promise<void>;
  /** Takes over now what was packed meanwhile, which otherwise happens within a fraction of a second. */
  refresh(): Promise<void>;
  stats(): IndexStats;
  close(): Promise<void>;
}
