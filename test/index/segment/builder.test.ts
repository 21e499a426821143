import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTerms } from '../../../src/index/page-terms.ts';
import { buildSegment, createSegmentBuilder } from '../../../src/index/segment/builder.ts';
import { openSegment } from '../../../src/index/segment/reader.ts';
import { searchSegment } from '../../../src/index/segment/search.ts';
import { TermCounter } from '../../../src/index/segment/term-counter.ts';
import { TopK } from '../../../src/index/segment/top-k.ts';
import { parseQuery } from '../../../src/query/parser.ts';
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

test('one id twice is refused', () => {
  const page = examplePage({ url: 'https://a.example/' });
  expect(() => buildSegment([page, page], { averageLengths })).toThrow(RangeError);
});

test('a segment holds 65,536 pages and not one more', () => {
  const builder = createSegmentBuilder({ averageLengths });
  const pageAt = (n: number) => examplePage({ url: `https://a.example/${n}`, title: '', body: 'leaf' });
  for (let n = 0; n < 65_536; n++) builder.add(pageAt(n));
  expect(() => builder.add(pageAt(65_536))).toThrow(RangeError);
  expect(builder.postingCount()).toBeGreaterThan(65_536);
  const opened = openSegment(builder.finish().buffer);
  if (opened.kind === 'damaged') throw new Error(opened.why);
  const { segment } = opened;
  for (const q of ['leaf', '-absent', 'leaf OR absent', 'site:a.example']) {
    const top = new TopK(3);
    expect(searchSegment(segment, { query: parseQuery(q), weights: new Map(), top })).toBe(65_536);
    expect(top.hits().map(({ id }) => id)).toEqual([0, 1, 2].map(segment.idOf));
  }
});
