import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { openIndex } from '../../src/index/open-index.ts';
import { pack } from '../../src/index/packed/pack.ts';
import type { IndexAnswer, IndexHit, IndexSearch, PartialSearch } from '../../src/index/page-index.ts';
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

/** Scores of a cluster are of single precision. */
const precision = 1e-5;
const near = (one: number, other: number) =>
  Math.abs(one - other) <= precision * Math.max(1, Math.abs(other));

/** The same hits at the same places, but for pages whose scores differ by less than the precision. */
function expectEqualHits(found: readonly IndexHit[], all: readonly IndexHit[], limit = all.length): void {
  const expected = new Map(all.map((hit) => [hit.id, hit]));
  expect(new Set(found.map(({ id }) => id)).size).toBe(Math.min(limit, all.length));
  for (const [place, { id, score, crawledAt, parts }] of found.entries()) {
    const same = expected.get(id);
    const there = all[place] as IndexHit;
    if (!same) throw new Error(`${id} is no hit of the embedded index`);
    expect([id, near(score, same.score), near(same.score, there.score)]).toEqual([id, true, true]);
    expect(crawledAt).toBe(same.crawledAt);
    if (same.score === 0) expect(id).toBe(there.id);
    if (same.parts) expect([...(parts?.keys() ?? [])].sort()).toEqual([...same.parts.keys()].sort());
  }
}

/** `expected` is the answer with every hit, of which `found` has the first. */
function expectEqual(found: IndexAnswer, expected: IndexAnswer, limit: number): void {
  expect(found.total).toBe(expected.total);
  expect([...found.weights]).toEqual([...expected.weights]);
  expectEqualHits(found.hits, expected.hits, limit);
}

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
        expectEqualHits(found.well, expected.well);
        expectEqualHits(found.rest, expected.rest);
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
    const { hits: first } = await cluster.search({ query, limit: 200 });
    expectEqualHits(first, all);
    for (let limit = 10; limit <= 60; limit += 10) {
      const { hits } = await cluster.search({ query, limit });
      expect(hits.map(({ id }) => id)).toEqual(first.slice(0, limit).map(({ id }) => id));
    }
  });
});
