import { expect, test } from 'vitest';

import * as is from '../../src/text/characters.ts';
import { foldWord } from '../../src/text/fold.ts';
import { foldsToMany, letterForms } from '../../src/text/letter-forms.ts';

const units = Array.from({ length: 0x10000 }, (_, unit) => unit);

/** The first row that matches decides. */
const kindsByPattern: readonly (readonly [RegExp, number])[] = [
  [/[\ud800-\udfff]/, is.surrogate],
  [/[\u00a9\u00ae]/, is.separator],
  [/[._\-\u2010/@&'\u2019:,+#]/, is.connector],
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}ー]/u,
    is.cjkCharacter,
  ],
  [/[\u3099\u309a]/, is.mark],
  [/[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u, is.spacelessLetter],
  [/\p{M}/u, is.mark],
  [/\p{N}/u, is.digit],
  [/[\p{Lu}\p{Lt}]/u, is.upperLetter],
  [/\p{L}/u, is.lowerLetter],
  [/\p{Extended_Pictographic}/u, is.symbol],
];
const kindOf = (unit: number): number =>
  kindsByPattern.find(([pattern]) => pattern.test(String.fromCharCode(unit)))?.[1] ?? is.separator;

test('every unit of the basic plane has the kind that its properties give', () => {
  const kinds = is.characterKinds();
  expect(units.filter((unit) => kinds[unit] !== kindOf(unit))).toEqual([]);
  expect(new Set(kinds)).toEqual(new Set(units.map(kindOf)));
});

test('the class of a unit in a word follows from its kind', () => {
  const classOf = (unit: number): number => {
    const kind = kindOf(unit);
    if (kind === is.separator || kind > is.mark) return is.noWord;
    return unit < 0x80 && kind !== is.upperLetter ? is.plain : is.notPlain;
  };
  const classes = is.wordUnits();
  expect(units.filter((unit) => classes[unit] !== classOf(unit))).toEqual([]);
});

test('a letter folds in the table as it does alone', () => {
  const { folded, of, many } = letterForms();
  const changed = units.filter((unit) => folded[unit] !== unit);
  expect(changed.length).toBeGreaterThan(1000);
  for (const unit of changed) {
    const form = foldWord(String.fromCharCode(unit));
    expect(folded[unit]).toBe(form.length === 1 ? form.charCodeAt(0) : foldsToMany);
    if (form.length === 1)
      expect(of(form.charCodeAt(0))).toEqual(expect.arrayContaining([unit, form.charCodeAt(0)]));
  }
  expect(many).toEqual(changed.filter((unit) => folded[unit] === foldsToMany));
  expect(many.map((unit) => String.fromCharCode(unit))).toContain('ß');
  // Normal form has no full-width letters.
  const alphabets = units.filter((unit) => unit < 0x3000 || (unit >= 0xa640 && unit < 0xac00));
  const capitals = alphabets.filter((unit) => /[\p{Lu}\p{Script=Latin}]/u.test(String.fromCharCode(unit)));
  const isFolded = (unit: number) => foldWord(String.fromCharCode(unit)) !== String.fromCharCode(unit);
  expect(capitals.filter(isFolded).filter((unit) => folded[unit] === unit)).toEqual([]);
  expect(of(0x4e00)).toEqual([0x4e00]);
});

test('characters beyond the basic plane have kinds, too', () => {
  expect(is.supplementaryKind('\u{20000}')).toBe(is.cjkCharacter);
  expect(is.supplementaryKind('\u{1f600}')).toBe(is.symbol);
  expect(is.supplementaryKind('\u{1d7d8}')).toBe(is.digit);
});
