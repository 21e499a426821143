import { expect, test } from 'vitest';
import { plainWords } from '../../src/engine/plain-words.ts';

test.each([
  ['grey heron', 'grey heron'],
  ['"grey heron" OR (egret bittern)', 'grey heron egret bittern'],
  ['heron -egret -"night heron" NOT bittern', 'heron'],
  ['heron site:example.com/birds -site:old.example filetype:pdf', 'heron'],
  ['intitle:heron fishing', 'heron fishing'],
  ['site:example.com', ''],
  ['', ''],
])('the plain words of %j are %j', (q, words) => {
  expect(plainWords(q)).toBe(words);
});
