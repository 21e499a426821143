import { isCjkFunctionWord } from './language/function-words.ts';
import { withoutKoreanParticle } from './language/korean-particles.ts';
import { segmentsOf } from './segments.ts';

export type VisitTerm = (term: string, start: number, end: number) => void;

const wideOrMarked = /[\u{10000}-\u{10ffff}\p{M}]/u;
const characterWithMarks = /\P{M}\p{M}*/gu;

/** Whether a run has characters of more than one UTF-16 unit: beyond the basic plane, or with marks. */
export function hasWideCharacters(run: string): boolean {
  return wideOrMarked.test(run);
}

function charactersOf(run: string): string[] {
  return run.match(characterWithMarks) ?? [];
}

/** For runs with characters of more than one UTF-16 unit. */
function visitWideTerms(run: string, visit: VisitTerm): void {
  const characters = charactersOf(run);
  let start = 0;
  for (const [index, character] of characters.entries()) {
    const end = start + character.length;
    const next = characters[index + 1];
    visit(character, start, end);
    if (next !== undefined) visit(character + next, start, end + next.length);
    start = end;
  }
}

/**
 * The index terms of a run of Han, kana or hangul: every character and every bigram, in reading order, with
 * their offsets in the run. A page can thus be found by any part of its text, wherever words begin.
 */
export function visitCjkTerms(run: string, visit: VisitTerm): void {
  if (hasWideCharacters(run)) {
    visitWideTerms(run, visit);
    return;
  }
  const last = run.length - 1;
  for (let offset = 0; offset < last; offset++) {
    visit(run.charAt(offset), offset, offset + 1);
    visit(run.slice(offset, offset + 2), offset, offset + 2);
  }
  visit(run.charAt(last), last, last + 1);
}

/** The bigrams of a run; its only character when there is just one. */
function chain(run: string): string[] {
  const characters = charactersOf(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** The segmenter may not know names and short terms. Single characters that it leaves of them are joined to one word. */
const maxNameLength = 4;
const maxFunctionWordSegments = 4;
const hiraganaOnly = /^[\p{Script=Hiragana}ー]+$/u;

/**
 * The content words of a run; none if all its words are function words. A run of two characters is one word, and so is
 * a run of a few hiragana, which the segmenter would split too often.
 */
function contentWords(run: string): string[] {
  const size = charactersOf(run).length;
  if (size <= 2) return isCjkFunctionWord(run) ? [] : [run];
  const segments = Array.from(segmentsOf(run), ({ segment }) => segment);
  const words: string[] = [];
  let joins = false;
  for (let index = 0; index < segments.length; ) {
    const segmentCount = functionWordAt(segments, index);
    const segment = segments[index] as string;
    const single = segmentCount === 0 && size <= maxNameLength && charactersOf(segment).length === 1;
    if (single && joins) words.push(words.pop() + segment);
    else if (segmentCount === 0) words.push(segment.length > 2 ? withoutKoreanParticle(segment) : segment);
    joins = single;
    index += segmentCount || 1;
  }
  const isShattered = words.length > 0 && size <= maxNameLength && hiraganaOnly.test(run);
  return isShattered ? [run] : words;
}

/** How many segments from `index` on make up one function word; 0 if none do. The segmenter splits `ください` in two. */
function functionWordAt(segments: readonly string[], index: number): number {
  let joined = segments[index] as string;
  let segmentCount = isCjkFunctionWord(joined) ? 1 : 0;
  for (let count = 2; count <= maxFunctionWordSegments && index + count <= segments.length; count++) {
    joined += segments[index + count - 1];
    if (isCjkFunctionWord(joined)) segmentCount = count;
  }
  return segmentCount;
}

/** Whether all words of a run are function words (`是什么`). */
export function isFunctionRun(run: string): boolean {
  return contentWords(run).length === 0;
}

/** The words of a run that a page must hold, as they are written; the whole run if it has no content word. */
export function cjkWords(run: string): { word: string; terms: string[] }[] {
  const words = contentWords(run);
  return (words.length > 0 ? words : [run]).map((word) => ({ word, terms: chain(word) }));
}

/** The terms by which a query looks for a run: those that must match, and the rest of the chain. */
export interface CjkQueryTerms {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/**
 * A quoted run requires all its bigrams. Any other run is split into words first, so that a page matches that has the
 * words apart from each other; function words and the bigrams across words only raise the score.
 */
export function cjkQueryTerms(run: string, quoted: boolean): CjkQueryTerms {
  const whole = chain(run);
  if (quoted) return { required: whole, optional: [] };
  const required = new Set(contentWords(run).flatMap(chain));
  return { required: [...required], optional: whole.filter((term) => !required.has(term)) };
}
