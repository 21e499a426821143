import type { WordOccurrences } from '../../../text/choose-occurrences.ts';
import type { FoundTerm } from '../../../text/find-terms.ts';
import { maxPositions, type PositionReader } from './positions.ts';

/** An exact term among the terms of a query. */
export interface Form {
  readonly term: string;
  readonly number: number;
  readonly weight: number;
}

/** The positions that one look at a page reads, one word after the other: typed arrays that are used again and again. */
export class PositionBuffer {
  starts: Uint32Array = new Uint32Array(4 * maxPositions);
  ends: Uint32Array = new Uint32Array(4 * maxPositions);
  private used = 0;

  clear(): void {
    this.used = 0;
  }

  /** Copies what was read; returns where it begins. */
  add({ starts, ends, count }: PositionReader): number {
    const from = this.used;
    this.used += count;
    if (this.used > this.starts.length) {
      this.starts = grown(this.starts);
      this.ends = grown(this.ends);
    }
    for (let index = 0; index < count; index++) {
      this.starts[from + index] = starts[index] as number;
      this.ends[from + index] = ends[index] as number;
    }
    return from;
  }
}

function grown(numbers: Uint32Array): Uint32Array {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

/** The positions of a word in a field of a page, until the buffer is cleared. */
export class PositionList implements WordOccurrences {
  readonly word: string;
  readonly length: number;
  private readonly buffer: PositionBuffer;
  private readonly from: number;
  private readonly form: Form;
  /** The other forms by the index of their positions. */
  private overlaid: (Form | undefined)[] | undefined;

  /** Takes what was read before the offset `scanned`. */
  constructor(buffer: PositionBuffer, reader: PositionReader, form: Form, scanned: number, word: string) {
    let length = reader.count;
    while (length > 0 && (reader.starts[length - 1] as number) >= scanned) length--;
    this.word = word;
    this.length = length;
    this.buffer = buffer;
    this.from = buffer.add(reader);
    this.form = form;
  }

  /** Those of the positions that were read belong to another form. */
  overlay({ starts, ends, count }: PositionReader, form: Form): void {
    this.overlaid ??= [];
    for (let index = 0, own = 0; index < this.length && own < count; index++) {
      const start = this.startOf(index);
      while (own < count && (starts[own] as number) < start) own++;
      if (own < count && starts[own] === start && ends[own] === this.endOf(index))
        this.overlaid[index] = form;
    }
  }

  startOf(index: number): number {
    return this.buffer.starts[this.from + index] as number;
  }

  at(index: number): FoundTerm {
    const { term, weight } = this.overlaid?.[index] ?? this.form;
    return { term, word: this.word, weight, start: this.startOf(index), end: this.endOf(index) };
  }

  private endOf(index: number): number {
    return this.buffer.ends[this.from + index] as number;
  }
}
