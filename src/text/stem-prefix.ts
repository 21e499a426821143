/**
 * How many letters at the end of a stem a Snowball stemmer may have put in the place of others: one more than the
 * four million words of Debian's word lists in 14 languages show.
 */
const lettersReplaced: ReadonlyMap<string, number> = new Map([
  ...'da de no pt ru sv'.split(' ').map((lang) => [lang, 1] as const),
  ...'es hu it ro'.split(' ').map((lang) => [lang, 2] as const),
  ...'fr nl'.split(' ').map((lang) => [lang, 3] as const),
]);
/** Stemmers that also take away what stands before a word or inside it. */
const notByEnding = new Set(['ar', 'fi', 'tr']);
/** Porter puts only i for y, e for nothing, and `bl` for `bilit`. */
const replacedByPorter = /[ei]$|(?<=b)l$/;

/**
 * What every word in its index form begins with whose stem in this language is `stem` (without its mark); empty
 * where nothing can be said. Languages without a stemmer of their own are stemmed as English.
 */
export function stemPrefix(stem: string, lang: string): string {
  if (notByEnding.has(lang)) return '';
  const replaced = lettersReplaced.get(lang);
  return replaced === undefined ? stem.replace(replacedByPorter, '') : stem.slice(0, -replaced);
}
