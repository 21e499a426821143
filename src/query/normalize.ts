/** Text that has no look-alike of anything, and that NFKC does not change: most queries. */
const plain = /^[\t\n\r -~]*$/;
const quotes = /[“”„‟＂«»「」『』]/g;
const bars = /｜/g;
const openings = /(?<![-+－−–])（/g;
const signedOpenings = /（/g;
const closings = /）/g;
/** Byte order and direction marks: invisible, and often at the start of pasted text. */
const directionMarks = /[\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const blanks = /[\0\u200b\u3000]|\p{Surrogate}/gu;

/**
 * Replaces look-alikes of syntax that have the same meaning everywhere (rule 1). Full-width brackets get a space around
 * them (except after a sign): Chinese and Japanese write none, and such brackets never belong to a word.
 */
export function replaceLookAlikes(q: string): string {
  if (plain.test(q)) return q;
  return q
    .replace(directionMarks, '')
    .replace(blanks, ' ')
    .replace(quotes, '"')
    .replace(bars, '|')
    .replace(openings, ' (')
    .replace(signedOpenings, '(')
    .replace(closings, ') ');
}

/** Whether a character at the start of a token excludes it: the hyphen, or a dash that looks like one. */
export function isMinus(character: string | undefined): boolean {
  return character === '-' || character === '－' || character === '−' || character === '–';
}

/** Normalizes text for the phrase and window rules of the ranking: NFKC, lower case, single spaces. */
export function normalizeText(text: string): string {
  return compatible(text).toLowerCase().trim().replace(/\s+/g, ' ');
}

/** The text in NFKC. */
export function compatible(text: string): string {
  return plain.test(text) ? text : text.normalize('NFKC');
}
