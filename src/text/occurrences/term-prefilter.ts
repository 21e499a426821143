import * as is from '../characters.ts';
import { foldsToMany, letterForms } from '../letter-forms.ts';
import { stemPrefix } from '../stem-prefix.ts';
import { stemMark } from '../stems.ts';
import { maxTermLength } from '../tokenizer.ts';

/**
 * The first offset at or after `from` where one of the terms may be; -1 if there is none before `length`. `units` are
 * those of a text in normal form, with zeros after them.
 */
export type Prefilter = (units: Uint16Array, length: number, from: number) => number;

/** The folded units of a whole term, or of the common prefix of all words with one stem. */
interface Needle {
  readonly letters: string;
  /** Whether no lower-case letter or digit may follow. */
  readonly endsWord: boolean;
}

// The roles of a unit, one bit each.
/** The first letter of a term, unless it continues a word. */
const small = 1;
/** The first digit of a term, unless it continues a number. */
const digit = 2;
/** The beginning of a term at any offset, such as a capital. */
const anywhere = 4;
/** A sign that is in a word but not in its term. */
const sign = 8;
/** A unit that alone does not rule out a term. */
const unknown = 16;
/** The second unit of a term. */
const second = 32;
const beginnings = small | digit | anywhere | sign | unknown;
/** Shift of the bits that say which roles the next unit cannot have. */
const forNext = 6;

const plus = 0x2b;
const comma = 0x2c;
const dot = 0x2e;
const apostrophe = 0x27;
const rightQuote = 0x2019;
const smallS = 0x73;
const signs = [plus, dot, apostrophe, rightQuote];

/**
 * A prefilter that stops in every chunk of a text from which `tokenize` and `wordTerms` make one of these terms, or a
 * word with one of these stems (terms that start with `~`). In a run of Han, kana or hangul it stops where the term
 * begins. It has false positives, so the caller tokenizes where it stops; with `atAccents` and a Latin term, every
 * accented Latin letter is one. Null if it would never stop.
 *
 * It is no regular expression: each query would need its own, and compiling one takes longer than using it.
 */
export function termPrefilter(
  terms: Iterable<string>,
  lang: string,
  { atAccents }: { readonly atAccents: boolean },
): Prefilter | null {
  const kinds = is.characterKinds();
  const forms = letterForms();
  const { folded } = forms;
  const needles = new Map<number, Needle[]>();
  const bitsOf = unitBits().slice();
  /** Whether any word at all may have one of the stems. */
  let hasAny = false;
  let hasLetters = false;
  let hasLatin = false;
  let hasOneUnit = false;

  function mark(units: Iterable<number>, bitOf: (unit: number) => number): void {
    for (const unit of units) bitsOf[unit] = (bitsOf[unit] as number) | bitOf(unit);
  }

  function add(letters: string, endsWord: boolean): void {
    const first = letters.charCodeAt(0);
    needles.set(first, [...(needles.get(first) ?? []), { letters, endsWord }]);
    mark(forms.of(first), (unit) => beginning(kinds[unit] as number));
    if (letters.length > 1) mark(forms.of(letters.charCodeAt(1)), () => second);
    else hasOneUnit = true;
    hasLetters ||= Array.from(letters).some((letter) => isLetter(kinds[letter.charCodeAt(0)] as number));
    hasLatin ||= /[a-z]/.test(letters);
  }

  for (const term of terms) {
    const isStem = term.startsWith(stemMark);
    const letters = isStem ? stemPrefix(term.slice(stemMark.length), lang) : term;
    const kind = kinds[letters.charCodeAt(0)];
    if (letters === '') hasAny = true;
    else if (kind !== is.separator) add(letters, !isStem && mayEndWord(letters));
    // Removing an invisible character between two characters leaves them apart, though NFKC would have joined them.
    if (kind === is.spacelessLetter) add(letters.normalize('NFD'), false);
  }
  if (needles.size === 0 && !hasAny) return null;
  if (hasAny) mark(lettersAndDigits(), () => unknown);
  // These may replace the second unit of a term: a comma in a number, and ß for two letters.
  mark([comma, ...forms.many], () => second);
  if (hasLetters) mark(forms.many, (unit) => beginning(kinds[unit] as number));
  if (hasLetters) mark(signs, () => sign);
  if (hasLatin && atAccents) mark(accentedUnits(), () => unknown);

  function kindAt(units: Uint16Array, offset: number): number {
    return kinds[units[offset] as number] as number;
  }

  function holds({ letters, endsWord }: Needle, units: Uint16Array, start: number): boolean {
    let offset = start;
    for (let next = 0; next < letters.length; next++, offset++) {
      const needleUnit = letters.charCodeAt(next);
      // A number may have commas between its digits; its term has none.
      const isComma = units[offset] === comma && next > 0 && kindAt(units, offset - 1) === is.digit;
      if (isComma && kinds[needleUnit] === is.digit) offset++;
      const letter = folded[units[offset] as number];
      if (letter === foldsToMany) return true;
      if (letter !== needleUnit) return false;
    }
    return !endsWord || !isSmall(units[offset] as number) || isInLongWord(units, offset);
  }

  /** The terms of long words are cut, so more of the word may follow. */
  function isInLongWord(units: Uint16Array, end: number): boolean {
    const start = end - 2 * maxTermLength;
    let offset = end;
    while (offset > start && offset > 0 && kindAt(units, offset - 1) !== is.separator) offset--;
    return offset === start;
  }

  function holdsAny(units: Uint16Array, offset: number): boolean {
    const first = folded[units[offset] as number] as number;
    if (first === foldsToMany) return true;
    if (!hasOneUnit && ((bitsOf[units[offset + 1] as number] as number) & second) === 0) return false;
    for (const needle of needles.get(first) ?? []) if (holds(needle, units, offset)) return true;
    return false;
  }

  /** Whether a word has a sign here that its terms lack, or continues after one. */
  function isIrregular(units: Uint16Array, offset: number): boolean {
    const before = offset === 0 ? is.separator : kindAt(units, offset - 1);
    const next = kindAt(units, offset + 1);
    switch (units[offset]) {
      // C++17x
      case plus:
        return units[offset + 1] === plus;
      // U.S.A.
      case dot:
        return before === is.upperLetter && next === is.upperLetter;
      // don't and O'Reilly, but not the user's
      default:
        return isLetter(before) && isLetter(next) && !isPossessive(units, offset + 1);
    }
  }

  function isPossessive(units: Uint16Array, offset: number): boolean {
    const next = kindAt(units, offset + 1);
    return units[offset] === smallS && !isLetter(next) && next !== is.digit && next !== is.connector;
  }

  function mayBeAt(units: Uint16Array, offset: number): boolean {
    const bits = bitsOf[units[offset] as number] as number;
    if ((bits & unknown) !== 0) return true;
    return ((bits & sign) !== 0 && isIrregular(units, offset)) || holdsAny(units, offset);
  }

  return (units, length, from) => {
    let before = from === 0 ? 0 : (bitsOf[units[from - 1] as number] as number);
    for (let offset = from; offset < length; offset++) {
      const bits = bitsOf[units[offset] as number] as number;
      if ((bits & beginnings & ~(before >> forNext)) !== 0 && mayBeAt(units, offset)) return offset;
      before = bits;
    }
    return -1;
  };
}

/** Whether the term may be the end of a word: not if the word was so long that its term was cut. */
function mayEndWord(term: string): boolean {
  return term.length < maxTermLength - 1 && isSmall(term.charCodeAt(term.length - 1));
}

/** A lower-case letter or a digit of ASCII. */
function isSmall(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}

function isLetter(kind: number): boolean {
  return kind === is.lowerLetter || kind === is.upperLetter;
}

function isOfWord(kind: number): boolean {
  return isLetter(kind) || kind === is.digit;
}

function beginning(kind: number): number {
  return kind === is.lowerLetter ? small : kind === is.digit ? digit : anywhere;
}

let bitsForAll: Uint8Array | undefined;

/** The bits that do not depend on the terms. */
function unitBits(): Uint8Array {
  bitsForAll ??= is.characterKinds().map((kind) => {
    // Marks change the character before them, and a surrogate is half of a character.
    if (kind === is.mark || kind === is.surrogate) return unknown;
    if (kind === is.digit) return (small | digit) << forNext;
    return isLetter(kind) ? small << forNext : 0;
  });
  return bitsForAll;
}

let words: readonly number[] | undefined;

function lettersAndDigits(): readonly number[] {
  const kinds = is.characterKinds();
  words ??= [...kinds.keys()].filter((unit) => isOfWord(kinds[unit] as number));
  return words;
}

/** Ranges of the basic plane with accented letters and ligatures of the Latin alphabet. */
const accented = [
  [0xc0, 0x2b0],
  [0x1d00, 0x1f00],
  [0x2c60, 0x2c80],
  [0xa720, 0xab70],
] as const;
let accents: readonly number[] | undefined;

function accentedUnits(): readonly number[] {
  accents ??= accented.flatMap(([first, end]) =>
    Array.from({ length: end - first }, (_, offset) => first + offset),
  );
  return accents;
}
