/** Shortest word that is suggested, in UTF-16 units. */
export const minCorrectable = 4;
/** Longest word that is suggested. Longer terms are mostly keys, hashes or text without spaces. */
export const maxCorrectable = 40;

/** Letters, then at most two digits (`sqlite3`, `base64`): no compound, no stem, no number. */
const word = /^[\p{L}\p{M}]+\p{N}{0,2}$/u;
/** Scripts whose index terms are single characters and bigrams, not words. */
const cjk = /[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af]/u;
const digitsAtEnd = /\p{N}*$/u;

/** Whether an index term is a word that can be suggested for a misspelling. */
export function isCorrectable(term: string): boolean {
  const { length } = term;
  return length >= minCorrectable && length <= maxCorrectable && hasWordShape(term);
}

/** As `isCorrectable`, for a word of any length: a misspelling may be shorter than the intended word. */
export function hasWordShape(term: string): boolean {
  return word.test(term) && !cjk.test(term);
}

/** Whether two words end with the same digits. `python2` is no misspelling of `python3`. */
export function hasSameDigits(one: string, other: string): boolean {
  return digitsAtEnd.exec(one)?.[0] === digitsAtEnd.exec(other)?.[0];
}
