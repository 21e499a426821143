import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { impactStep } from '../../../src/index/impact-weights.ts';
import { countLeaves } from '../../../src/index/opensearch/dsl.ts';
import { pageDocument } from '../../../src/index/opensearch/page-document.ts';
import { scoreName, toOpenSearch } from '../../../src/index/opensearch/to-opensearch.ts';
import type { IndexSearch } from '../../../src/index/page-index.ts';
import type { Page } from '../../../src/page.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { examplePage } from '../../pages.ts';
import { bruteForce, corpusNumbers } from '../brute-force.ts';
import { randomPage, randomSearch } from '../random-index.ts';
import { interpret } from './interpret-dsl.ts';

const pages = fc.uniqueArray(randomPage, { maxLength: 6, selector: ({ id }) => id });

function interpreted(given: readonly Page[], search: IndexSearch) {
  const { averageLengths, weights } = corpusNumbers(given, search.query);
  const dsl = toOpenSearch(search, weights);
  return given.flatMap((page) => {
    const hit = interpret(dsl, pageDocument(page, averageLengths));
    return hit ? [{ page, ...hit }] : [];
  });
}

describe('a query in the DSL', () => {
  test('matches what a scan over all pages matches', () => {
    fc.assert(
      fc.property(pages, randomSearch, (given, search) => {
        const expected = bruteForce(given, search).map(({ id }) => id);
        const found = interpreted(given, search).map(({ page }) => page.id);
        expect(found.sort()).toEqual(expected.sort());
      }),
      { numRuns: 500 },
    );
  });

  test('scores every term that a page holds once, as exactly as one byte allows', () => {
    fc.assert(
      fc.property(pages, randomSearch, (given, search) => {
        const numbers = corpusNumbers(given, search.query);
        const bound =
          [...numbers.weights.values()].reduce((sum, weight) => sum + weight, 0) *
          impactStep *
          (search.prefer?.factor ?? 1);
        const expected = new Map(bruteForce(given, search, numbers).map(({ id, score }) => [id, score]));
        for (const { page, score } of interpreted(given, search))
          expect(Math.abs(score - (expected.get(page.id) ?? Number.NaN))).toBeLessThanOrEqual(bound + 1e-9);
      }),
      { numRuns: 500 },
    );
  });

  test('the named parts of a score add up to it, before the preference', () => {
    fc.assert(
      fc.property(pages, randomSearch, (given, search) => {
        for (const { page, score, named } of interpreted(given, { ...search, explain: true })) {
          const sum = [...named].reduce(
            (total, [name, part]) => total + (name.startsWith(scoreName) ? part : 0),
            0,
          );
          expect(score).toBeCloseTo(sum * (search.prefer?.lang === page.lang ? search.prefer.factor : 1), 9);
        }
      }),
    );
  });

  test('the part of a term that stands in the query twice is said once', () => {
    const page = examplePage({ url: 'https://a.example/', body: 'json tree' });
    const [hit] = interpreted([page], { query: parseQuery('"json tree" json'), limit: 10, explain: true });
    expect(hit?.named.get(`${scoreName}json`)).toBeGreaterThan(0);
  });

  test.each([
    ['512 Han characters', '数据库优化系统网络编程语言'.repeat(40).slice(0, 512)],
    ['as many in a title', `intitle:"${'数据库优化系统网络编程语言'.repeat(40).slice(0, 500)}"`],
    [
      'many different ones',
      Array.from({ length: 512 }, (_, n) => String.fromCodePoint(0x4e00 + 7 * n)).join(''),
    ],
    ['many words', Array.from({ length: 200 }, (_, n) => `running${n}s`).join(' ')],
    ['many alternatives', Array.from({ length: 100 }, (_, n) => `word${n}`).join(' OR ')],
  ])('%s stay below the limit of clauses', (_, q) => {
    const query = parseQuery(q);
    const { weights } = corpusNumbers([examplePage({ url: 'https://a.example/' })], query);
    expect(countLeaves(toOpenSearch({ query }, weights))).toBeLessThanOrEqual(1000);
  });

  test('where there are too many, required ones are kept and the lightest optional ones go', () => {
    const word = (term: string, required: boolean) => ({ term, stem: null, required, weight: 1 });
    const words = [word('must', true), ...Array.from({ length: 1500 }, (_, n) => word(`may${n}`, false))];
    const query = { kind: 'words', text: '', words, quoted: false } as const;
    const weights = new Map(words.map(({ term }, n) => [term, n + 1]));
    const dsl = JSON.stringify(toOpenSearch({ query }, weights));
    expect(dsl).toContain('"must"');
    expect(dsl).toContain('"may1499"');
    expect(dsl).not.toContain('"may3"');
  });

  test('more required words than a cluster takes are refused', () => {
    const words = Array.from({ length: 1100 }, (_, n) => ({
      term: `w${n}`,
      stem: null,
      required: true,
      weight: 1,
    }));
    const query = { kind: 'words', text: '', words, quoted: false } as const;
    expect(() => toOpenSearch({ query }, new Map())).toThrow('too many words');
  });
});
