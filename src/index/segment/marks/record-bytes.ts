import { growArray } from '../../../text/grow-array.ts';

/** Bytes that are written one after the other. Numbers are unsigned and have 32 bits at most. */
export class RecordWriter {
  bytes = new Uint8Array(1024);
  end = 0;

  byte(value: number): void {
    if (this.end === this.bytes.length) this.bytes = growArray(this.bytes, this.end + 1);
    this.bytes[this.end++] = value;
  }

  /** LEB128: seven bits a byte, the lowest first; all bytes but the last have 128 added. */
  varint(value: number): void {
    this.reserve(maxVarintBytes);
    this.end = putVarint(this.bytes, this.end, value);
  }

  uint32(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.byte((value >>> shift) & 0xff);
  }

  float64(value: number): void {
    this.reserve(8);
    new DataView(this.bytes.buffer).setFloat64(this.end, value, true);
    this.end += 8;
  }

  append(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.reserve(end - start);
    if (end - start > 32) this.bytes.set(bytes.subarray(start, end), this.end);
    else for (let from = start, to = this.end; from < end; ) this.bytes[to++] = bytes[from++] as number;
    this.end += end - start;
  }

  /** Makes room for this many more bytes. */
  reserve(count: number): void {
    this.bytes = growArray(this.bytes, this.end + count);
  }
}

/** Maximum bytes of a varint. */
export const maxVarintBytes = 5;

/** Writes a number as `RecordWriter.varint` does, into an array with room for it; returns the end. */
export function putVarint(bytes: Uint8Array, offset: number, value: number): number {
  let end = offset;
  let rest = value;
  while (rest > 0x7f) {
    bytes[end++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[end++] = rest;
  return end;
}

/** The bytes of a number, which need not be at a multiple of eight: a view for each number would cost more than to copy it. */
const eightBytes = new Uint8Array(8);
const asFloat64 = new DataView(eightBytes.buffer);

/** Reads what `RecordWriter` wrote. Past the end of the bytes it reads zeros, so that no forged file does harm. */
export class RecordReader {
  readonly bytes: Uint8Array;
  offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
  }

  byte(): number {
    return this.bytes[this.offset++] ?? 0;
  }

  varint(): number {
    let byte = this.byte();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 32; shift += 7) {
      byte = this.byte();
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }

  uint32(): number {
    return (this.byte() | (this.byte() << 8) | (this.byte() << 16) | (this.byte() << 24)) >>> 0;
  }

  float64(): number {
    const { bytes, offset } = this;
    this.offset += 8;
    if (this.offset > bytes.length) return 0;
    for (let index = 0; index < 8; index++) eightBytes[index] = bytes[offset + index] as number;
    return asFloat64.getFloat64(0, true);
  }
}
