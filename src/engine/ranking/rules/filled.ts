import type { FoundTerm } from '../../../text/find-terms.ts';
import type { Question } from '../query-features.ts';
import type { NamePart } from './name-parts.ts';
import { distinctWeight, share } from './word-weights.ts';

/** A line of which less is in the question is about something else. */
const leastOfPart = 0.2;

const letter = /[\p{L}\p{N}\p{M}]/u;
/** In scripts with capitals a word that is found inside of another one is not that word. */
const joined = /[\p{Lu}\p{Ll}\p{N}]/u;

/**
 * How well a part of a line and a question fill each other, 0 to 1: by the share of the part that is words of the
 * question, and by the share of the question that the part has, or else the page's place (site, address, title) has.
 * So `asyncio gather` fills the line `asyncio.gather(*aws)`, and the line `gather()` on a page of asyncio's.
 *
 * `found` are the question's words in the line, in reading order, whole words alone; see `wholeWords`.
 */
export function filled(
  line: string,
  { start, end, sureness }: NamePart,
  found: readonly FoundTerm[],
  { totalWeight }: Pick<Question, 'totalWeight'>,
  inPlace: () => readonly FoundTerm[],
): number {
  const within = found.filter((token) => token.start >= start && token.end <= end);
  if (within.length === 0) return 0;
  const ofPart = share(coveredLetters(line, within), countLetters(line.slice(start, end)));
  if (ofPart < leastOfPart) return 0;
  const ofQuestion = share(distinctWeight(within, inPlace()), totalWeight);
  return sureness * (ofPart * ofQuestion) ** 2;
}

/** The tokens that are no pieces of longer words of the text. */
export function wholeWords(text: string, found: readonly FoundTerm[]): FoundTerm[] {
  return found.filter(({ start, end }) => isBorder(text, start) && isBorder(text, end));
}

/** Whether a word may begin or end at an offset. */
function isBorder(text: string, offset: number): boolean {
  return !(joined.test(text.charAt(offset - 1)) && joined.test(text.charAt(offset)));
}

/** Tokens overlap where one is a compound and the next its part. */
function coveredLetters(line: string, found: readonly FoundTerm[]): number {
  let count = 0;
  let done = 0;
  for (const { start, end } of found) {
    if (end <= done) continue;
    count += countLetters(line.slice(Math.max(start, done), end));
    done = end;
  }
  return count;
}

function countLetters(text: string): number {
  let count = 0;
  for (const character of text) {
    const code = character.charCodeAt(0);
    if (code >= 128 ? letter.test(character) : isAsciiLetter(code)) count++;
  }
  return count;
}

function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39);
}
