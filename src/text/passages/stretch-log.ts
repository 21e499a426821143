import { growArray } from '../grow-array.ts';

/** Stretches of one text after the other, in the order of the text, with a number below 256 each: no object for a stretch. */
export class StretchLog {
  /** The items of the stretches: the first `size` of each array. Offsets are UTF-16 units. */
  starts = new Uint32Array(256);
  ends = new Uint32Array(256);
  codes = new Uint8Array(256);
  size = 0;

  clear(): void {
    this.size = 0;
  }

  add(start: number, end: number, code: number): void {
    const index = this.size++;
    if (index === this.starts.length) {
      this.starts = growArray(this.starts, this.size);
      this.ends = growArray(this.ends, this.size);
      this.codes = growArray(this.codes, this.size);
    }
    this.starts[index] = start;
    this.ends[index] = end;
    this.codes[index] = code;
  }
}
