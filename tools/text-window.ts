export interface TextWindow {
  readonly text: string;
  /** Where the next window starts; undefined after the last one. */
  readonly nextStart: number | undefined;
}

/**
 * The part of `text` that starts at `start` and is at most `maxChars` long, both in UTF-16 units. It ends after a
 * line, else after a sentence, else after a word, looked for in its second half, else between two code points.
 * Windows read one after the other by `nextStart` give back the whole text.
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

/** `at`, or one less where `at` would part a surrogate pair. */
function codePointBoundary(text: string, at: number): number {
  const isInside = at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return isInside ? at - 1 : at;
}
