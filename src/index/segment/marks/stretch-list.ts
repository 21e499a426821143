import type { Stretch } from '../../../text/passages/sentences.ts';
import type { StretchLog } from '../../../text/passages/stretch-log.ts';
import { maxVarintBytes, putVarint, RecordReader, type RecordWriter } from './record-bytes.ts';

/** A list has a checkpoint at every multiple of this many stretches, so that a look-up decodes one block of them. */
const blockLength = 64;
const checkpointBytes = 8;
/** Two varints and a byte. */
const maxStretchBytes = 2 * maxVarintBytes + 1;

/** A stretch of a text with a number below 256. */
export interface CodedStretch extends Stretch {
  readonly code: number;
}

/**
 * Writes stretches that are in order and do not overlap: their number, for each block but the first the end of the stretch
 * before it and the offset of its bytes, then for each stretch the gap before it, its length and its code.
 */
export function writeStretches(stretches: StretchLog, into: RecordWriter): void {
  const { size } = stretches;
  into.varint(size);
  const table = into.end;
  const checkpoints = Math.floor(Math.max(0, size - 1) / blockLength);
  for (let index = 0; index < checkpoints * checkpointBytes; index++) into.byte(0);
  const first = into.end;
  let before = 0;
  into.reserve(maxStretchBytes * size);
  const { bytes } = into;
  let to = first;
  for (let index = 0; index < size; index++) {
    const start = stretches.starts[index] as number;
    const end = stretches.ends[index] as number;
    if (index > 0 && index % blockLength === 0) {
      const checkpoint = new DataView(bytes.buffer, table + (index / blockLength - 1) * checkpointBytes);
      checkpoint.setUint32(0, before, true);
      checkpoint.setUint32(4, to - first, true);
    }
    to = putVarint(bytes, to, start - before);
    to = putVarint(bytes, to, end - start);
    bytes[to++] = stretches.codes[index] as number;
    before = end;
  }
  into.end = to;
}

/**
 * The decoded block of the list that was looked at last. A search looks at some fifty lists, one after the other; arrays of
 * their own would cost more than to decode a block again when two are looked at in turn.
 */
const starts = new Uint32Array(blockLength);
const ends = new Uint32Array(blockLength);
const codes = new Uint8Array(blockLength);
/** Its number, and how many lists there have been: a reference to the list would keep its segment mapped. */
let decodedList = 0;
let listCount = 0;

/** A written list. Look-ups near each other decode nothing new. */
export class StretchList {
  private readonly number = ++listCount;
  private readonly reader: RecordReader;
  private readonly count: number;
  private readonly table: number;
  private readonly first: number;
  private block = -1;
  /** Number of stretches in the block. */
  private decoded = 0;
  /** Where the stretch before the block ends, and where the last one in it does. */
  private endBeforeBlock = 0;
  private endOfBlock = 0;

  /** `offset` is that of the list in the bytes. */
  constructor(bytes: Uint8Array, offset: number) {
    this.reader = new RecordReader(bytes, offset);
    this.count = this.reader.varint();
    this.table = this.reader.offset;
    const checkpoints = Math.floor(Math.max(0, this.count - 1) / blockLength);
    this.first = this.table + checkpoints * checkpointBytes;
  }

  /** The first stretch that ends after an offset. */
  from(offset: number): CodedStretch | undefined {
    return this.stretchAt(this.indexFrom(offset));
  }

  /** Where the stretch begins that ends at an offset; undefined if none ends there. */
  startOfEnding(end: number): number | undefined {
    const index = this.indexFrom(end - 1);
    return index < this.decoded && ends[index] === end ? starts[index] : undefined;
  }

  /** The stretch before the one that begins at an offset; undefined if there is none. */
  before(start: number): CodedStretch | undefined {
    const index = this.indexFrom(start);
    if (index > 0) return this.stretchAt(index - 1);
    const { block } = this;
    return block > 0 && index < this.decoded ? this.from(this.endBeforeBlock - 1) : undefined;
  }

  private stretchAt(index: number): CodedStretch | undefined {
    if (index >= this.decoded) return undefined;
    const start = starts[index] as number;
    return { start, end: ends[index] as number, code: codes[index] as number };
  }

  /** Decodes the block of the first stretch that ends after an offset, and returns its index there. */
  private indexFrom(offset: number): number {
    const isDecoded =
      decodedList === this.number && offset >= this.endBeforeBlock && offset < this.endOfBlock;
    if (!isDecoded) this.decode(this.blockAt(offset));
    let low = 0;
    let high = this.decoded;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] as number) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The last block that begins after a stretch that ends at an offset or before it. */
  private blockAt(offset: number): number {
    let low = 0;
    let high = Math.floor(Math.max(0, this.count - 1) / blockLength);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.endBefore(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The end of the last stretch before a block. */
  private endBefore(block: number): number {
    if (block === 0) return 0;
    this.reader.offset = this.table + (block - 1) * checkpointBytes;
    return this.reader.uint32();
  }

  private decode(block: number): void {
    if (decodedList === this.number && this.block === block) return;
    decodedList = this.number;
    const { reader } = this;
    let before = this.endBefore(block);
    this.block = block;
    this.endBeforeBlock = before;
    reader.offset = this.first + (block === 0 ? 0 : reader.uint32());
    this.decoded = Math.max(0, Math.min(blockLength, this.count - block * blockLength));
    for (let index = 0; index < this.decoded; index++) {
      const start = before + reader.varint();
      before = start + reader.varint();
      starts[index] = start;
      ends[index] = before;
      codes[index] = reader.byte();
    }
    this.endOfBlock = before;
  }
}
