import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countWords } from '../../src/extract/word-count.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const reference = (text: string) =>
  [...segmenter.segment(text)].filter((segment) => segment.isWordLike).length;

test('counts the words that Intl.Segmenter finds', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'word',
      "can't",
      'e.g.',
      '3,14',
      '1;2',
      'a,b',
      'x-y',
      'naïve',
      'слово',
      'λόγος',
      'état',
      '数据库',
      '東京タワー',
      '한국어',
      'ภาษาไทย',
      '...',
      '—',
      '😀',
      'C++',
      '"q"',
      'fs.readFile',
      '10:30',
      'a/b',
    ),
    fc.constantFrom(' ', '\n', '\t', ', ', '. ', '(', ')', '“', '”', '-'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      expect(countWords(text)).toBe(reference(text));
    }),
    { numRuns: 500 },
  );
});

test('counts Chinese by words, not by characters', () => {
  expect(countWords('数据库优化')).toBe(reference('数据库优化'));
  expect(countWords('')).toBe(0);
});

test('of a long text without spaces the count is an estimate within five per cent', () => {
  const sentence = '数据库系统的索引使查询更快，但是每次写入都需要更新它。向量检索与全文检索常常一起使用。';
  const text = Array.from({ length: 400 }, (_, n) => `${sentence}第${n}节。`).join('');
  expect(Math.abs(countWords(text) / reference(text) - 1)).toBeLessThan(0.05);
});
