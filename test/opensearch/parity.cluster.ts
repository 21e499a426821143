import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { drawQueries } from '../../bench/engines/queries.ts';
import { drawPage, seededRandom } from '../../bench/page-source.ts';
import { openIndex } from '../../src/index/open-index.ts';
import { pack } from '../../src/index/packed/pack.ts';
import type { IndexAnswer, IndexHit, IndexSearch, PartialSearch } from '../../src/index/page-index.ts';
import { countTerms } from '../../src/index/page-terms.ts';
import type { Page } from '../../src/page.ts';
import { loosenQuery } from '../../src/query/bare-words.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { randomFilters, randomPage, randomSearch, words } from '../index/random-index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openFed, ownNames } from './cluster/fed-index.ts';

/** Random pages, each at an address of its own below one of few sites. */
function somePages(count: number): Page[] {
  return fc.sample(randomPage, { numRuns: count, seed: 7 }).map((page, number) => {
    const url = `${page.url.replace(/\/$/, '')}/${number}`;
    return { ...page, url, id: pageId(url) };
  });
}

/** The same pages in a packed index and in a cluster. */
async function openBoth(pages: readonly Page[]) {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  await store.write((writer) => pages.forEach(writer.putPage));
  pack(store, join(folder, 'index'));
  const embedded = openIndex({ folder: join(folder, 'index'), log: silentLog, changeLog: store });
  onTestFinished(async () => {
    await embedded.close();
    await store.close();
  });
  const { index: cluster, settle } = openFed(store, ownNames());
  await settle();
  return { embedded, cluster };
}

/** `expected` is the answer with every hit, of which `found` has the first. */
function expectEqual(found: IndexAnswer, expected: IndexAnswer, limit: number): void {
  expect(found.total).toBe(expected.total);
  expect([...found.weights]).toEqual([...expected.weights]);
  expect(withoutMarks(found.hits)).toEqual(withoutMarks(expected.hits.slice(0, limit)));
}

/** A cluster keeps no marks. Everything else is the same, to the last bit of a score. */
function withoutMarks(hits: readonly IndexHit[]) {
  return hits.map(({ marks: _, parts, ...hit }) => ({ ...hit, parts: parts && [...parts].sort() }));
}

/** Made-up pages of a few languages and kinds, one in thirty a copy. */
function benchPages(count: number): Page[] {
  const random = seededRandom(1);
  return Array.from({ length: count }, (_, n) => ({
    ...drawPage(random, n),
    lang: ['en', 'en', 'de', 'zh'][n % 4] as string,
    fileType: n % 10 === 0 ? ('pdf' as const) : ('html' as const),
    ...(n % 30 === 7 && { copyOf: 'a'.repeat(26) }),
  }));
}

function benchQueries(pages: readonly Page[]): string[] {
  const frequencies = new Map<string, number>();
  for (const page of pages)
    for (const term of countTerms(page).frequencies.keys())
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return drawQueries(pages, (term) => frequencies.get(term) ?? 0, pages.length).map(({ q }) => q);
}

/** They take turns with the queries of the bench, which have none. */
const benchFilters: Partial<IndexSearch>[] = [
  {},
  { prefer: { lang: 'zh', factor: 1.5 } },
  {},
  { lang: 'en' },
  { crawledSince: Date.UTC(2026, 0, 1) + 500_000 },
];

const question = fc
  .tuple(
    fc.array(fc.constantFrom(...words, 'missing', 'leaves'), { minLength: 2, maxLength: 6 }),
    fc.option(fc.constantFrom('+tree', '-root', 'leaf OR json', 'site:example.com', '"tree leaf"')),
  )
  .map(([bare, hard]) => [...bare, ...(hard ? [hard] : [])].join(' '));

describe.skipIf(inject('jars') === undefined)('a cluster and the packed index', () => {
  test('give the same answers: totals, order, scores, weights, partial matches, spellings', async () => {
    const { embedded, cluster } = await openBoth(somePages(300));
    expect(cluster.stats().pages).toBe(300);

    await fc.assert(
      fc.asyncProperty(randomSearch, fc.nat(40), async (search: IndexSearch, limit) => {
        const all = await embedded.search({ ...search, limit: 1000 });
        expectEqual(await cluster.search({ ...search, limit }), all, limit);
      }),
      { numRuns: 300 },
    );

    await fc.assert(
      fc.asyncProperty(question, randomFilters, fc.boolean(), async (q, filters, explain) => {
        const query = parseQuery(q);
        const loosened = loosenQuery(query);
        if (!loosened) return;
        const search: PartialSearch = { query, loosened, explain, ...filters };
        const found = await cluster.partialMatches(search);
        const expected = await embedded.partialMatches(search);
        expect(found.unknown).toEqual(expected.unknown);
        expect(found.coverage).toBeCloseTo(expected.coverage, 9);
        expect(withoutMarks(found.well)).toEqual(withoutMarks(expected.well));
        expect(withoutMarks(found.rest)).toEqual(withoutMarks(expected.rest));
        for (const { id } of [...found.well, ...found.rest])
          expect(found.missing(id)).toEqual(expected.missing(id));
      }),
      { numRuns: 100 },
    );

    const explained = { query: parseQuery('running tree -json'), limit: 1000, explain: true };
    expectEqual(await cluster.search(explained), await embedded.search(explained), 1000);

    const someWords =
      loosenQuery(parseQuery('tree asyncio missing 数据库优化'))?.words.map(({ of }) => of) ?? [];
    const rarities = await cluster.rarities(someWords);
    for (const [place, rarity] of (await embedded.rarities(someWords)).entries())
      expect(rarities[place]).toBeCloseTo(rarity, 9);

    const misspelt = { word: 'asincio', maxDistance: 2, minPages: 1, limit: 10 };
    expect(await cluster.similarWords(misspelt)).toEqual(await embedded.similarWords(misspelt));
  });

  test('pages of results follow each other, whichever copies are asked', async () => {
    const { embedded, cluster } = await openBoth(somePages(200));
    const query = parseQuery('tree OR leaf');
    const { hits: all } = await embedded.search({ query, limit: 200 });
    expect(all.length).toBeGreaterThan(60);
    for (let limit = 10; limit <= 60; limit += 10) {
      const { hits } = await cluster.search({ query, limit });
      expect(withoutMarks(hits)).toEqual(withoutMarks(all.slice(0, limit)));
    }
  });

  test('500 queries of the bench: the same totals, the same pages, the same order', async () => {
    const pages = benchPages(1500);
    const { embedded, cluster } = await openBoth(pages);
    const queries = benchQueries(pages);
    expect(queries.length).toBe(500);
    for (const [place, q] of queries.entries()) {
      const search = { query: parseQuery(q), limit: 30, ...benchFilters[place % benchFilters.length] };
      const [found, expected] = await Promise.all([cluster.search(search), embedded.search(search)]);
      expect([q, found.total, withoutMarks(found.hits)]).toEqual([
        q,
        expected.total,
        withoutMarks(expected.hits),
      ]);
    }
  });
});
