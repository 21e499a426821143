import type { Pause } from '../async/time-slices.ts';
import type { Page, PageHead } from '../page.ts';
import type { LoosenedQuery } from '../query/bare-words.ts';
import type { Query, Word } from '../query/query.ts';
import type { PerField } from './bm25f.ts';
import type { PageMarks } from './page-marks.ts';

/** A search of the index: a query tree and the filters that are not part of `q`. */
export interface IndexSearch {
  readonly query: Query;
  /** Only pages of this primary language subtag. */
  readonly lang?: string;
  /** Only pages crawled at or after this time, epoch milliseconds. */
  readonly crawledSince?: number;
  /** Without pages that were read with credentials. */
  readonly publicOnly?: boolean;
  /** Multiplies the score of one language's pages; never changes what matches. */
  readonly prefer?: { readonly lang: string; readonly factor: number };
  /** Maximum number of hits; the total counts all matches. */
  readonly limit: number;
  /** Whether hits come with the parts of their scores. */
  readonly explain?: boolean;
  /** Called between segments. By default, a search does not give way to others. */
  readonly pause?: Pause | undefined;
}

export interface IndexHit {
  readonly id: string;
  /** BM25F over the whole index, times the preference. Greater is better; 0 if the query has no words. */
  readonly score: number;
  readonly crawledAt: number;
  /** What each term adds to the score, before the preference. Only with `explain`. */
  readonly parts?: ReadonlyMap<string, number>;
  /** What is stored of the page for ranking and snippets; absent for pages that are not packed with marks. */
  readonly marks?: PageMarks | undefined;
  /** Only of an index in a cluster that has the heads, too. */
  readonly head?: PageHead;
}

export interface IndexAnswer {
  /** How many pages match, exactly. */
  readonly total: number;
  /** Best first; equal scores by newer crawl, then by id. */
  readonly hits: readonly IndexHit[];
  /** The weight of each term of the query, exact forms and stems: for snippets and for the second phase. */
  readonly weights: ReadonlyMap<string, number>;
}

/** Best first; equal scores by newer crawl, then by id, so that no page of results repeats or skips a hit. */
export function byRank(a: IndexHit, b: IndexHit): number {
  return b.score - a.score || b.crawledAt - a.crawledAt || (a.id < b.id ? -1 : 1);
}

/** A search for pages that lack some words of a query. Scores are those of the whole query. */
export interface PartialSearch extends Omit<IndexSearch, 'limit'> {
  readonly loosened: LoosenedQuery;
}

/**
 * Pages that lack some of the words, at most `maxPartialMatches`. No page that has all words, and none with less than half
 * of the highest coverage. Coverage is the sum of the idf of the words that a page has, divided by that of the words that
 * any page has: 0 to 1.
 */
export interface PartialAnswer {
  /** Pages with a coverage of at least `wellCovered`, best first. */
  readonly well: readonly IndexHit[];
  /** The others, best first. They rank below all of `well`, whatever their scores. */
  readonly rest: readonly IndexHit[];
  /** The highest coverage; 0 if no page matches. */
  readonly coverage: number;
  readonly weights: ReadonlyMap<string, number>;
  /** The words that no page has, by their index in the query. */
  readonly unknown: readonly number[];
  /** The words that one of the pages lacks, by their index in the query. */
  missing(id: string): number[];
}

/** One entry of the store's change log, with the page for the index. */
export type IndexChange =
  | { readonly seq: number; readonly kind: 'put'; readonly page: Page }
  | { readonly seq: number; readonly kind: 'remove'; readonly id: string };

export interface IndexStats {
  readonly pages: number;
  /** Pages of these that are not packed yet. */
  readonly livePages: number;
  readonly segments: number;
  /** Segments of these that are mapped into memory, not held by it. */
  readonly mappedSegments: number;
  /** The change log is applied up to this entry. */
  readonly seq: number;
  /** The change log is packed up to this entry. */
  readonly packedSeq: number;
  /** The packed index is unusable or from an older version. The next packing repairs it. */
  readonly needsPacking: boolean;
  /** The mean length of each field, by which scores are normalized. */
  readonly averageLengths: PerField;
}

/** Of an index that is not opened yet. */
export const noStats: IndexStats = {
  pages: 0,
  livePages: 0,
  segments: 0,
  mappedSegments: 0,
  seq: 0,
  packedSeq: 0,
  needsPacking: false,
  averageLengths: [0, 0, 0, 0],
};

/** A search for words with a similar spelling. */
export interface SimilarWordsSearch {
  /** An index term. The answer is empty if it is not a word of letters. */
  readonly word: string;
  /** Maximum edit distance: letters left out, added, replaced or swapped with their neighbor. */
  readonly maxDistance: number;
  /** Only words that are on at least this many pages. */
  readonly minPages: number;
  /** Maximum number of words. */
  readonly limit: number;
}

export interface SimilarWord {
  /** As `indexTerms` returns it: a word as people type it, no stem, bigram or compound. */
  readonly term: string;
  readonly distance: number;
  /** The number of pages with it; pages that were replaced or removed since they were packed may count. */
  readonly pages: number;
}

/** Which pages hold these words, and how well? The store is the truth, an index is a cache of it. */
export interface PageIndex {
  search(search: IndexSearch): Promise<IndexAnswer>;
  partialMatches(search: PartialSearch): Promise<PartialAnswer>;
  /** For each list of words: the idf of its rarest word; 0 if one of the words is on no page. */
  rarities(words: readonly (readonly Word[])[]): Promise<number[]>;
  /** Words of pages with a similar spelling: the nearest first, equally near ones by their number of pages. */
  similarWords(search: SimilarWordsSearch): Promise<SimilarWord[]>;
  /** Applies changes in the order of their `seq`. Changes that were applied before are skipped. */
  apply(changes: readonly IndexChange[]): Promise<void>;
  /** Adopts new segments now. Without it, this happens within a fraction of a second. */
  refresh(): Promise<void>;
  /** As of now; of an index in a cluster, as this process last heard. */
  stats(): IndexStats;
  /** Another text whenever answers may differ by more than a few seconds of changes: for caches of answers. */
  answersKey(): string;
  close(): Promise<void>;
}
