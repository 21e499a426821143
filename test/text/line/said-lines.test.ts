import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldForComparison } from '../../../src/text/line/fold-for-comparison.ts';
import { createSaidLines } from '../../../src/text/line/said-lines.ts';

const piece = fc.constantFrom(
  ...['a', 'A', 'b', 'tm', '1', ' ', '  ', '.', '-', '\n', '\u00a0', '—', '“', '…', '\u00ad'],
  ...['Ａ', '™', '²', 'é', 'e\u0301', '\u212a', 'k', '→', '漢', '', '\u2028'],
);
const line = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));

test('a line is said if one before it folds to the same', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const isSaid = createSaidLines();
      const folded = new Set<string>();
      for (const each of lines) {
        expect(isSaid(each)).toBe(folded.has(foldForComparison(each)));
        folded.add(foldForComparison(each));
      }
    }),
    { numRuns: 2000 },
  );
});
