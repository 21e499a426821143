import type { MarkedField, PageMarks } from '../../index/page-marks.ts';
import type { TextSource } from '../../text/line/text-source.ts';

/** How much is read with what is asked for, in UTF-16 units: before its start, and from its start on. */
export interface ReadAround {
  readonly before: number;
  readonly after: number;
}

/** An excerpt and its surroundings are one reading. */
const aroundExcerpts: ReadAround = { before: 300, after: 700 };

/** A field of a page as a text, of which only the ranges are read that are asked for. */
export function markedText(
  marks: PageMarks,
  field: MarkedField,
  { before, after } = aroundExcerpts,
): TextSource {
  const length = field === 'body' ? marks.bodyLength : Number.POSITIVE_INFINITY;
  let from = 0;
  let window = '';
  /** Where the text ends, as far as is known. */
  let textEnd = length;

  function slice(start = 0, end = length): string {
    const last = Math.min(end, textEnd);
    if (start >= last) return '';
    if (start < from || last > from + window.length) {
      from = Math.max(0, start - before);
      const wanted = Math.max(last, start + after);
      window = marks.text(field, from, wanted);
      if (from + window.length < wanted) textEnd = from + window.length;
    }
    return window.slice(start - from, end - from);
  }

  return { length, charAt: (offset) => slice(offset, offset + 1), slice };
}
