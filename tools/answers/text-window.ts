export interface TextWindow {
  readonly text: string;
  /** Offset of the next window; undefined after the last one. */
  readonly nextStart: number | undefined;
}

/**
 * The window of `text` at offset `start` with at most `maxChars`, both in UTF-16 units. It ends after a line, else after a
 * sentence, else after a word, if one ends in its second half, else between two code points. Consecutive windows by
 * `nextStart` are the whole text.
 */
export function textWindow(text: string, start: number, maxChars: number): TextWindow {
  const from = codePointBoundary(text, start);
  const maxEnd = from + maxChars;
  if (maxEnd >= text.length) return { text: text.slice(from), nextStart: undefined };
  const middle = from + Math.floor(maxChars / 2);
  const end = middle + (lastBoundary(text.slice(middle, maxEnd)) ?? codePointBoundary(text, maxEnd) - middle);
  return { text: text.slice(from, end), nextStart: end };
}

const boundaries = [/\n/g, /[.!?]["')\]”’]*\s|[。！？；]/g, /\s/g];

function lastBoundary(tail: string): number | undefined {
  for (const border of boundaries) {
    let end: number | undefined;
    for (const match of tail.matchAll(border)) end = match.index + match[0].length;
    if (end !== undefined) return end;
  }
  return undefined;
}

/** `offset`, or one less if it is inside a surrogate pair. */
function codePointBoundary(text: string, offset: number): number {
  const isInside = offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
  return isInside ? offset - 1 : offset;
}
