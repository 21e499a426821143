import type { LongRanges } from './ranges.ts';
import type { RankedBits } from './ranked-bits.ts';

/** Ranges of the terms that are marked, which begin at `first`; all others are empty. */
export class TitleRanges implements LongRanges {
  private readonly marked: RankedBits;
  private readonly ranges: LongRanges;
  private readonly first: number;

  constructor(marked: RankedBits, ranges: LongRanges, first: number) {
    this.marked = marked;
    this.ranges = ranges;
    this.first = first;
  }

  get longCount(): number {
    return this.ranges.longCount;
  }

  /** Of a term that is marked. */
  longBefore(term: number): number {
    return this.ranges.longBefore(this.marked.rank(term));
  }

  start(term: number): number {
    return this.marked.has(term) ? this.first + this.ranges.start(this.marked.rank(term)) : this.first;
  }

  count(term: number): number {
    return this.marked.has(term) ? this.ranges.count(this.marked.rank(term)) : 0;
  }
}
