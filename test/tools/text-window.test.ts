import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textWindow } from '../../tools/answers/text-window.ts';

function readAll(text: string, maxChars: number): string[] {
  const windows: string[] = [];
  let start: number | undefined = 0;
  while (start !== undefined) {
    const window = textWindow(text, start, maxChars);
    windows.push(window.text);
    start = window.nextStart;
  }
  return windows;
}

const pieces = fc.constantFrom('word', ' ', '\n', '. ', '。', '汉字', '🪶', '! ', 'x'.repeat(30));
const texts = fc.array(pieces, { maxLength: 200 }).map((parts) => parts.join(''));

test('windows read one after the other are the whole text, none too long, none through a code point', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 80 }), (text, maxChars) => {
      const windows = readAll(text, maxChars);
      expect(windows.join('')).toBe(text);
      for (const window of windows) {
        expect(window.length).toBeLessThanOrEqual(maxChars);
        expect(window.isWellFormed()).toBe(true);
      }
    }),
  );
});

test('a window ends after a line where the second half has one', () => {
  const { text, nextStart } = textWindow('First line. And so on.\nSecond line. And more.', 0, 40);
  expect(text).toBe('First line. And so on.\n');
  expect(nextStart).toBe(text.length);
});

test('a window ends after a sentence where it has no line end', () => {
  expect(textWindow('One sentence here. Another sentence follows it.', 0, 30).text).toBe(
    'One sentence here. ',
  );
  expect(textWindow('第一句话在这里。第二句话在后面很长很长。', 0, 12).text).toBe('第一句话在这里。');
});

test('a window ends after a word where it has no sentence end', () => {
  expect(textWindow('alpha beta gamma delta', 0, 14).text).toBe('alpha beta ');
});

test('a start inside a code point goes back to its beginning', () => {
  expect(textWindow('🪶🪶', 1, 4).text).toBe('🪶🪶');
  expect(textWindow('🪶🪶', 2, 4).text).toBe('🪶');
});

test('an empty text is one empty window', () => {
  expect(textWindow('', 0, 500)).toEqual({ text: '', nextStart: undefined });
});
