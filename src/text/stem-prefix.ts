/**
 * How many letters at the end of a stem may be replacements by the Snowball stemmer: one more than the maximum over the
 * four million words of Debian's word lists in 14 languages.
 */
const lettersReplaced: ReadonlyMap<string, number> = new Map([
  ...'da de no pt ru sv'.split(' ').map((lang) => [lang, 1] as const),
  ...'es hu it ro'.split(' ').map((lang) => [lang, 2] as const),
  ...'fr nl'.split(' ').map((lang) => [lang, 3] as const),
]);
/** Stemmers that also remove letters at the beginning of a word or inside it. */
const notByEnding = new Set(['ar', 'fi', 'tr']);
/** Porter's only replacements: i for y, an added e, and `bl` for `bilit`. */
const replacedByPorter = /[ei]$|(?<=b)l$/;

/**
 * The common prefix of all words, in index form, whose stem in this language is `stem` (without its mark); empty if
 * there is none. Languages without a stemmer are stemmed as English.
 */
export function stemPrefix(stem: string, lang: string): string {
  if (notByEnding.has(lang)) return '';
  const replaced = lettersReplaced.get(lang);
  return replaced === undefined ? stem.replace(replacedByPorter, '') : stem.slice(0, -replaced);
}
