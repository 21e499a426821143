import { expect, test } from 'vitest';
import { misspellingCost } from '../../../src/engine/suggestion/misspelling-cost.ts';

test('fewer mistakes are always likelier, whatever they are', () => {
  expect(misspellingCost('xyzes', 'zyxes')).toBeGreaterThan(misspellingCost('ayzes', 'xyzes'));
  expect(misspellingCost('same', 'same')).toBe(0);
});

test('swapped, doubled and left out letters are likelier than added and replaced ones', () => {
  const likely = [
    misspellingCost('lenght', 'length'),
    misspellingCost('treee', 'tree'),
    misspellingCost('tre', 'tree'),
  ];
  const unlikely = [misspellingCost('trexe', 'tree'), misspellingCost('trxe', 'tree')];
  expect(Math.max(...likely)).toBeLessThan(Math.min(...unlikely));
});

test('a mistake in the first letter is less likely than the same one in the second', () => {
  expect(misspellingCost('xree', 'tree')).toBeGreaterThan(misspellingCost('txee', 'tree'));
  expect(misspellingCost('rtee', 'tree')).toBeGreaterThan(misspellingCost('tere', 'tree'));
});
