import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldWord, normalizeForm } from '../../../src/text/fold.ts';
import { type FoundTerm, findTerms, inReadingOrder } from '../../../src/text/occurrences/find-terms.ts';
import { stemPrefix } from '../../../src/text/stem-prefix.ts';
import { stemTerm } from '../../../src/text/stems.ts';
import { indexTerms, locateTerms } from '../../../src/text/terms.ts';
import { dataSets } from '../../data-sets.ts';
import { chooseTerms, textLanguages as langs, randomText as text } from '../random-text.ts';

/** What `findTerms` promises, by looking at every token. */
function findSlowly(text: string, terms: ReadonlyMap<string, number>, lang: string): FoundTerm[] {
  const found = locateTerms(text).flatMap(({ term, start, end }) => {
    const stem = stemTerm(term, lang);
    const own = terms.get(term);
    const shared = stem === null ? undefined : terms.get(stem);
    if (own === undefined && shared === undefined) return [];
    const word = stem !== null && shared !== undefined ? stem : term;
    const number = [...terms.keys()].indexOf(word);
    return [{ term, word, number, weight: (own ?? 0) + (shared ?? 0), start, end }];
  });
  return found.sort(inReadingOrder);
}

describe('finding the terms of a query in a text', () => {
  it('gives the located terms that are looked for, whatever the script, and nothing else', () => {
    const choices = fc.array(fc.nat(), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(text, fc.constantFrom(...langs), choices, (text, lang, choices) => {
        const terms = chooseTerms(text, lang, choices);
        expect(findTerms(text, terms, lang)).toEqual(findSlowly(text, terms, lang));
      }),
      { numRuns: 5000 },
    );
  });

  it('holds for short texts of ASCII, with signs in their words', () => {
    const word = fc.constantFrom(
      ...[
        'U.S.A',
        "don't",
        "O'Reilly",
        '1,000',
        '2,5',
        'C++11',
        'C#',
        '.NET',
        'fooBar',
        'XMLHttpRequest',
        'v3.12.1',
      ],
      ...[
        'java.util.Map',
        'a_b',
        '__init__',
        'AT&T',
        "l'homme",
        "users'",
        'running',
        'RUNS',
        'std::fs',
        'x'.repeat(70),
      ],
    );
    const sign = fc.constantFrom(' ', ' ', '/', '-', '.', ',', "'", '(', '\n', '');
    const short = fc
      .array(fc.tuple(word, sign), { maxLength: 8 })
      .map((parts) => parts.flat().join('').slice(0, 256));
    const choices = fc.array(fc.nat(), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(short, short, fc.constantFrom(...langs), choices, (text, other, lang, choices) => {
        const terms = chooseTerms(other, lang, choices);
        expect(findTerms(text, terms, lang)).toEqual(findSlowly(text, terms, lang));
        expect(findTerms(other, terms, lang)).toEqual(findSlowly(other, terms, lang));
      }),
      { numRuns: 3000 },
    );
  });

  it('finds the same in a second text with the same terms', () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.nat(), { minLength: 1, maxLength: 5 }), (one, other, choices) => {
        const terms = chooseTerms(one + other, 'en', choices);
        for (const text of [one, other, one]) {
          expect(findTerms(text, terms, 'en')).toEqual(findSlowly(text, terms, 'en'));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('adds up the weights of a form and its stem, and names the word by the stem', () => {
    const terms = new Map([
      ['running', 2],
      ['~run', 1],
    ]);
    expect(findTerms('running runs', terms, 'en')).toEqual([
      { term: 'running', word: '~run', number: 1, weight: 3, start: 0, end: 7 },
      { term: 'runs', word: '~run', number: 1, weight: 1, start: 8, end: 12 },
    ]);
  });

  it('finds nothing when nothing is looked for', () => {
    expect(findTerms('some text', new Map(), 'en')).toEqual([]);
  });

  it('looks no more for a word that was found often enough, but for the others', () => {
    const terms = new Map([
      ['run', 1],
      ['~run', 1],
      ['tree', 2],
      ['数据', 1],
    ]);
    const text = `${'run runs 数据 '.repeat(50)} a tree, run`;
    const counts = new Map<string, number>();
    for (const { word } of findTerms(text, terms, 'en', 3)) counts.set(word, (counts.get(word) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ '~run': 3, 数据: 3, tree: 1 });
  });

  it('ends with the most that are wanted, in reading order', () => {
    const terms = new Map([
      ['run', 1],
      ['tree', 2],
    ]);
    const text = 'tree run tree.run.tree run '.repeat(3);
    const all = findTerms(text, terms, 'en');
    for (const most of [0, 1, 4, 5, 100])
      expect(findTerms(text, terms, 'en', Number.POSITIVE_INFINITY, most)).toEqual(all.slice(0, most));
  });

  it('reads a text that is one stretch from end to end but once', () => {
    const terms = new Map([
      ['数据', 1],
      ['ab', 1],
    ]);
    // Minutes, if each match were to look at the whole stretch.
    const found = ['ab.', '数据', "a'b", '𠮷数据', 'e\u0301ab', '１,'].map(
      (stretch) => findTerms(stretch.repeat(100_000), terms, 'en').length,
    );
    expect(found).toEqual([100_000, 100_000, 0, 100_000, 0, 0]);
  });
});

describe('what a word begins with, by its stem', () => {
  function holds(word: string, lang: string): boolean {
    const stem = stemTerm(word, lang);
    return stem === null || word.startsWith(stemPrefix(stem.slice(1), lang));
  }

  it('holds for English words made of endings that the stemmer knows', () => {
    const endings =
      `ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness
      ousness aliti iviti biliti logi icate ative alize iciti ical ful ness ly ity y ed ing eed ies sses s ion ll e
      ble bility ably`.split(/\s+/);
    const stems = fc.string({ unit: fc.constantFrom(...'abceilnorstuyz'), minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(stems, fc.array(fc.constantFrom(...endings), { maxLength: 3 }), (stem, ends) => {
        expect(holds(stem + ends.join(''), 'en')).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  it.each(dataSets('langid'))('holds for the words of real texts: $name', ({ folder, isOutside }) => {
    const file = new URL(isOutside ? 'tweets.txt' : 'texts.txt', folder);
    const found = new Set(indexTerms(readFileSync(file, 'utf8')));
    const wrong = [...found].flatMap((word) =>
      langs.filter((lang) => !holds(word, lang)).map((lang) => `${word} ${lang}`),
    );
    expect(wrong).toEqual([]);
  });
});

it('covers every accented letter that folds to one of the 26 by a range of the pattern', () => {
  const terms = new Map('abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => [letter, 1]));
  for (let code = 0x80; code < 0x10000; code++) {
    const character = String.fromCharCode(code);
    if (!/^\p{L}$/u.test(character) || normalizeForm(character) !== character) continue;
    if (/^[a-z]$/.test(foldWord(character))) expect(findTerms(character, terms, 'en')).toHaveLength(1);
  }
});
