import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFindMatches, segmentsOfMatches } from '../../../src/engine/excerpt/highlights.ts';

/** The text with what matches between brackets. */
function marked(q: string, text: string, lang = 'en'): string {
  return segmentsOfMatches(text, createFindMatches(q, lang)(text, lang))
    .map((segment) => (segment.match ? `[${segment.text}]` : segment.text))
    .join('');
}

test.each([
  ['library', 'Two libraries, one Library.', 'en', 'Two [libraries], one [Library].'],
  ['数据库优化', '数据库的索引如何优化。', 'zh', '[数据库]的索引如何[优化]。'],
  ['Häuser', 'Ein Haus, zwei HÄUSER.', 'de', 'Ein [Haus], zwei [HÄUSER].'],
  ['heron -owl site:birds.example', 'The heron and the owl.', 'en', 'The [heron] and the owl.'],
  ['"grey heron" OR stork', 'A grey heron; a stork.', 'en', 'A [grey] [heron]; a [stork].'],
  ['site:birds.example', 'The heron.', 'en', 'The heron.'],
])('%s in %j', (q, text, lang, expected) => {
  expect(marked(q, text, lang)).toBe(expected);
});

test('the segments of any text are that text, and no two that match touch', () => {
  const words = fc.constantFrom(
    'heron',
    'herons',
    '数据库',
    'useEffect',
    '<b>',
    '\ud800',
    ' ',
    'é',
    'x\u0301',
  );
  fc.assert(
    fc.property(fc.array(words), fc.array(words, { minLength: 1 }), (texts, queries) => {
      const text = texts.join('');
      const segments = segmentsOfMatches(text, createFindMatches(queries.join(' '))(text, 'en'));
      expect(segments.map((segment) => segment.text).join('')).toBe(text);
      for (const [index, segment] of segments.entries())
        expect(segment.match && segments[index - 1]?.match).not.toBe(true);
    }),
  );
});
