import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  partialBorders,
  planPartialMatches,
  wordName,
} from '../../../src/index/opensearch/cluster-partial-matches.ts';
import { pageDocument } from '../../../src/index/opensearch/page-document.ts';
import type { PartialSearch } from '../../../src/index/page-index.ts';
import { countTerms } from '../../../src/index/page-terms.ts';
import { rarityUnits } from '../../../src/index/partial-matches.ts';
import { rarity, type TermCounts } from '../../../src/index/term-weights.ts';
import type { Page } from '../../../src/page.ts';
import { loosenQuery } from '../../../src/query/bare-words.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { bruteForce } from '../brute-force.ts';
import { randomFilters, randomPage, words } from '../random-index.ts';
import { interpret } from './interpret-dsl.ts';

function countsOf(pages: readonly Page[]): TermCounts {
  const terms = pages.map((page) => countTerms(page).frequencies);
  return {
    pages: pages.length,
    documentFrequency: (term) => terms.filter((frequencies) => frequencies.has(term)).length,
  };
}

const question = fc
  .tuple(
    fc.array(fc.constantFrom(...words, 'missing', 'leaves'), { minLength: 2, maxLength: 6 }),
    fc.option(fc.constantFrom('+tree', '-root', 'leaf OR json', 'site:example.com', '"tree leaf"')),
  )
  .map(([bare, hard]) => [...bare, ...(hard ? [hard] : [])].join(' '));
const somePages = fc.uniqueArray(randomPage, { maxLength: 6, selector: ({ id }) => id });

test('partial matches are divided by coverage, and no page with all words is among them', () => {
  let divided = 0;
  fc.assert(
    fc.property(somePages, question, randomFilters, (pages, q, filters) => {
      const query = parseQuery(q);
      const loosened = loosenQuery(query);
      if (!loosened) return;
      const search: PartialSearch = { query, loosened, ...filters };
      const counts = countsOf(pages);
      const plan = planPartialMatches(search, counts);
      const documents = pages.map((page) => pageDocument(page, [3, 5, 4, 20]));
      const idf = loosened.words.map(({ of }) => rarity(of, counts));
      const holders = loosened.words.map(({ of }) => {
        const one = {
          kind: 'all',
          of: [loosened.hard, { kind: 'words', text: '', words: of, quoted: false }],
        } as const;
        const copies = bruteForce(pages, {
          query: { kind: 'all', of: [one, query.kind === 'all' ? loosened.hard : one] },
          limit: 9,
          ...filters,
        });
        return new Set(copies.map(({ id }) => id));
      });
      const coverages = documents.map((page) => interpret(plan.coverage, page)?.score ?? 0);
      const best = Math.max(0, ...coverages);
      const { lowest, border, above } = partialBorders(plan, best);
      for (const [place, page] of documents.entries()) {
        const held = holders.flatMap((ids, index) => (ids.has(page.id) ? [index] : []));
        const isWhole = held.length === loosened.words.length;
        const expected = held.reduce((sum, index) => sum + (idf[index] as number), 0);
        const coverage = coverages[place] as number;
        if (isWhole) expect(coverage).toBe(0);
        else expect(coverage / rarityUnits).toBeCloseTo(expected, 3);
        const named = interpret(plan.coverage, page)?.named ?? new Map();
        if (coverage > 0)
          expect([...named.keys()]).toEqual(
            held.filter((index) => idf[index] !== 0).map((index) => `${wordName}${index}`),
          );
        if (best === 0) continue;
        expect(interpret(plan.between(border, above), page) !== undefined).toBe(coverage >= border);
        expect(interpret(plan.between(lowest, border), page) !== undefined).toBe(
          coverage >= lowest && coverage < border,
        );
        divided++;
      }
    }),
    { numRuns: 200 },
  );
  expect(divided).toBeGreaterThan(50);
});
