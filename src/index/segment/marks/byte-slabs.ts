const slabBytes = 1024 * 1024;

/**
 * Many arrays of bytes in few buffers, numbered from 0 on. No object is kept for an array: each would cost time whenever
 * garbage is collected.
 */
export class ByteSlabs {
  private readonly slabs: Buffer[] = [];
  private end = 0;
  /** By the number of an array: its slab, where it begins there, and its length. */
  private readonly slabNumbers: number[] = [];
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];

  /** Adds an array of this many bytes, which may have any values, to be written now. */
  add(length: number): Buffer {
    let slab = this.slabs.at(-1);
    if (slab === undefined || this.end + length > slab.length) {
      slab = Buffer.allocUnsafeSlow(Math.max(slabBytes, length));
      this.slabs.push(slab);
      this.end = 0;
    }
    const start = this.end;
    this.end += length;
    this.slabNumbers.push(this.slabs.length - 1);
    this.starts.push(start);
    this.lengths.push(length);
    return slab.subarray(start, this.end);
  }

  /** The array with a number. */
  at(number: number): Buffer {
    const start = this.starts[number] as number;
    const slab = this.slabs[this.slabNumbers[number] as number] as Buffer;
    return slab.subarray(start, start + (this.lengths[number] as number));
  }
}
