import { Occurrences } from '../../../text/occurrences/occurrences.ts';
import type { NamePart } from '../../../text/passages/name-parts.ts';
import { distinctWeight, type OccurrenceRange, share, wholeRange } from './word-weights.ts';

/** Minimum share of a part that must be in the query: with less, it is about something else. */
const minPartShare = 0.2;

const letter = /[\p{L}\p{N}\p{M}]/u;
/** In scripts with capitals, a match inside a longer word is not a match of the word. */
const joined = /[\p{Lu}\p{Ll}\p{N}]/u;

/** A line, and the query's words in it. */
export interface NamedLine extends OccurrenceRange {
  readonly text: string;
  /** Where it begins in the text in which the words were found. */
  readonly start: number;
}

/** What a name is compared with besides its line. */
export interface NamedQuery {
  /** The weight of all words of the query. */
  readonly totalWeight: number;
  /** The query's words in the page's site, address and title. */
  readonly inPlace: () => Occurrences;
}

/** The whole words of a line, and those of one of its parts. */
const whole = new Occurrences();
const within = new Occurrences();

/**
 * How well the best part of a line and a query cover each other, 0 to 1. It counts the share of the part that is query
 * words, and the share of the query that is in the part or, for the rest, in the page's site, address or title. So the
 * query `asyncio gather` covers the line `asyncio.gather(*aws)`, and the line `gather()` on a page of asyncio's. Only whole
 * words of the line count. 0, with less work, if it is not above `floor`.
 */
export function bestFill(
  line: NamedLine,
  partsOf: (text: string) => readonly NamePart[],
  query: NamedQuery,
  floor = 0,
): number {
  const { text, start, list, from, to } = line;
  whole.clear();
  for (let index = from; index < to; index++)
    if (isBorder(text, list.startOf(index) - start) && isBorder(text, list.endOf(index) - start))
      whole.addFrom(list, index);
  if (whole.length === 0) return 0;
  let best = floor;
  for (const part of partsOf(text)) {
    takeWithin(start + part.start, start + part.end);
    if (within.length === 0) continue;
    const ofPart = share(coveredLetters(line, within), countLetters(text, part.start, part.end));
    if (ofPart < minPartShare || part.sureness * ofPart ** 2 <= best) continue;
    const ofQuery = shareOfQuery(wholeRange(within), query);
    best = Math.max(best, part.sureness * (ofPart * ofQuery) ** 2);
  }
  return best > floor ? best : 0;
}

/**
 * The share of a query that is in a range or, for the rest, in the page's place. That is not looked at where the share is
 * above `enough` without it.
 */
export function shareOfQuery(
  range: OccurrenceRange,
  { totalWeight, inPlace }: NamedQuery,
  enough = 1,
): number {
  const own = distinctWeight(range);
  const ofRange = share(own, totalWeight);
  if (own >= totalWeight || ofRange > enough) return ofRange;
  return share(distinctWeight(range, inPlace()), totalWeight);
}

function takeWithin(start: number, end: number): void {
  within.clear();
  for (let index = 0; index < whole.length; index++)
    if (whole.startOf(index) >= start && whole.endOf(index) <= end) within.addFrom(whole, index);
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
function coveredLetters({ text, start: lineStart }: NamedLine, found: Occurrences): number {
  let count = 0;
  let done = lineStart;
  for (let index = 0; index < found.length; index++) {
    const end = found.endOf(index);
    if (end <= done) continue;
    count += countLetters(text, Math.max(found.startOf(index), done) - lineStart, end - lineStart);
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
