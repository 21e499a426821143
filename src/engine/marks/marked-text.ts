import type { MarkedField, PageMarks } from '../../index/page-marks.ts';
import type { TextSource } from '../../text/line/text-source.ts';

/** How much is read with what is asked for, in UTF-16 units: before its start, and from its start on. */
export interface ReadAround {
  readonly before: number;
  readonly after: number;
  /** The maximum of `after`, which doubles with each reading that continues the one before; by default it stays the same. */
  readonly maxAfter?: number;
}

/** An excerpt and its surroundings are one reading. */
const aroundExcerpts: ReadAround = { before: 300, after: 700 };

/** A field of a page as a text, of which only the ranges are read that are asked for. */
export class MarkedText implements TextSource {
  readonly length: number;
  private readonly marks: PageMarks;
  private readonly field: MarkedField;
  private readonly around: ReadAround;
  /** What was read last, and where it begins. */
  private window = '';
  private from = 0;
  /** The `after` of the last reading. */
  private after = 0;
  /** Where the text ends, as far as is known. */
  private textEnd: number;

  constructor(marks: PageMarks, field: MarkedField, around = aroundExcerpts) {
    this.length = field === 'body' ? marks.bodyLength : Number.POSITIVE_INFINITY;
    this.marks = marks;
    this.field = field;
    this.around = around;
    this.textEnd = this.length;
  }

  charAt(offset: number): string {
    return this.slice(offset, offset + 1);
  }

  slice(start = 0, end = this.length): string {
    const last = Math.min(end, this.textEnd);
    if (start >= last) return '';
    if (start < this.from || last > this.from + this.window.length) this.read(start, last);
    return this.window.slice(start - this.from, end - this.from);
  }

  private read(start: number, end: number): void {
    const { before, after, maxAfter = after } = this.around;
    const windowEnd = this.from + this.window.length;
    const continues = this.window !== '' && start >= this.from && start <= windowEnd + after;
    this.after = continues ? Math.min(2 * this.after, maxAfter) : after;
    this.from = Math.max(0, start - before);
    const wanted = Math.max(end, start + this.after);
    this.window = this.marks.text(this.field, this.from, wanted);
    if (this.from + this.window.length < wanted) this.textEnd = this.from + this.window.length;
  }
}
