const quotes = /[“”„‟＂«»「」『』]/g;
const bars = /｜/g;
const openings = /(?<![-+－−–])（/g;
const signedOpenings = /（/g;
const closings = /）/g;
/** Byte order and direction marks: they show nothing, and pasted text has them before its first word. */
const directionMarks = /[\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const blanks = /[\0\u200b\u3000]|\p{Surrogate}/gu;

/**
 * Replaces the look-alikes of syntax that mean the same wherever they stand (rule 1). Full-width brackets come
 * out with a space around them (save after a sign): Chinese and Japanese put none there, and they never
 * belong to a word.
 */
export function replaceLookAlikes(q: string): string {
  return q
    .replace(directionMarks, '')
    .replace(blanks, ' ')
    .replace(quotes, '"')
    .replace(bars, '|')
    .replace(openings, ' (')
    .replace(signedOpenings, '(')
    .replace(closings, ') ');
}

/** Whether a character that begins a token excludes it: the hyphen, or a dash that looks like one. */
export function isMinus(character: string | undefined): boolean {
  return character === '-' || character === '－' || character === '−' || character === '–';
}

/** Text as the ranking's phrase and window rules compare it: NFKC, lower case, single spaces. */
export function normalizeText(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ');
}
