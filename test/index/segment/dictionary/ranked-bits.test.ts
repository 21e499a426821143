import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packBits, RankedBits } from '../../../../src/index/segment/dictionary/ranked-bits.ts';

const flags = fc.array(fc.boolean(), { maxLength: 200 });

test('a marked number is found, and its rank is how many are marked before it', () => {
  fc.assert(
    fc.property(flags, (marked) => {
      const bits = new RankedBits(packBits(marked.length, (number) => marked[number] === true));
      for (const [number, isMarked] of marked.entries()) {
        expect(bits.has(number)).toBe(isMarked);
        expect(bits.rank(number)).toBe(marked.slice(0, number).filter(Boolean).length);
      }
      expect(bits.hasMarked(marked.filter(Boolean).length, marked.length)).toBe(true);
    }),
  );
});

test('any other bit is noticed by counting', () => {
  fc.assert(
    fc.property(flags, fc.nat(), fc.nat(31), (marked, at, bit) => {
      const words = packBits(marked.length, (number) => marked[number] === true);
      if (words.length === 0) return;
      const index = at % words.length;
      words[index] = (words[index] ?? 0) ^ (1 << bit);
      const bits = new RankedBits(words);
      expect(bits.hasMarked(marked.filter(Boolean).length, marked.length)).toBe(false);
    }),
  );
});
