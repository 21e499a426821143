/** Ranges of items one after the other, one for each term. In a damaged file they may be any numbers, `NaN` included. */
export interface Ranges {
  /** Where the range of a term begins. */
  start(term: number): number;
  /** The number of items in the range of a term. */
  count(term: number): number;
}

/** Ranges of which the long ones have a form of their own. */
export interface LongRanges extends Ranges {
  /** The number of long ranges. */
  readonly longCount: number;
  /** The number of long ranges before a term. */
  longBefore(term: number): number;
}

/** Ranges by their offsets, one more than there are ranges. */
export class OffsetRanges implements Ranges {
  private readonly offsets: Uint32Array;

  constructor(offsets: Uint32Array) {
    this.offsets = offsets;
  }

  start(term: number): number {
    return this.offsets[term] as number;
  }

  count(term: number): number {
    return (this.offsets[term + 1] as number) - (this.offsets[term] as number);
  }
}

/** Where the range of a term ends. */
export function endOf(ranges: Ranges, term: number): number {
  return ranges.start(term) + ranges.count(term);
}
