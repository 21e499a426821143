import { k1 } from '../bm25f.ts';
import type { IndexSearch } from '../page-index.ts';
import { findTerm } from './dictionary.ts';
import { noPage, type PostingCursor } from './matcher.ts';
import { planMatcher, postings } from './plan.ts';
import { isInSet, type Segment } from './reader.ts';
import type { TopK } from './top-k.ts';

export interface SegmentSearch extends Omit<IndexSearch, 'limit' | 'explain'> {
  /** How much each term counts, exact forms and stems: idf times share. */
  readonly weights: ReadonlyMap<string, number>;
  /** Page numbers that are to be left out: bit `page & 7` of byte `page >> 3`. */
  readonly dead?: Uint8Array;
  /** Takes the best matches; several segments may share it. */
  readonly top: TopK;
}

/** What one step of an impact adds to the term-frequency part of a score, of which `k1 + 1` is the most. */
export const impactStep = (k1 + 1) / 255;

/**
 * Offers every match to `top` and returns how many there are. Scores are those of BM25F with the segment's averages,
 * but for the impact's byte: off by `impactStep` times the weight at most for each term, by half of it where the
 * impact is not 1.
 */
export function searchSegment(segment: Segment, search: SegmentSearch): number {
  const { prefer, dead, top } = search;
  const { crawlTimes, langs, impacts } = segment;
  const matcher = planMatcher(segment, search);
  const scored = scoredTerms(segment, search.weights);
  const preferred = prefer ? segment.langCodes.indexOf(prefer.lang) : -1;
  const factor = prefer?.factor ?? 1;
  let total = 0;
  for (let page = matcher.seek(0); page !== noPage; page = matcher.seek(page + 1)) {
    if (dead && isInSet(dead, page)) continue;
    total++;
    let score = 0;
    for (const { cursor, weight } of scored) {
      if (cursor.seek(page) === page) score += weight * (impacts[cursor.position] as number);
    }
    if (langs[page] === preferred) score *= factor;
    top.offer(score, crawlTimes[page] as number, segment, page);
  }
  return total;
}

/** What each term adds to a page's score, before the preference. */
export function scoreParts(
  segment: Segment,
  page: number,
  weights: ReadonlyMap<string, number>,
): Map<string, number> {
  const parts = new Map<string, number>();
  for (const { term, cursor, weight } of scoredTerms(segment, weights)) {
    if (cursor.seek(page) === page) {
      parts.set(term, weight * (segment.impacts[cursor.position] as number));
    }
  }
  return parts;
}

/** The terms that score, in the order of their weights, so that equal pages of two segments score alike. */
function scoredTerms(
  segment: Segment,
  weights: ReadonlyMap<string, number>,
): { term: string; cursor: PostingCursor; weight: number }[] {
  return [...weights].flatMap(([term, weight]) => {
    const number = findTerm(segment, term);
    if (number < 0) return [];
    return [{ term, cursor: postings(segment, number, segment.postingOffsets), weight: weight * impactStep }];
  });
}
