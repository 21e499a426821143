import type { PerField } from '../bm25f.ts';

/** One packed segment: views over the bytes of its file. */
export interface Segment {
  readonly pageCount: number;
  /** The averages that the impacts were computed with. */
  readonly averageLengths: PerField;
}

export type OpenedSegment =
  | { readonly kind: 'segment'; readonly segment: Segment }
  | { readonly kind: 'damaged'; readonly why: string };

/** Reads a segment file; a torn, foreign or hostile one is `damaged`, never a throw. */
export function openSegment(_bytes: ArrayBufferLike): OpenedSegment {
  throw new Error('not there yet');
}

/** How many pages of the segment hold a term, dead ones included. */
export function documentFrequency(_segment: Segment, _term: string): number {
  throw new Error('not there yet');
}
