import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findTerms } from '../../src/text/occurrences/find-terms.ts';
import { snippetFor, snippetOf, weigh } from './snippet-for.ts';

const piece = fc.constantFrom(
  ...[
    'tree',
    'trees',
    'leaf',
    'Leaf',
    'root',
    "root's",
    'C++',
    'fs.readFile',
    '树木',
    '树',
    '木叶',
    'дерево',
  ],
  ...['lorem', 'ipsum,', 'dolor', 'sit', 'e.g.', '3.14', 'Больше', '没有内容', 'これは', '한국어'],
  ...[
    '. ',
    '! ',
    '。',
    '？',
    '; ',
    '\n',
    '\n\n',
    '\n- ',
    '\n  - ',
    '\t',
    ' ',
    ' ',
    ' ',
    ': ',
    ' (',
    ') ',
    ' "',
  ],
  ...[
    '\r\n',
    '\u2028',
    '\u0000',
    '\u001b',
    '𠮷',
    '😀',
    '\ud800',
    '\u202e',
    'x'.repeat(60),
    `tr${'\u00ad'.repeat(300)}ee`,
    'ﬁne',
    '，',
    ' – ',
  ],
);
const text = fc.array(piece, { maxLength: 120 }).map((parts) => parts.join(''));
const source = fc.record({ body: text, description: text, title: text, headings: text });
const query = fc
  .uniqueArray(fc.constantFrom('tree', 'leaf', 'root', 'c++', 'readFile', '树木', '叶', 'дерево', 'fine'), {
    minLength: 1,
    maxLength: 9,
  })
  .map((words) => words.join(' '));
const wordsIn = (text: string, weights: ReadonlyMap<string, number>) =>
  new Set(findTerms(text, weights, 'en').map(({ word }) => word));

it('a snippet of any text is one well-formed line without controls, of a few hundred characters', () => {
  fc.assert(
    fc.property(source, query, (source, query) => {
      const found = snippetFor(query, source);
      expect(found).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
      expect(found.isWellFormed()).toBe(true);
      expect(found).toBe(found.trim());
      expect(found.length).toBeLessThanOrEqual(500);
    }),
    { numRuns: 3000 },
  );
});

it('a snippet of any text shows a word of the query if the body holds one', () => {
  fc.assert(
    fc.property(source, query, (source, query) => {
      const weights = weigh(query, 'en');
      if (wordsIn(source.body, weights).size === 0) return;
      expect(wordsIn(snippetOf({ ...source, lang: 'en' }, weights), weights)).not.toEqual(new Set());
    }),
    { numRuns: 3000 },
  );
});

it('a snippet of any text shows all words of the query that the body holds if they stand within 240 characters', () => {
  fc.assert(
    fc.property(source, query, (source, query) => {
      const weights = weigh(query, 'en');
      const found = findTerms(source.body, weights, 'en');
      const all = new Set(found.map(({ word }) => word));
      const isNear = found.some(({ start }) => {
        const near = found.filter((token) => token.start >= start && token.end <= start + 240);
        return new Set(near.map(({ word }) => word)).size === all.size;
      });
      if (!isNear) return;
      expect(wordsIn(snippetOf({ ...source, lang: 'en' }, weights), weights)).toEqual(all);
    }),
    { numRuns: 3000 },
  );
});

it('making a snippet takes time linear in the length of the body', () => {
  const weights = weigh('tree leaf', 'en');
  for (const part of [
    'tree. ',
    'tree leaf\n',
    '- tree\n',
    'tree\t',
    'tree\n\n',
    'a tree and\n',
    '木tree',
    '"tree." ',
  ]) {
    const body = part.repeat(30_000);
    // Minutes, if it were not.
    expect(wordsIn(snippetOf({ body, description: '', lang: 'en' }, weights), weights).size).toBeGreaterThan(
      0,
    );
  }
});
