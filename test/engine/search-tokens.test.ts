import { expect, test } from 'vitest';
import { searchTokens } from '../../src/engine/search-tokens.ts';

const words = (count: number, between = ' ') =>
  Array.from({ length: count }, (_, n) => `word${n}`).join(between);

test.each([
  ['an ordinary search', 'heron pond', undefined, 1],
  ['with its operators', '"grey heron" -pond site:a.example intitle:bird OR fish', '10', 1],
  ['a long question', words(16), 25, 1],
  ['a few more results', 'heron', 26, 2],
  ['all results that there may be', 'heron', '100', 4],
  ['eight alternatives', words(8, ' OR '), 10, 1],
  ['nine', words(9, ' OR '), 10, 2],
  ['nine with bars', words(9, '|'), 10, 2],
  ['nine with bars of full width', words(9, '｜'), 10, 2],
  ['seventeen words', words(17), 10, 2],
  ['twenty alternatives and all results', words(20, ' OR '), 100, 1 + 3 + 2 + 1],
  ['the dearest there is', words(80, ' OR '), 100, 1 + 3 + 7 + 3],
  ['an OR in quotes, which is a word', '"a OR b OR c OR d OR e OR f OR g OR h OR i"', 10, 2],
  ['what will be refused', 'heron', '1000', 1],
  ['what is no query', undefined, {}, 1],
  ['what is far too long', words(5000, ' OR '), 10, 1],
])('%s costs its tokens', (_, q, limit, tokens) => {
  expect(searchTokens({ q, limit })).toBe(tokens);
});
