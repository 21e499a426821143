import { expect, test } from 'vitest';
import { replaceableWords, replaceWords } from '../../src/query/replaceable-words.ts';

function replaced(q: string, replacements: Record<string, string>): string {
  return replaceWords(replaceableWords(q, 'en'), new Map(Object.entries(replacements)));
}

const better = { treading: 'threading' };

test('a bare word is replaced wherever it stands, and the rest stays as it was typed', () => {
  expect(replaced('Python  Treading, (treading OR +treading)', better)).toBe(
    'Python  threading, (threading OR +threading)',
  );
});

test('phrases, exclusions and the values of operators are not touched', () => {
  const q = '"treading water" -treading -(a treading) site:treading.example intitle:treading filetype:pdf';
  expect(replaced(`${q} treading`, better)).toBe(`${q} threading`);
  expect(replaceableWords(q, 'en').words).toEqual([]);
});

test('a bracket without a partner excludes nothing', () => {
  expect(replaced('-(a treading', better)).toBe('-(a threading');
});

test('the pieces of a compound are words, the compound is not', () => {
  expect(replaceableWords('asyncio.TaskGrop', 'en').words.map(({ term }) => term)).toEqual([
    'asyncio',
    'taskgrop',
  ]);
  expect(replaced('asyncio.TaskGrop', { taskgrop: 'taskgroup' })).toBe('asyncio.taskgroup');
});

test('look-alikes of syntax before a word do not shift it', () => {
  expect(replaced('\ufeff“tree”（treading）', better)).toBe('"tree" (threading) ');
});
