import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hammingDistance, maxDistance, simhash } from '../../../src/store/duplicates/simhash.ts';

/** A text of so many words that only its own number decides about. */
function words(count: number, seed: number): string[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return `w${(state >>> 8) % 5000}`;
  });
}
const distance = (one: string, other: string) =>
  hammingDistance(simhash(one) as string, simhash(other) as string);

test('is 16 hexadecimal digits, the same for the same text, whatever its case and spaces', () => {
  const text = words(200, 1).join(' ');
  expect(simhash(text)).toMatch(/^[0-9a-f]{16}$/);
  expect(simhash(text.toUpperCase().replaceAll(' ', '\n\n '))).toBe(simhash(text));
});

test('a text of fewer than 150 words has none', () => {
  expect(simhash(words(149, 1).join(' '))).toBeNull();
  expect(simhash(words(150, 1).join(' '))).not.toBeNull();
  expect(simhash('鹭'.repeat(149))).toBeNull();
  expect(simhash('鹭'.repeat(150))).not.toBeNull();
});

test('one word more leaves nearly every long text within the distance of a copy', () => {
  const distances = Array.from({ length: 50 }, (_, seed) => {
    const text = words(2000, seed + 1);
    return distance(text.join(' '), [...text, 'printed'].join(' '));
  });
  expect(distances.filter((bits) => bits <= maxDistance).length).toBeGreaterThanOrEqual(48);
});

test('a tenth of other words puts nearly every text out of that distance, and another text far out', () => {
  let near = 0;
  for (let seed = 1; seed <= 50; seed++) {
    const text = words(1000, seed);
    const tenth = [...text.slice(0, 900), ...words(100, seed + 1000)];
    if (distance(text.join(' '), tenth.join(' ')) <= maxDistance) near += 1;
    expect(distance(text.join(' '), words(1000, seed + 2000).join(' '))).toBeGreaterThan(10);
  }
  expect(near).toBeLessThanOrEqual(2);
});

test('what is said again and again counts once, so lists of different things under equal words stay apart', () => {
  const list = (seed: number) =>
    words(300, seed)
      .map((word) => `in module ${word} of package`)
      .join(' ');
  expect(distance(list(1), list(2))).toBeGreaterThan(maxDistance);
});

test('the distance is the number of bits that differ', () => {
  expect(hammingDistance('0000000000000000', 'ffffffffffffffff')).toBe(64);
  expect(hammingDistance('8000000000000001', '0000000000000000')).toBe(2);
  const slow = (a: bigint, b: bigint) => [...(a ^ b).toString(2)].filter((bit) => bit === '1').length;
  const half = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  const hex = (number: bigint) => number.toString(16).padStart(16, '0');
  fc.assert(fc.property(half, half, (a, b) => hammingDistance(hex(a), hex(b)) === slow(a, b)));
});
