/**
 * Characters that are invisible or join the parts of one word: soft hyphen, joiners, direction marks, tatweel,
 * variation selectors, skin tones.
 */
const ignorable =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each code point is listed on its own
  /[\u00ad\u034f\u061c\u0640\u180e\u200c-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff\u{1f3fb}-\u{1f3ff}\u{e0000}-\u{e01ef}]/gu;

/** Marks on letters of alphabets whose readers often omit them. й and ў are letters in their own right. */
const accents = /(?![иу]\u0306)([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
/** Vowel points of Arabic and Hebrew, which ordinary text omits. */
const vowelPoints = /[\u064b-\u0652\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/g;
/** Letters that Unicode does not decompose, with the usual substitutes in their languages. */
const undecomposed: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ς: 'σ',
};
const undecomposedLetter = /[ßæœøłđðþħıŋς]/g;
const hyphenOrApostrophe = /[\u2010\u2019]/g;
const ascii = /^[\0-\x7f]*$/;

/** Common characters that NFKC does not change, alone or next to each other. */
const normal =
  /^[\0-\x9f\u00c0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u3001\u3002\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff]*$/;

/** NFKC without invisible characters: the form in which texts are tokenized. */
export function normalizeForm(text: string): string {
  if (normal.test(text)) return text;
  return text.normalize('NFKC').replace(ignorable, '');
}

/** Whether a text has only characters of ASCII. */
export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/**
 * The index form of a word that is in `normalizeForm`: lower case, without the accents of Latin, Greek and
 * Cyrillic letters and the vowel points of Arabic and Hebrew. Marks of other scripts are letters and stay.
 */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(accents, '$1')
    .replace(vowelPoints, '')
    .replace(undecomposedLetter, (letter) => undecomposed[letter] ?? letter)
    .replace(hyphenOrApostrophe, (sign) => (sign === '\u2010' ? '-' : "'"))
    .normalize('NFC');
}
