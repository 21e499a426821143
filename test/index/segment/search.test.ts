import fc from 'fast-check';
import { expect, test } from 'vitest';
import { impactStep } from '../../../src/index/impact-weights.ts';
import type { IndexSearch } from '../../../src/index/page-index.ts';
import { byRank } from '../../../src/index/page-index.ts';
import { countTerms } from '../../../src/index/page-terms.ts';
import { documentFrequency, pageNumber, type Segment } from '../../../src/index/segment/reader.ts';
import { scoreParts, searchSegment } from '../../../src/index/segment/search.ts';
import { TopK } from '../../../src/index/segment/top-k.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { mentionsSite } from '../../../src/query/site.ts';
import { examplePage } from '../../pages.ts';
import { bruteForce, corpusNumbers } from '../brute-force.ts';
import { randomFilters, randomQuery, urls, words } from '../random-index.ts';
import { deadSet, type Part, packed, randomParts, randomTree } from './random-segments.ts';

/** The averages are those of nobody's pages, so that one packing serves every query. */
const averageLengths = [2, 3, 4, 20] as const;

function packedParts(parts: readonly Part[]) {
  return parts.map(({ pages, dead }) => {
    const segment = packed(pages, averageLengths);
    return { segment, dead: deadSet(segment, dead) };
  });
}

function search(parts: readonly Part[], asked: IndexSearch, segments = packedParts(parts)) {
  const all = parts.flatMap(({ pages }) => pages);
  const { weights } = corpusNumbers(all, asked.query);
  const living = parts.flatMap(({ pages, dead }) => pages.filter(({ id }) => !dead.has(id)));
  const expected = bruteForce(living, asked, { averageLengths, weights });
  const { limit, ...rest } = asked;
  const top = new TopK(limit);
  const total = segments.reduce(
    (sum, { segment, dead }) =>
      sum + searchSegment(segment, { ...rest, copies: mentionsSite(rest.query), dead, weights, top }),
    0,
  );
  const hits = top.hits().map(({ marks: _, ...hit }) => hit);
  return { expected, total, hits, weights, segments };
}

/** All hits against those of the scan: the same pages, scores within the bound, order but for what the bound allows. */
function compare(
  { expected, total, hits, weights }: ReturnType<typeof search>,
  { prefer }: Pick<IndexSearch, 'prefer'>,
): void {
  expect(total).toBe(expected.length);
  expect(hits.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
  const weight = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const bound = weight * impactStep * (prefer?.factor ?? 1) + 1e-9;
  const exact = new Map(expected.map(({ id, score }) => [id, score]));
  const errors = hits.map(({ id, score }) => Math.abs(score - (exact.get(id) as number)));
  expect(Math.max(0, ...errors)).toBeLessThanOrEqual(bound);
  // So two hits stand the wrong way round only where their true scores differ by less than two bounds.
  const rises = hits
    .slice(1)
    .map(({ id }, at) => (exact.get(id) ?? 0) - (exact.get(hits[at]?.id ?? '') ?? 0));
  expect(Math.max(0, ...rises)).toBeLessThanOrEqual(2 * bound);
  expect(hits).toEqual(hits.toSorted(byRank));
}

const anyQuery = fc.oneof(randomQuery, randomTree);

test('matches and totals equal a scan over the living pages, and scores are within the bound of the impacts', () => {
  fc.assert(
    fc.property(randomParts, anyQuery, randomFilters, (parts, query, filters) => {
      compare(search(parts, { query, limit: 100, ...filters }), filters);
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

test('many pages are searched as few are', () => {
  // Enough for several blocks of candidates, for lists dense and sparse beside them, and for unions of both.
  const wordsOf = (n: number): string[] =>
    words.filter((_, at) => Math.floor(n * Math.SQRT2 * (at + 1)) % (at * at + 2) === 0);
  const pages = Array.from({ length: 6000 }, (_, n) =>
    examplePage({
      url: `${urls[n % urls.length]}/${n}`,
      title: wordsOf(n + 7).join(' '),
      body: wordsOf(n).join(' '),
      lang: ['en', 'zh', 'de'][n % 7] ?? 'fr',
      crawledAt: n % 50,
      fileType: n % 9 === 0 ? 'pdf' : 'html',
    }),
  );
  const parts = [
    { pages: pages.slice(0, 5000), dead: new Set(pages.slice(100, 1500).map(({ id }) => id)) },
    { pages: pages.slice(5000), dead: new Set<string>() },
  ];
  const segments = packedParts(parts);
  fc.assert(
    fc.property(anyQuery, randomFilters, (query, filters) => {
      compare(search(parts, { query, limit: 6000, ...filters }, segments), filters);
      const few = search(parts, { query, limit: 10, ...filters }, segments);
      const all = search(parts, { query, limit: 6000, ...filters }, segments);
      expect([few.total, few.hits]).toEqual([all.total, all.hits.slice(0, 10)]);
    }),
    { numRuns: 60 },
  );
});

test('document frequencies and the parts of a score are those of the pages', () => {
  fc.assert(
    fc.property(randomParts, randomQuery, (parts, query) => {
      const { segments, hits, weights } = search(parts, { query, limit: 100 });
      const all = parts.flatMap(({ pages }) => pages);
      for (const term of weights.keys()) {
        const frequency = segments.reduce((sum, { segment }) => sum + documentFrequency(segment, term), 0);
        expect(frequency).toBe(all.filter((page) => countTerms(page).frequencies.has(term)).length);
      }
      for (const { id, score } of hits) {
        const { segment } = segments.find(({ segment }) => pageNumber(segment, id) >= 0) ?? {};
        if (!segment) throw new Error('a hit of no segment');
        const parts = scoreParts(segment, pageNumber(segment, id), weights);
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

test('words that stand on nearly every page of a large segment, more of them than are remembered', () => {
  const frequent = Array.from({ length: 140 }, (_, at) => `common${at}`);
  const pages = Array.from({ length: 9000 }, (_, at) => {
    const words = [
      'alpha '.repeat(1 + (at % 7)),
      at % 50 === 0 ? '' : 'beta '.repeat(1 + (at % 3)),
      at % 3 === 0 ? 'gamma' : '',
      at % 100 === 50 ? 'delta' : '',
      at % 100 === 50 ? '' : frequent.join(' '),
    ];
    return examplePage({ url: `https://example.com/${at}`, title: '', headings: '', body: words.join(' ') });
  });
  const parts = [{ pages, dead: new Set(pages.slice(0, 60).map(({ id }) => id)) }];
  const segments = packedParts(parts);
  const queries = [
    'delta alpha',
    'gamma alpha beta',
    'gamma -beta',
    'delta OR gamma beta',
    'gamma -(delta OR beta)',
  ];
  for (const q of [...queries, ...queries]) {
    compare(search(parts, { query: parseQuery(q), limit: 10_000 }, segments), {});
  }
  const top = new TopK(10);
  const totals = [...frequent, ...frequent].map((word) => {
    const query = parseQuery(`gamma ${word}`);
    return searchSegment(segments[0]?.segment as Segment, { query, weights: new Map(), top });
  });
  expect(totals).toEqual(totals.map(() => pages.filter(({ body }) => /gamma.*common0/.test(body)).length));
});
