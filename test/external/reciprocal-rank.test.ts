import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuseRankings } from '../../src/external/reciprocal-rank.ts';

const fuse = (...rankings: string[][]) => fuseRankings(rankings, (item) => item.toLowerCase());
const keys = (...rankings: string[][]) => fuse(...rankings).map(({ key }) => key);

test('the score is the sum of 1 / (60 + rank), divided by what a first place everywhere gives', () => {
  const [a, b, c] = fuse(['a', 'b'], ['b', 'c']);
  expect(b?.key).toBe('a');
  expect(a).toMatchObject({ key: 'b', score: expect.closeTo((1 / 62 + 1 / 61) / (2 / 61), 12) });
  expect(b?.score).toBeCloseTo(1 / 61 / (2 / 61), 12);
  expect(c?.score).toBeCloseTo(1 / 62 / (2 / 61), 12);
  expect(fuse(['x'], ['x'], ['x'])[0]?.score).toBeCloseTo(1, 12);
});

test('what many name stands before what one names first', () => {
  expect(keys(['one', 'shared'], ['two', 'shared'], ['three', 'shared'])[0]).toBe('shared');
});

test('equal scores stand by the order of the rankings', () => {
  expect(keys(['a'], ['b'], ['c'])).toEqual(['a', 'b', 'c']);
});

test('a key that a ranking holds twice counts once, where it came first', () => {
  expect(fuse(['a', 'A', 'b'])).toEqual([
    { key: 'a', items: ['a'], score: 1 },
    { key: 'b', items: ['b'], score: expect.closeTo(61 / 63, 12) },
  ]);
});

test('the items of a key come with the best placed first', () => {
  expect(fuse(['x', 'a'], ['A'])[0]).toMatchObject({ key: 'a', items: ['A', 'a'] });
});

test('every key comes out once, scores fall and lie between 0 and 1', () => {
  const rankings = fc.array(fc.array(fc.constantFrom(...'abcdefghij'), { maxLength: 12 }), { maxLength: 6 });
  fc.assert(
    fc.property(rankings, (lists) => {
      const fused = fuseRankings(lists, (item) => item);
      expect(fused.map(({ key }) => key).sort()).toEqual([...new Set(lists.flat())].sort());
      for (const [at, { score }] of fused.entries()) {
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(1 + 1e-12);
        if (at > 0) expect(score).toBeLessThanOrEqual(fused[at - 1]?.score as number);
      }
    }),
  );
});
