import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byRank } from '../../../src/index/page-index.ts';
import { TopK } from '../../../src/index/segment/top-k.ts';

const sources = ['a', 'b', 'c'].map((name) => ({
  idOf: (page: number) => `${String(page).padStart(2, '0')}${name}`,
  marksOf: () => undefined,
}));
const offers = fc.array(
  fc.record({
    score: fc.nat(3),
    crawledAt: fc.nat(3),
    source: fc.constantFrom(...sources),
    page: fc.nat(20),
  }),
  { maxLength: 60 },
);

test('the best of all offers come out in the order of ranks', () => {
  fc.assert(
    fc.property(offers, fc.nat(10), (drawn, limit) => {
      const distinct = [...new Map(drawn.map((hit) => [hit.source.idOf(hit.page), hit])).entries()];
      const top = new TopK(limit);
      for (const [, { score, crawledAt, source, page }] of distinct)
        top.offer(score, crawledAt, source, page);
      const sorted = distinct.map(([id, { score, crawledAt }]) => ({ id, score, crawledAt })).sort(byRank);
      expect(top.hits()).toEqual(sorted.slice(0, limit));
    }),
    { numRuns: 1000 },
  );
});
