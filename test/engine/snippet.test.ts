import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeSnippet } from '../../src/engine/snippet.ts';

const idf = (...words: string[]) => new Map(words.map((word) => [word, 1]));
const filler = 'Nothing to see in this sentence, which goes on for a while about other things entirely. ';

test('shows the sentence that holds the words', () => {
  const body = `${filler.repeat(5)}The quick brown fox jumps over the lazy dog while the whole village looks on in silence. ${filler}`;
  expect(makeSnippet({ body, description: '' }, idf('fox', 'dog'))).toBe(
    'The quick brown fox jumps over the lazy dog while the whole village looks on in silence.',
  );
});

test('joins two passages when the second adds a word', () => {
  const body = `A fox lives in the wood behind the old mill, where nobody goes after dark any more.\n${filler.repeat(3)}\nA dog lives in the yard beside the new mill, where everybody goes after dark now.`;
  const snippet = makeSnippet({ body, description: '' }, idf('fox', 'dog'));
  expect(snippet).toMatch(/^A fox .* … A dog .*$/);
});

test('works on Chinese, cut between characters', () => {
  const body = `${'这里没有什么可看的内容。'.repeat(20)}数据库的查询优化是一个重要的问题。${'其他的句子在这里。'.repeat(20)}`;
  const snippet = makeSnippet({ body, description: '' }, idf('数据', '据库', '优化'));
  expect(snippet).toContain('数据库的查询优化');
});

test('without a match it is the description, else the beginning of the body', () => {
  expect(makeSnippet({ body: filler, description: 'What it is.' }, idf('absent'))).toBe('What it is.');
  expect(makeSnippet({ body: 'Short body.', description: ' ' }, idf('absent'))).toBe('Short body.');
  expect(makeSnippet({ body: '', description: '' }, idf())).toBe('');
});

test('is one line of at most 500 characters and cuts no code point, whatever the text', () => {
  const text = fc
    .array(
      fc.constantFrom('tree', 'leaf. ', '\n', ' ', '𠮷', '树', '。', '😀', 'x'.repeat(300), '\r\n', '\u2028'),
      {
        maxLength: 80,
      },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, (body, description) => {
      const snippet = makeSnippet({ body, description }, idf('tree', 'leaf', '树'));
      expect(snippet).not.toMatch(/[\n\r\u2028\u2029]/);
      expect(snippet.length).toBeLessThanOrEqual(500);
      expect(snippet.isWellFormed()).toBe(true);
    }),
  );
});
