import type { FoundTerm } from '../../../text/find-terms.ts';
import type { NamePart } from '../../../text/passages/name-parts.ts';
import type { QueryFeatures } from '../query-features.ts';
import { distinctWeight, share } from './word-weights.ts';

/** Minimum share of a part that must be in the query: with less, it is about something else. */
const minPartShare = 0.2;

const letter = /[\p{L}\p{N}\p{M}]/u;
/** In scripts with capitals, a match inside a longer word is not a match of the word. */
const joined = /[\p{Lu}\p{Ll}\p{N}]/u;

/** A line with the query's words in it. */
export interface NamedLine {
  readonly text: string;
  /** Where it begins in the text in which the words were found. */
  readonly start: number;
  /** The words, in reading order, in offsets of that text. */
  readonly found: readonly FoundTerm[];
}

/**
 * How well the best part of a line and a query cover each other, 0 to 1. It counts the share of the part that is query
 * words, and the share of the query that is in the part or, for the rest, in the page's site, address or title. So the
 * query `asyncio gather` covers the line `asyncio.gather(*aws)`, and the line `gather()` on a page of asyncio's. Only whole
 * words of the line count.
 */
export function bestFill(
  line: NamedLine,
  partsOf: (text: string) => readonly NamePart[],
  { totalWeight }: Pick<QueryFeatures, 'totalWeight'>,
  inPlace: () => readonly FoundTerm[],
): number {
  const { text, start, found } = line;
  const whole = found.filter(
    (token) => isBorder(text, token.start - start) && isBorder(text, token.end - start),
  );
  if (whole.length === 0) return 0;
  let best = 0;
  for (const part of partsOf(text)) {
    const within = tokensWithin(whole, start + part.start, start + part.end);
    if (within.length === 0) continue;
    const ofPart = share(coveredLetters(line, within), countLetters(text, part.start, part.end));
    if (ofPart < minPartShare || part.sureness * ofPart ** 2 <= best) continue;
    const ofQuestion = share(distinctWeight(within, inPlace()), totalWeight);
    best = Math.max(best, part.sureness * (ofPart * ofQuestion) ** 2);
  }
  return best;
}

function tokensWithin(found: readonly FoundTerm[], start: number, end: number): readonly FoundTerm[] {
  const isWithin = (token: FoundTerm): boolean => token.start >= start && token.end <= end;
  return found.every(isWithin) ? found : found.filter(isWithin);
}

/** Whether a word may begin or end at an offset. */
function isBorder(text: string, offset: number): boolean {
  return !(isJoined(text, offset - 1) && isJoined(text, offset));
}

function isJoined(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  return code < 128 ? isAsciiLetter(code) : joined.test(text.charAt(offset));
}

/** Tokens overlap if one is a compound and the next one is its part. */
function coveredLetters({ text, start: lineStart }: NamedLine, found: readonly FoundTerm[]): number {
  let count = 0;
  let done = lineStart;
  for (const { start, end } of found) {
    if (end <= done) continue;
    count += countLetters(text, Math.max(start, done) - lineStart, end - lineStart);
    done = end;
  }
  return count;
}

/** The letters, digits and marks between two offsets. */
function countLetters(text: string, start: number, end: number): number {
  const last = Math.min(end, text.length);
  let count = 0;
  for (let offset = start; offset < last; offset++) {
    const code = text.charCodeAt(offset);
    if (code < 128) {
      if (isAsciiLetter(code)) count++;
      continue;
    }
    const point = text.codePointAt(offset) as number;
    if (letter.test(String.fromCodePoint(point))) count++;
    if (point > 0xffff) offset++;
  }
  return count;
}

/** A letter or a digit. */
function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39);
}
