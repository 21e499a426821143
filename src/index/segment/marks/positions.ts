import type { MarkSections } from '../format.ts';
import { RecordReader } from './record-bytes.ts';

/**
 * Maximum number of positions of a term in the headings of a page, and in its body: the first ones. More than a search looks
 * at, so that it can choose those near rarer words.
 */
export const maxPositions = 400;
/** Every this many postings, positionSkips has the offset of a posting's positions. */
export const skipInterval = 32;

/**
 * The header of a posting's positions is `bytes << headerShift | flags`, with the bytes that follow it. In place of a
 * header: an exact term has the same positions as its stem.
 */
export const headerShift = 2;
export const inHeadings = 1;
export const withLengths = 2;
export const asStem = inHeadings;

/** Where the positions of a posting end that begin at an offset. In forged bytes, it may be past their end. */
export function endOfPosting(bytes: Uint8Array, offset: number): number {
  const first = bytes[offset] as number;
  return first < 0x80 ? offset + 1 + (first >>> headerShift) : endAfterLongHeader(bytes, offset);
}

function endAfterLongHeader(bytes: Uint8Array, offset: number): number {
  const reader = new RecordReader(bytes, offset);
  const length = reader.varint() >>> headerShift;
  return reader.offset + length;
}

type PositionSections = Pick<MarkSections, 'positions' | 'positionSkips'>;

/** The positions of one posting in a field, in UTF-16 offsets. `read` overwrites them. */
export class PositionReader {
  readonly starts = new Uint32Array(maxPositions);
  readonly ends = new Uint32Array(maxPositions);
  count = 0;
  /** Whether the posting that was read last has positions in the headings. */
  isInHeadings = false;
  private readonly positions: Uint8Array;
  private readonly skips: Uint32Array;
  private readonly reader: RecordReader;

  constructor({ positions, positionSkips }: PositionSections) {
    this.positions = positions;
    this.skips = positionSkips;
    this.reader = new RecordReader(positions);
  }

  /** Where the positions of a posting begin. */
  offsetOf(posting: number): number {
    const { positions, skips } = this;
    let offset = skips[Math.floor(posting / skipInterval)] as number;
    for (let skipped = posting % skipInterval; skipped > 0; skipped--)
      offset = endOfPosting(positions, offset);
    return offset;
  }

  /**
   * Reads the positions of a posting that begin at an offset, and whose term has `length` units. False if they are those of
   * the stem, which the caller has to read instead.
   */
  read(offset: number, field: 'headings' | 'body', length: number): boolean {
    const { reader } = this;
    reader.offset = offset;
    const header = reader.varint();
    this.count = 0;
    if (header === asStem) return false;
    const end = Math.min(reader.offset + (header >>> headerShift), this.positions.length);
    const hasLengths = (header & withLengths) !== 0;
    let last = length;
    this.isInHeadings = (header & inHeadings) !== 0;
    if (this.isInHeadings) {
      const headings = Math.min(reader.varint(), maxPositions);
      last = this.readList(reader, end, headings, hasLengths, last);
      if (field === 'headings') return true;
    } else if (field === 'headings') return true;
    this.readList(reader, end, maxPositions, hasLengths, last);
    return true;
  }

  /** Returns the length of the last occurrence. */
  private readList(
    reader: RecordReader,
    end: number,
    max: number,
    hasLengths: boolean,
    firstLength: number,
  ): number {
    let length = firstLength;
    let start = 0;
    let count = 0;
    while (count < max && reader.offset < end) {
      const step = reader.varint();
      start += hasLengths ? step >>> 1 : step;
      if (hasLengths && (step & 1) === 1) length = reader.varint();
      this.starts[count] = start;
      this.ends[count++] = start + length;
    }
    this.count = count;
    return length;
  }
}
