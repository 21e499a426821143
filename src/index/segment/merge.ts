import type { Segment } from './reader.ts';

export interface MergeSource {
  readonly segment: Segment;
  /** Page numbers that are to be left out: bit `page & 7` of byte `page >> 3`. */
  readonly dead?: Uint8Array;
}

/**
 * The bytes of the segment that `buildSegment` would make of the living pages of all sources, without their texts.
 * Throws `RangeError` when the sources were packed with different averages, when more than 65,536 pages are left,
 * and when two living pages have one id.
 */
export function mergeSegments(_sources: readonly MergeSource[]): Uint8Array<ArrayBuffer> {
  throw new Error('not there yet');
}
