import type { Stretch } from '../../../text/passages/sentences.ts';
import { ByteReader, type ByteWriter } from './bytes.ts';

/** A list has a checkpoint at every multiple of this many stretches, so that a look-up decodes one block of them. */
const blockLength = 64;
const checkpointBytes = 8;

/** A stretch of a text with a number below 256. */
export interface CodedStretch extends Stretch {
  readonly code: number;
}

/**
 * Writes stretches that are in order and do not overlap: their number, for each block but the first the end of the stretch
 * before it and the offset of its bytes, then for each stretch the gap before it, its length and its code.
 */
export function writeStretches(stretches: readonly CodedStretch[], into: ByteWriter): void {
  into.varint(stretches.length);
  const table = into.end;
  const checkpoints = Math.floor(Math.max(0, stretches.length - 1) / blockLength);
  for (let index = 0; index < checkpoints * checkpointBytes; index++) into.byte(0);
  const first = into.end;
  let before = 0;
  for (const [index, { start, end, code }] of stretches.entries()) {
    if (index > 0 && index % blockLength === 0) {
      const checkpoint = new DataView(into.bytes.buffer, table + (index / blockLength - 1) * checkpointBytes);
      checkpoint.setUint32(0, before, true);
      checkpoint.setUint32(4, into.end - first, true);
    }
    into.varint(start - before);
    into.varint(end - start);
    into.byte(code);
    before = end;
  }
}

/** A written list. Look-ups near each other decode nothing new. */
export class StretchList {
  private readonly reader: ByteReader;
  private readonly count: number;
  private readonly table: number;
  private readonly first: number;
  private block = -1;
  private readonly decoded: CodedStretch[] = [];

  /** `offset` is that of the list in the bytes. */
  constructor(bytes: Uint8Array, offset: number) {
    this.reader = new ByteReader(bytes, offset);
    this.count = this.reader.varint();
    this.table = this.reader.offset;
    const checkpoints = Math.floor(Math.max(0, this.count - 1) / blockLength);
    this.first = this.table + checkpoints * checkpointBytes;
  }

  /** The first stretch that ends after an offset. */
  from(offset: number): CodedStretch | undefined {
    this.decode(this.blockAt(offset));
    return this.decoded.find(({ end }) => end > offset);
  }

  /** The stretch before the one that begins at an offset; undefined if there is none. */
  before(start: number): CodedStretch | undefined {
    const block = this.blockAt(start);
    this.decode(block);
    const index = this.decoded.findIndex(({ end }) => end > start);
    if (index > 0) return this.decoded[index - 1];
    return block > 0 && index === 0 ? this.from(this.endBefore(block) - 1) : undefined;
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
    if (this.block === block) return;
    const { reader, decoded } = this;
    this.block = block;
    decoded.length = 0;
    let before = this.endBefore(block);
    reader.offset = this.first + (block === 0 ? 0 : reader.uint32());
    const length = Math.min(blockLength, this.count - block * blockLength);
    for (let index = 0; index < length; index++) {
      const start = before + reader.varint();
      before = start + reader.varint();
      decoded.push({ start, end: before, code: reader.byte() });
    }
  }
}
