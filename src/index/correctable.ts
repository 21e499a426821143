/** Words are suggested from this length on, in UTF-16 units. */
export const minCorrectable = 4;
/** And up to this one: what is longer is rather a key, a hash or a text without spaces. */
export const maxCorrectable = 40;

/** Letters, and two digits at most at the end (`sqlite3`, `base64`): no compound, no stem, no number. */
const word = /^[\p{L}\p{M}]+\p{N}{0,2}$/u;
/** Their index terms are single characters and bigrams, which are no words. */
const cjk = /[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af]/u;
const digitsAtEnd = /\p{N}*$/u;

/** Whether an index term is a word as people type it, of which another may be a misspelling. */
export function isCorrectable(term: string): boolean {
  const { length } = term;
  return length >= minCorrectable && length <= maxCorrectable && hasWordShape(term);
}

/** The same for a word of any length: a misspelt one may be shorter than what it is meant for. */
export function hasWordShape(term: string): boolean {
  return word.test(term) && !cjk.test(term);
}

/** `python2` is no misspelling of `python3`: the digits of a word are meant as they are. */
export function hasSameDigits(one: string, other: string): boolean {
  return digitsAtEnd.exec(one)?.[0] === digitsAtEnd.exec(other)?.[0];
}
