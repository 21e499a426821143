import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTerms } from '../../../src/index/page-terms.ts';
import { buildSegment } from '../../../src/index/segment/builder.ts';
import { TermCounter } from '../../../src/index/segment/term-counter.ts';
import { examplePage } from '../../pages.ts';
import { randomParts } from './random-segments.ts';

const averageLengths = [2, 3, 4, 20] as const;

test('the builder counts terms as the live tier does', () => {
  fc.assert(
    fc.property(randomParts, (parts) => {
      const counter = new TermCounter();
      for (const page of parts.flatMap(({ pages }) => pages)) {
        counter.count(page);
        const { lengths, frequencies } = countTerms(page);
        const counted = Array.from({ length: counter.size }, (_, slot) => [
          counter.table.termAt(counter.terms[slot] as number),
          [...counter.counts.subarray(4 * slot, 4 * slot + 4)],
        ]);
        expect(new Map(counted as [string, number[]][])).toEqual(frequencies);
        expect(counter.lengths).toEqual(lengths);
      }
    }),
  );
});

test('the order in which pages come does not show in the file', () => {
  fc.assert(
    fc.property(randomParts, (parts) => {
      const pages = parts.flatMap(({ pages }) => pages);
      const one = buildSegment(pages, { averageLengths });
      expect(Buffer.from(buildSegment(pages.toReversed(), { averageLengths }))).toEqual(Buffer.from(one));
    }),
  );
});

test('one id twice, and more pages than numbers, are refused', () => {
  const page = examplePage({ url: 'https://a.example/' });
  expect(() => buildSegment([page, page], { averageLengths })).toThrow(RangeError);
  const many = Array.from({ length: 65_537 }, () => page);
  expect(() => buildSegment(many, { averageLengths })).toThrow('65536');
});
