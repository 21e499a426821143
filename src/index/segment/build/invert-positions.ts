import type { MarkSections } from '../format.ts';
import { endOfPosting, skipInterval } from '../marks/positions.ts';
import type { RecordWriter } from '../marks/record-bytes.ts';
import type { Orders, TermRuns } from './invert.ts';

type PositionSections = Pick<MarkSections, 'positions' | 'positionSkips'>;

/** The positions of all postings, one page after the other in the order of `TermRuns`. */
export interface PositionRuns {
  readonly writer: RecordWriter;
  /** By run: where its bytes begin. */
  readonly starts: number[];
}

/** Brings positions into the order of the posting lists that `invert` makes of the same runs. */
export function invertPositions(
  { items, ends }: TermRuns,
  { writer, starts }: PositionRuns,
  orders: Orders,
): PositionSections {
  const from = writer.bytes;
  const next = startsOf(items.subarray(0, ends.at(-1) ?? 0), from, orders.terms);
  const positions = new Uint8Array(writer.end);
  for (const run of orders.pages) {
    let first = starts[run] as number;
    const end = ends[run] as number;
    for (let index = run === 0 ? 0 : (ends[run - 1] as number); index < end; index++) {
      const term = items[index] as number;
      const last = endOfPosting(from, first);
      let to = next[term] as number;
      for (; first < last; first++) positions[to++] = from[first] as number;
      next[term] = to;
    }
  }
  return { positions, positionSkips: skipsOf(positions, ends.at(-1) ?? 0) };
}

/** Where the positions of each term begin. */
function startsOf(items: Uint32Array, positions: Uint8Array, order: Uint32Array): Uint32Array {
  const sizes = new Uint32Array(order.length);
  let first = 0;
  for (let index = 0; index < items.length; index++) {
    const term = items[index] as number;
    const last = endOfPosting(positions, first);
    sizes[term] = (sizes[term] as number) + last - first;
    first = last;
  }
  let start = 0;
  for (const term of order) {
    const size = sizes[term] as number;
    sizes[term] = start;
    start += size;
  }
  return sizes;
}

/** The offset of the positions of every `skipInterval`th posting. */
export function skipsOf(positions: Uint8Array, postings: number): Uint32Array {
  const skips = new Uint32Array(Math.ceil(postings / skipInterval));
  let offset = 0;
  for (let posting = 0; posting < postings; posting++) {
    if (posting % skipInterval === 0) skips[posting / skipInterval] = offset;
    offset = endOfPosting(positions, offset);
  }
  return skips;
}
