import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSearchBudget } from '../../src/engine/search-budget.ts';

const limits = { readCharacters: 1000, scannedCharacters: 500, matches: 100 };

test('pieces of work that take their shares never take more than there is, and the last ones get something', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 100 }), (wishes) => {
      const budget = createSearchBudget({ ...limits, matches: 10_000 });
      let spent = 0;
      for (const [place, wish] of wishes.entries()) {
        const share = budget.share('matches', wishes.length - place);
        expect(share).toBeGreaterThan(0);
        spent += Math.min(wish, share);
        budget.spend('matches', Math.min(wish, share));
      }
      expect(spent).toBeLessThanOrEqual(10_000);
      expect(budget.remaining('matches')).toBe(10_000 - spent);
    }),
  );
});

test('a piece may take nearly twice its even share, the last one all, and what others did not take is shared again', () => {
  const budget = createSearchBudget(limits);
  expect(budget.share('matches', 10)).toBe(Math.ceil(200 / 11));
  expect(budget.share('matches', 1)).toBe(100);
  budget.spend('matches', 20);
  expect(budget.share('matches', 9)).toBe(Math.ceil(160 / 10));
  budget.spend('matches', 1);
  expect(budget.share('matches', 8)).toBe(Math.ceil(158 / 9));
});

test('what is spent beyond the limit leaves nothing, of this kind of work alone', () => {
  const budget = createSearchBudget(limits);
  budget.spend('readCharacters', 5000);
  expect(budget.remaining('readCharacters')).toBe(0);
  expect(budget.share('readCharacters', 3)).toBe(0);
  expect(budget.remaining('scannedCharacters')).toBe(500);
});
