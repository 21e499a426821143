import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stemTerm } from '../../src/text/stems.ts';
import { indexTerms, queryWords } from '../../src/text/terms.ts';

/** Whether two words in one language are forms of each other to the index. */
function meet(one: string, other: string, lang: string): boolean {
  const [a, b] = [one, other].map((word) => stemTerm(indexTerms(word)[0] ?? '', lang));
  return a !== null && a === b;
}

describe('forms of a word share a stem', () => {
  it.each([
    ['en', 'run', 'running'],
    ['en', 'library', 'libraries'],
    ['en', 'connected', 'connections'],
    ['de', 'Häuser', 'Hauses'],
    ['es', 'libro', 'libros'],
    ['fr', 'maison', 'maisons'],
    ['it', 'libro', 'libri'],
    ['pt', 'livro', 'livros'],
    ['nl', 'boek', 'boeken'],
    ['sv', 'bil', 'bilar'],
    ['da', 'bil', 'bilen'],
    ['no', 'bil', 'bilene'],
    ['fi', 'talo', 'talossa'],
    ['hu', 'ház', 'házban'],
    ['ro', 'carte', 'cartea'],
    ['tr', 'kitap', 'kitaplar'],
    ['ru', 'книга', 'книги'],
    ['ru', 'установить', 'установили'],
    ['ar', 'كتاب', 'الكتاب'],
  ])('%s: %s and %s', (lang, one, other) => {
    expect(meet(one, other, lang)).toBe(true);
  });
  it.each([
    ['en', 'run', 'rust'],
    ['de', 'Haus', 'Hund'],
    ['ru', 'книга', 'кошка'],
  ])('%s: but not %s and %s', (lang, one, other) => {
    expect(meet(one, other, lang)).toBe(false);
  });
  it('in Latin letters also on pages in a language with other letters, as English', () => {
    for (const lang of ['zh', 'ja', 'ru', 'ar', 'und', 'constructor', '__proto__']) {
      expect(meet('install', 'installing', lang)).toBe(true);
    }
  });
});

describe('what has no forms', () => {
  it.each([
    'c',
    'go',
    'c++',
    'c#',
    '.net',
    'x86',
    'utf8',
    'mp3',
    '2024',
    '3.12',
    'fs.readfile',
    'snake_case',
    'e-mail',
  ])('%s: identifiers, numbers and what is too short', (term) => {
    expect(stemTerm(term, 'en')).toBeNull();
  });
  it.each(['数据', '据', 'ガ', '한국', 'ภาษา', 'הספר', '𠮷野', '👍'])(
    '%s: scripts without a stemmer',
    (term) => {
      for (const lang of ['en', 'zh', 'ru', 'th']) expect(stemTerm(term, lang)).toBeNull();
    },
  );
  it.each([
    ['книги', 'uk'],
    ['книги', 'en'],
    ['كتاب', 'fa'],
    ['βιβλία', 'el'],
  ])('%s in %s: letters that the language’s stemmer does not read', (term, lang) => {
    expect(stemTerm(term, lang)).toBeNull();
  });
  it('is longer than any word', () => {
    expect(stemTerm('a'.repeat(41), 'en')).toBeNull();
  });
});

describe('stem terms', () => {
  it('are no term of any text, so that a word is never taken for a stem', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 30 }),
        fc.constantFrom('en', 'de', 'ru', 'zh'),
        (text, lang) => {
          const terms = new Set(indexTerms(text));
          for (const term of terms) {
            const stem = stemTerm(term, lang);
            if (stem === null) continue;
            expect(stem).toMatch(/^~./u);
            expect(terms.has(stem)).toBe(false);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
  it('do not depend on what was asked before', () => {
    const first = stemTerm('libraries', 'en');
    for (let n = 0; n < 60_000; n++) stemTerm(`word${String.fromCharCode(97 + (n % 26))}${n}`, 'en');
    expect(stemTerm('libraries', 'en')).toBe(first);
    expect(stemTerm('libraries', 'fr')).not.toBe(first);
  });
  it('are asked for beside bare words, and not beside quoted ones', () => {
    const stems = (quoted: boolean) =>
      queryWords('running shoes', { quoted, lang: 'en' }).map(({ stem }) => stem);
    expect(stems(false)).toEqual(['~run', '~shoe']);
    expect(stems(true)).toEqual([null, null]);
  });
});
