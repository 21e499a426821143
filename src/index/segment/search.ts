import type { IndexSearch } from '../page-index.ts';
import type { Segment } from './reader.ts';
import type { TopK } from './top-k.ts';

export interface SegmentSearch extends Omit<IndexSearch, 'limit' | 'explain'> {
  /** How much each term counts, exact forms and stems: idf times share. */
  readonly weights: ReadonlyMap<string, number>;
  /** Page numbers that are to be left out: bit `page & 7` of byte `page >> 3`. */
  readonly dead?: Uint8Array;
  /** Takes the best matches; several segments may share it. */
  readonly top: TopK;
}

/** Offers every match to `top` and returns how many there are. */
export function searchSegment(_segment: Segment, _search: SegmentSearch): number {
  throw new Error('not there yet');
}
