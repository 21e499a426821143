import type { RankedBits } from './bit-set.ts';
import type { Ranges } from './ranges.ts';

/** Ranges of the terms that are marked, which begin at `first`; all others are empty. */
export class TitleRanges implements Ranges {
  private readonly marked: RankedBits;
  private readonly ranges: Ranges;
  private readonly first: number;

  constructor(marked: RankedBits, ranges: Ranges, first: number) {
    this.marked = marked;
    this.ranges = ranges;
    this.first = first;
  }

  start(term: number): number {
    return this.marked.has(term) ? this.first + this.ranges.start(this.marked.rank(term)) : this.first;
  }

  count(term: number): number {
    return this.marked.has(term) ? this.ranges.count(this.marked.rank(term)) : 0;
  }
}
