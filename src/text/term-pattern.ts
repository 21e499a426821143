import * as is from './characters.ts';
import { isAscii } from './fold.ts';
import { asciiForms, type LetterForms, letterForms } from './letter-forms.ts';
import { maxTermLength } from './scan.ts';
import { stemPrefix } from './stem-prefix.ts';
import { stemMark } from './stems.ts';

/**
 * What a text in normal form is made of, which decides how narrow a pattern can be: only ASCII, no marks and
 * nothing beyond the basic plane, or anything.
 */
export type Reach = 'ascii' | 'unmarked' | 'any';

/** The beginning of any word, for stems that say nothing of it. */
const anyWord = '[^\\0-/:-@[-`{-\\x7f]';

const letter = 'A-Za-z\\u00aa-\\uffff';
const capital = 'A-Z\\u00c0-\\u2dff\\ua640-\\uabff';
/** Where a word has letters that its terms have not, or a word begins that nothing shows the beginning of. */
const irregular = [
  // don't and O'Reilly, but not the user's
  `['\\u2019](?=[${letter}])(?!s(?![${letter}0-9'\\u2019+#]))(?<=[${letter}]['\\u2019])`,
  // U.S.A.
  `\\.(?=[${capital}])(?<=[${capital}]\\.)`,
  // C++17x
  '\\+\\+',
];
/** Letters with accents and ligatures that stand for the 26, once NFKC was applied. */
const accented = '[\\u00c0-\\u02af\\u1d00-\\u1eff\\u2c60-\\u2c7f\\ua720-\\uab6f]';

/**
 * A pattern that has a match in every chunk of a text from which `scan` and `wordTerms` make one of these terms, or
 * a word with one of these stems (terms that start with `~`). In a run of Han, kana or hangul a match is where the
 * term begins. It also matches elsewhere: whoever uses it has to look. Null when nothing can match.
 */
export function termPattern(terms: Iterable<string>, lang: string, reach: Reach): RegExp | null {
  const alternatives = new Set<string>();
  for (const term of terms) {
    for (const alternative of alternativesFor(term, lang, reach)) alternatives.add(alternative);
  }
  if (alternatives.size === 0) return null;
  if (reach === 'any') alternatives.add(`[${marks()}\\ud800-\\udfff]`);
  return new RegExp([...alternatives].join('|'), 'g');
}

/** What a text in normal form needs of a pattern. */
export function reachOf(form: string): Reach {
  if (isAscii(form)) return 'ascii';
  const first = form.search(maybeMarked);
  if (first < 0) return 'unmarked';
  wideOrMarked ??= new RegExp(`[${marks()}\\ud800-\\udfff]`, 'g');
  wideOrMarked.lastIndex = first;
  return wideOrMarked.test(form) ? 'any' : 'unmarked';
}

function alternativesFor(term: string, lang: string, reach: Reach): string[] {
  if (term.startsWith(stemMark)) {
    const prefix = stemPrefix(term.slice(stemMark.length), lang);
    return prefix === '' ? [anyWord] : wordPatterns(prefix, reach, false);
  }
  switch (kindOf(term.charAt(0))) {
    case is.cjkCharacter:
    case is.symbol:
      return [escaped(term)];
    case is.spacelessLetter:
      return [escaped(term), escaped(term.normalize('NFD'))];
    case is.separator:
      return [];
    default:
      return wordPatterns(term, reach, true);
  }
}

/** Matches where a word, or a part of one that capitals mark, begins with `letters`, in whatever case. */
function wordPatterns(letters: string, reach: Reach, whole: boolean): string[] {
  const forms = reach === 'ascii' ? asciiForms : letterForms();
  const characters = [...letters];
  let pattern = '';
  for (const [place, character] of characters.entries()) {
    const before = characters[place - 1];
    if (before === undefined) pattern += beginning(character, forms);
    else pattern += (areDigits(before, character) ? ',?' : '') + characterClass(forms.of(character));
  }
  if (whole && letters.length < maxTermLength - 1) pattern += endAfter(letters);
  const others = reach !== 'ascii' && /[a-z]/.test(letters) ? [...irregular, accented] : irregular;
  return characters.some(isLetter) ? [pattern, ...others] : [pattern];
}

/** A letter that begins a word; a capital may also begin a part of one. A digit may follow on the `v` of `v1.2`. */
function beginning(character: string, forms: LetterForms): string {
  const all = forms.of(character);
  if (!isLetter(character)) return characterClass(all);
  const capitals = all.filter((form) => kindOf(form) === is.upperLetter);
  const others = characterClass(all.filter((form) => kindOf(form) !== is.upperLetter));
  const first = `${others}(?<!${wordCharacters(forms)}${others})`;
  return capitals.length === 0 ? first : `(?:${first}|${characterClass(capitals)})`;
}

/** No small letter and no digit follows a whole term, unless its word was so long that it was cut. */
function endAfter(letters: string): string {
  return /[a-z0-9]$/.test(letters) ? `(?:(?![a-z0-9])|(?<=\\S{${2 * maxTermLength}}))` : '';
}

/** A number may have commas between its digits that its term has not. */
function areDigits(one: string, other: string): boolean {
  return kindOf(one) === is.digit && kindOf(other) === is.digit;
}

function kindOf(character: string): number {
  return is.characterKinds()[character.charCodeAt(0)] ?? is.separator;
}

function isLetter(character: string): boolean {
  const kind = kindOf(character);
  return kind === is.lowerLetter || kind === is.upperLetter;
}

function characterClass(characters: readonly string[]): string {
  return characters.length === 1 ? escaped(characters.join('')) : `[${characters.map(escaped).join('')}]`;
}

function escaped(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The inside of a character class: all UTF-16 units below `limit` of these kinds. */
function classOf(limit: number, ...wanted: number[]): string {
  const kinds = is.characterKinds();
  let ranges = '';
  for (let code = 0; code < limit; code++) {
    const first = code;
    while (code < limit && wanted.includes(kinds[code] as number)) code++;
    if (code > first) {
      ranges += `${escaped(String.fromCharCode(first))}-${escaped(String.fromCharCode(code - 1))}`;
    }
  }
  return ranges;
}

/** A quick look past what most texts are made of: Latin, punctuation, symbols, Han, kana, hangul, wide forms. */
const maybeMarked =
  /[^\0-\u02ff\u2000-\u20cf\u2100-\u2cee\u3000-\u3029\u3030-\u3098\u309b-\ua66e\uac00-\ud7ff\uff00-\uffff]/;
let wideOrMarked: RegExp | undefined;
let markRanges: string | undefined;
let letterRanges: string | undefined;

function marks(): string {
  markRanges ??= classOf(0x10000, is.mark);
  return markRanges;
}

/** After one of these no word begins with a small letter. Those of the alphabets up to Cyrillic are enough. */
function wordCharacters(forms: LetterForms): string {
  if (forms === asciiForms) return '[A-Za-z0-9]';
  letterRanges ??= classOf(0x530, is.lowerLetter, is.upperLetter, is.digit);
  return `[${letterRanges}]`;
}
