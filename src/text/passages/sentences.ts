import type { TextSource } from '../line/text-source.ts';

/** A stretch of a text, in UTF-16 offsets. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The signs that end sentences, and the quotes and brackets that may follow them, as in a class of an expression. */
export const stops = '.!?…؟۔';
export const singleStops = '।॥։።';
export const wideStops = '。！？；｡';
export const closers = `"'”’»)\\]`;
export const wideClosers = `"'”’」』）)\\]`;

/**
 * What may end a sentence: the stops of several scripts, with the closing quotes and brackets after them. Stops of
 * alphabets only count before a space, because of 3.14 and `os.path`.
 */
const stop = new RegExp(
  `(?:[${stops}]+|[${singleStops}])[${closers}]*(?=\\s)|[${wideStops}]+[${wideClosers}]*`,
  'gu',
);
const stopAtEnd = new RegExp(`[${stops}${singleStops}${wideStops}][${closers}${wideClosers}]*$`, 'u');
/** In units: a stop with more signs after it does not end a text. */
export const maxEndLength = 4;
/** How many units after a stop are looked through for the beginning of the next sentence. */
export const maxGapLength = 8;

/** Abbreviations, in lower case and without their last dot. They do not end a sentence. */
const abbreviations = new Set(
  `al approx apr aug bd bspw bzw ca capt cf ch chap corp dec dept dr eds eq esp etc evtl feb fig figs gen gov inc
  incl jan jr ltd mme mr mrs ms nov nr num oct pp prof resp sec sept sr sra st vgl vol vs zb гг им см стр`.split(
    /\s+/,
  ),
);
const longestAbbreviation = Math.max(...[...abbreviations].map(({ length }) => length));
const space = 0x20;
/** At least the length of the longest abbreviation. */
const maxAbbreviationLength = 12;

/** Splits a paragraph into sentences, without the space between them, in one pass. Offsets are into the text. */
export function sentencesOf(text: string, { start, end }: Stretch): Stretch[] {
  const paragraph = text.slice(start, end);
  const sentences: Stretch[] = [];
  let from = 0;
  function add(to: number): void {
    const sentence = trimmed(text, { start: start + from, end: start + to });
    if (sentence.start < sentence.end) sentences.push(sentence);
    from = to;
  }
  // Not `matchAll`, which creates a new expression at each call.
  stop.lastIndex = 0;
  for (let match = stop.exec(paragraph); match; match = stop.exec(paragraph)) {
    if (!goesOn(paragraph, from, match.index, stop.lastIndex)) add(stop.lastIndex);
  }
  add(paragraph.length);
  return sentences;
}

/** Whether the sentence continues after a stop. */
function goesOn(text: string, from: number, index: number, to: number): boolean {
  if (!stops.includes(text.charAt(index))) return false;
  const next = /\S/u.exec(text.slice(to, to + maxGapLength))?.[0] ?? '';
  if (/\p{Ll}/u.test(next)) return true;
  return text.charAt(index) === '.' && text.charAt(index + 1) !== '.' && endsAbbreviation(text, from, index);
}

/** Whether a dot belongs to the word before it, in a sentence that begins at `from`. */
export function endsAbbreviation(text: string, from: number, index: number): boolean {
  const first = asciiWordStart(text, from, index);
  if (index - first > longestAbbreviation) return false;
  // Most words before a stop are letters of ASCII after a space.
  if (index - first > 1 && (first === from || text.charCodeAt(first - 1) === space))
    return abbreviations.has(text.slice(first, index).toLowerCase());
  const before = text.slice(Math.max(from, index - maxAbbreviationLength), index);
  const word = /[\p{L}\p{N}.]+$/u.exec(before)?.[0] ?? '';
  // J. R. R., e.g., U.S., and the 1. of a numbered line
  if (/^(?:\p{L}\.)*\p{L}$/u.test(word)) return word !== 'I';
  if (/^\p{N}{1,3}$/u.test(word)) return text.slice(from, index).trim() === word;
  return abbreviations.has(word.toLowerCase());
}

/** Where the letters of ASCII begin that end at an offset. */
function asciiWordStart(text: string, from: number, end: number): number {
  let start = end;
  while (start > from) {
    const lower = text.charCodeAt(start - 1) | 0x20;
    if (lower < 0x61 || lower > 0x7a) break;
    start--;
  }
  return start;
}

/** Whether a stretch of a text ends as sentences do. */
export function endsSentence(text: TextSource, end: number): boolean {
  return stopAtEnd.test(text.slice(Math.max(0, end - maxEndLength), end));
}

/** A stretch without the white space at its ends. */
export function trimmed(text: string, { start, end }: Stretch): Stretch {
  let first = start;
  let last = end;
  while (first < last && /\s/.test(text.charAt(first))) first++;
  while (last > first && /\s/.test(text.charAt(last - 1))) last--;
  return { start: first, end: last };
}
