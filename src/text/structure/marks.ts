/**
 * What a stretch of a page's text was in the page:
 * `h` heading (value: level), `l` list item with its marker (number, or empty), `q` quotation, `p` preformatted (language),
 * `t` table, `c` code, `a` link (address as written), `b` strong, `i` emphasized.
 */
export type MarkKind = 'h' | 'l' | 'q' | 'p' | 't' | 'c' | 'a' | 'b' | 'i';

export interface Mark {
  readonly kind: MarkKind;
  /** UTF-16 units in the text; `end` is after the last one. */
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** The structure of a text, which the text itself does not show. */
export interface TextStructure {
  /** The base of relative links. */
  readonly base: string;
  /** In the order of their starts; an outer mark before those in it. */
  readonly marks: readonly Mark[];
}

const markLine = /^([hlqptcabi])([0-9a-z]+),([0-9a-z]+)(?:,(.*))?$/;

/** A line for the base, then one for each mark: kind, distance from the start of the one before, length, value. */
export function encodeStructure({ base, marks }: TextStructure): string {
  let before = 0;
  const lines = marks.map(({ kind, start, end, value }) => {
    const line = `${kind}${(start - before).toString(36)},${(end - start).toString(36)}`;
    before = start;
    return value === '' ? line : `${line},${value}`;
  });
  return [base, ...lines].join('\n');
}

/** The inverse of `encodeStructure`. Lines that are no marks are left out. */
export function decodeStructure(encoded: string): TextStructure {
  const [base = '', ...lines] = encoded.split('\n');
  const marks: Mark[] = [];
  let start = 0;
  for (const line of lines) {
    const [, kind, distance, length, value = ''] = markLine.exec(line) ?? [];
    if (kind === undefined || distance === undefined || length === undefined) continue;
    start += Number.parseInt(distance, 36);
    marks.push({ kind: kind as MarkKind, start, end: start + Number.parseInt(length, 36), value });
  }
  return { base, marks };
}

/** The marks with their offsets mapped; those without text after that are left out. */
export function mapMarks(marks: readonly Mark[], newOffset: (offset: number) => number): Mark[] {
  return marks.flatMap((mark) => {
    const [start, end] = [newOffset(mark.start), newOffset(mark.end)];
    return end > start ? [{ ...mark, start, end }] : [];
  });
}

/**
 * The marks of `from` for `to`, which is the same text without some characters (by `unit` '') or without some lines (by
 * `unit` '\n').
 */
export function realignMarks(marks: readonly Mark[], from: string, to: string, unit: '' | '\n'): Mark[] {
  if (from === to) return [...marks];
  const [units, kept] = [from.split(unit), to.split(unit)];
  const starts = new Uint32Array(from.length + 2);
  let [offset, newOffset, next] = [0, 0, 0];
  for (const each of units) {
    const isKept = each === kept[next];
    const length = each.length + unit.length;
    for (let inside = 0; inside < length; inside++)
      starts[offset + inside] = newOffset + (isKept ? inside : 0);
    offset += length;
    if (isKept) newOffset += length;
    if (isKept) next += 1;
  }
  starts[from.length] = Math.min(newOffset, to.length);
  return mapMarks(marks, (at) => Math.min(starts[at] ?? to.length, to.length));
}
