import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDistance } from '../../src/text/edit-distance.ts';

/** Optimal string alignment by its definition. */
function slowDistance(one: string, other: string): number {
  const memo = new Map<string, number>();
  const distance = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const key = `${i} ${j}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
    const found = Math.min(
      distance(i - 1, j) + 1,
      distance(i, j - 1) + 1,
      distance(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1),
      isSwap ? distance(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
    );
    memo.set(key, found);
    return found;
  };
  return distance(one.length, other.length);
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 10 });

test('the distance is that of its definition up to the limit, and above the limit where it is further', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), fc.nat(3), (one, other, max, start) => {
      const units = Uint16Array.from(`${'z'.repeat(start)}${other}zz`, (letter) => letter.charCodeAt(0));
      const expected = slowDistance(one, other);
      const distance = createDistance(one)(units, start, start + other.length, max);
      if (expected <= max) expect(distance).toBe(expected);
      else expect(distance).toBeGreaterThan(max);
    }),
    { numRuns: 3000 },
  );
});

test('one measure serves many words, in whatever order they come', () => {
  const distanceTo = createDistance('thread');
  const to = (other: string) => distanceTo(Buffer.from(other), 0, other.length, 3);
  expect(['thread', 'tread', 'htread', 'threads', 'three', 'thread'].map(to)).toEqual([0, 1, 1, 1, 2, 0]);
});
