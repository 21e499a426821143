import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byRank } from '../../../src/index/open-index.ts';
import type { IndexSearch } from '../../../src/index/page-index.ts';
import { documentFrequency, pageNumber } from '../../../src/index/segment/reader.ts';
import { impactStep, scoreParts, searchSegment } from '../../../src/index/segment/search.ts';
import { TopK } from '../../../src/index/segment/top-k.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { examplePage } from '../../pages.ts';
import { bruteForce, corpusNumbers } from '../brute-force.ts';
import { randomFilters, randomQuery } from '../random-index.ts';
import { deadSet, type Part, packed, randomParts, randomTree } from './random-segments.ts';

function search(parts: readonly Part[], asked: IndexSearch) {
  const all = parts.flatMap(({ pages }) => pages);
  const numbers = corpusNumbers(all, asked.query);
  const living = parts.flatMap(({ pages, dead }) => pages.filter(({ id }) => !dead.has(id)));
  const expected = bruteForce(living, asked, numbers);
  const segments = parts.map(({ pages, dead }) => {
    const segment = packed(pages, numbers.averageLengths);
    return { segment, dead: deadSet(segment, dead) };
  });
  const { limit, ...rest } = asked;
  const top = new TopK(limit);
  const total = segments.reduce(
    (sum, { segment, dead }) =>
      sum + searchSegment(segment, { ...rest, dead, weights: numbers.weights, top }),
    0,
  );
  return { expected, total, hits: top.hits(), numbers, segments, all };
}

const anyQuery = fc.oneof(randomQuery, randomTree);

test('matches and totals equal a scan over the living pages, and scores are within the bound of the impacts', () => {
  fc.assert(
    fc.property(randomParts, anyQuery, randomFilters, (parts, query, filters) => {
      const { expected, total, hits, numbers } = search(parts, { query, limit: 100, ...filters });
      expect(total).toBe(expected.length);
      expect(hits.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
      const weight = [...numbers.weights.values()].reduce((sum, weight) => sum + weight, 0);
      const bound = weight * impactStep * (filters.prefer?.factor ?? 1) + 1e-9;
      const exact = new Map(expected.map(({ id, score }) => [id, score]));
      for (const { id, score } of hits) {
        expect(Math.abs(score - (exact.get(id) as number))).toBeLessThanOrEqual(bound);
      }
      // So two hits stand the wrong way round only where their true scores differ by less than two bounds.
      for (const [at, { id }] of hits.entries()) {
        const next = hits[at + 1];
        if (next) expect((exact.get(next.id) ?? 0) - (exact.get(id) ?? 0)).toBeLessThanOrEqual(2 * bound);
      }
      expect(hits).toEqual(hits.toSorted(byRank));
    }),
    { numRuns: 1000 },
  );
});

test('the best few are the first of all, whatever segments they come from', () => {
  fc.assert(
    fc.property(randomParts, anyQuery, fc.nat(5), (parts, query, limit) => {
      const all = search(parts, { query, limit: 100 });
      const few = search(parts, { query, limit });
      expect(few.hits).toEqual(all.hits.slice(0, limit));
      expect(few.total).toBe(all.total);
    }),
    { numRuns: 200 },
  );
});

test('document frequencies and the parts of a score are those of the pages', () => {
  fc.assert(
    fc.property(randomParts, randomQuery, (parts, query) => {
      const { segments, hits, numbers, all } = search(parts, { query, limit: 100 });
      for (const [term, weight] of corpusNumbers(all, query).weights) {
        const frequency = segments.reduce((sum, { segment }) => sum + documentFrequency(segment, term), 0);
        expect(numbers.weights.get(term)).toBe(weight);
        const found = all.length === 0 ? 0 : frequency;
        expect(found).toBe(
          segments.reduce((sum, { segment }) => {
            const holders = Array.from({ length: segment.pageCount }, (_, page) =>
              scoreParts(segment, page, new Map([[term, 1]])),
            ).filter((parts) => parts.size > 0);
            return sum + holders.length;
          }, 0),
        );
      }
      for (const { id, score } of hits) {
        const { segment } = segments.find(({ segment }) => pageNumber(segment, id) >= 0) ?? {};
        if (!segment) throw new Error('a hit of no segment');
        const parts = scoreParts(segment, pageNumber(segment, id), numbers.weights);
        expect([...parts.values()].reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 9);
      }
    }),
    { numRuns: 100 },
  );
});

test('a word whose stem differs between languages matches the pages of both', () => {
  const pages = ['en', 'de', 'fr'].map((lang) =>
    examplePage({ url: `https://${lang}.example/`, body: 'generations', lang }),
  );
  const part = { pages, dead: new Set<string>() };
  for (const lang of ['en', 'de', 'fr']) {
    expect(search([part], { query: parseQuery('generations', { lang }), limit: 9 }).total).toBe(3);
  }
});
