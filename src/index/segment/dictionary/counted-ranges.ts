import { growArray } from '../../../text/grow-array.ts';
import type { LongRanges } from './ranges.ts';

/** `starts` has an entry for every range whose number is a multiple of this. */
const blockRanges = 16;
/** Stands for this count and all above it; they are stored apart. Page lists of such a length have another form. */
export const largeCount = 255;

/**
 * Ranges by their counts, a byte each. `starts` has, for every 16th range and for the end, two numbers: where it begins, and the
 * index in `starts` of the next count from `largeCount` on. These counts come last.
 */
export interface CountSections {
  readonly counts: Uint8Array;
  readonly starts: Uint32Array;
}

/** The counts of ranges, given where each begins and where the last one ends. */
export function packCounts(offsets: Uint32Array): CountSections {
  const size = offsets.length - 1;
  const counts = new Uint8Array(size);
  const tableLength = startsLength(size);
  let starts = new Uint32Array(tableLength);
  let end = tableLength;
  const base = offsets[0] as number;
  for (let range = 0; range <= size; range++) {
    const start = offsets[range] as number;
    if (range % blockRanges === 0) {
      starts[(2 * range) / blockRanges] = start - base;
      starts[(2 * range) / blockRanges + 1] = end;
    }
    if (range === size) break;
    const count = (offsets[range + 1] as number) - start;
    counts[range] = Math.min(count, largeCount);
    if (count < largeCount) continue;
    starts = growArray(starts, end + 1);
    starts[end++] = count;
  }
  starts[tableLength - 2] = (offsets[size] as number) - base;
  starts[tableLength - 1] = end;
  return { counts, starts: starts.subarray(0, end) };
}

/** The items of `starts` before the large counts. */
function startsLength(ranges: number): number {
  return 2 * (Math.ceil(ranges / blockRanges) + 1);
}

/** Ranges by their counts: a start is found with fifteen additions at most. */
export class CountedRanges implements LongRanges {
  private readonly counts: Uint8Array;
  private readonly starts: Uint32Array;

  constructor({ counts, starts }: CountSections) {
    this.counts = counts;
    this.starts = starts;
  }

  start(term: number): number {
    const { counts, starts } = this;
    let index = term - (term % blockRanges);
    let start = starts[(2 * index) / blockRanges] as number;
    let large = starts[(2 * index) / blockRanges + 1] as number;
    for (; index < term; index++) {
      const count = counts[index] as number;
      start += count === largeCount ? (starts[large++] as number) : count;
    }
    return start;
  }

  count(term: number): number {
    const own = this.counts[term] as number;
    return own < largeCount ? own : this.largeCountOf(term);
  }

  get longCount(): number {
    return this.starts.length - startsLength(this.counts.length);
  }

  /** The counts of the long ranges, in their order. */
  longCounts(): Uint32Array {
    return this.starts.subarray(startsLength(this.counts.length));
  }

  longBefore(term: number): number {
    return this.largeIndex(term) - startsLength(this.counts.length);
  }

  /** Whether every start is the sum of the counts before it, and `total` that of all; goes through all of them. */
  addUpTo(total: number): boolean {
    const { counts, starts } = this;
    const tableLength = startsLength(counts.length);
    if (starts.length < tableLength) return false;
    let sum = 0;
    let large = tableLength;
    for (let term = 0; term < counts.length; term++) {
      if (term % blockRanges === 0 && !this.hasStart((2 * term) / blockRanges, sum, large)) return false;
      const count = counts[term] as number;
      sum += count < largeCount ? count : (starts[large++] ?? Number.NaN);
    }
    return this.hasStart(tableLength - 2, sum, large) && large === starts.length && sum === total;
  }

  private largeCountOf(term: number): number {
    return this.starts[this.largeIndex(term)] as number;
  }

  /** The index in `starts` of the first large count from a term on. */
  private largeIndex(term: number): number {
    const { counts, starts } = this;
    let index = term - (term % blockRanges);
    let large = starts[(2 * index) / blockRanges + 1] as number;
    for (; index < term; index++) if (counts[index] === largeCount) large++;
    return large;
  }

  private hasStart(index: number, sum: number, large: number): boolean {
    return this.starts[index] === sum && this.starts[index + 1] === large;
  }
}
