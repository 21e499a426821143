import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldForComparison, foldsTo, mayFoldTo } from '../../../src/text/line/fold-for-comparison.ts';
import { oneLine } from '../../../src/text/line/one-line.ts';

const piece = fc.constantFrom(
  ...['a', 'A', 'b', '1', ' ', '.', '-', '\n', '\u0001', '\u00a0', '“', '\u00ad', '\u200b'],
  ...['Ａ', '™', 'é', 'e\u0301', '\u0301', '\u212a', 'k', '漢', 'ß'],
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));

test('a text folds to what it is folded to, and to nothing else', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const folded = foldForComparison(other);
      expect(foldsTo(other, folded)).toBe(true);
      expect(foldsTo(one, folded)).toBe(foldForComparison(one) === folded);
    }),
    { numRuns: 3000 },
  );
});

test('no text is ruled out whose line folds to the same', () => {
  fc.assert(
    fc.property(text, (one) => {
      expect(mayFoldTo(one, foldForComparison(oneLine(one)))).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
