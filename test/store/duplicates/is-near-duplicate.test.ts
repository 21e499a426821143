import { expect, test } from 'vitest';
import { isNearCopy } from '../../../src/store/duplicates/is-near-duplicate.ts';

const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => `word${from + n}`).join(' ');
const template = words(0, 300);

test('a line more makes no other page', () => {
  expect(isNearCopy(template, `${template} printed on Monday`, [])).toBe(true);
});

test('what other pages of the site say too is not looked at', () => {
  const [one, other] = [`${template} ${words(1000, 20)}`, `${template} ${words(2000, 20)}`];
  expect(isNearCopy(one, other, [])).toBe(true);
  expect(isNearCopy(one, other, [`${template} ${words(3000, 20)}`])).toBe(false);
  expect(isNearCopy(one, `${one} x`, [template])).toBe(true);
});

test('pages of template alone are copies where they have the same of it', () => {
  expect(isNearCopy(template, `${words(0, 300)}.`, [template])).toBe(true);
  expect(isNearCopy(template, words(0, 290), [template])).toBe(false);
});
