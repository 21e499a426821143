import { expect, test } from 'vitest';
import { nameParts } from '../../../src/text/passages/name-parts.ts';

const textsOf = (line: string) => nameParts(line).map(({ start, end }) => line.slice(start, end));

test.each([
  ['Future (Java SE 17 & JDK 17)', ['Future']],
  ['Interface Future<V>', ['Interface Future', 'Future']],
  ['Struct std::fs::File', ['Struct std::fs::File', 'std::fs::File', 'File']],
  [
    'classmethod Config.from_file(name, *, encoding)',
    ['classmethod Config.from_file', 'Config.from_file', 'from_file'],
  ],
  ['20.11.3. Shared Library Preloading', ['Shared Library Preloading', 'Preloading']],
  ['Chapter 3. Herons', ['Herons']],
  ['- asyncio.gather()', ['asyncio.gather', 'gather']],
  ['json — JSON encoder and decoder', ['json']],
  ['search_path (string)', ['search_path']],
  ['What is new in version 3', ['What is new in version 3']],
  ['.', ['.']],
  ['', ['']],
])('%j is called %j', (line, names) => {
  expect(textsOf(line)).toEqual(names);
});

test('takes a title of any length in its stride', () => {
  for (const piece of ['a', '- ', '1.', 'a.', ' — ', '::', 'A.1'])
    expect(nameParts(piece.repeat(50_000)).length).toBeLessThan(4);
});
