import { expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import { SearchParams, SearchResponse } from '../../src/contract/search.ts';
import type { Page } from '../../src/page.ts';
import { silentLog } from '../../src/runtime.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { openApp } from '../opensearch/open-app.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const now = Date.UTC(2026, 10, 20, 12);
const day = 24 * 60 * 60 * 1000;

/** An engine over these pages. */
async function engineWith(pages: readonly Page[]) {
  const app = openApp({ config: { dataFolder: temporaryFolder() }, log: silentLog, now: () => now });
  onTestFinished(() => app.close());
  for (const page of pages) await app.pageWriter.put(page);
  const search = (params: Record<string, unknown>) => app.engine.search(SearchParams.parse(params));
  const urls = async (params: Record<string, unknown>) =>
    (await search(params)).results.map(({ url }) => url);
  return { ...app, search, urls };
}

const en = examplePage({ url: 'https://docs.example.com/tree', title: 'Trees', body: 'A tree has leaves.' });
const zh = examplePage({ url: 'https://例え.example/树', title: '树', body: '树有树叶。 tree', lang: 'zh' });

test('a result has every field of the contract, and null or nothing where the page says nothing', async () => {
  const page = {
    ...en,
    siteName: 'Docs',
    author: 'A. Author',
    publishedAt: Date.UTC(2026, 0, 2),
    crawledAt: now - 5,
  };
  const { search } = await engineWith([page]);
  const { external, ...answer } = await search({ q: 'tree' });
  expect(SearchResponse.parse(answer)).toEqual(answer);
  expect(external).toEqual({ state: 'off', reason: 'turned off', failures: [] });
  expect(answer.total).toBe(1);
  expect(Number.isInteger(answer.took_ms)).toBe(true);
  const [result] = answer.results;
  expect(result).toEqual({
    id: pageId(page.url),
    url: page.url,
    title: 'Trees',
    snippet: 'A tree has leaves.',
    domain: 'docs.example.com',
    site_name: 'Docs',
    lang: 'en',
    score: expect.any(Number),
    source: 'local',
    has_llms_txt: false,
    published_at: '2026-01-02T00:00:00.000Z',
    crawled_at: '2026-11-20T11:59:59.995Z',
  });
  const plain = await (await engineWith([en])).search({ q: 'tree' });
  expect(plain.results[0]).toMatchObject({ published_at: null });
  expect(plain.results[0]).not.toHaveProperty('site_name');
});

test('content is the whole page, and an unknown id says what to do', async () => {
  const { engine } = await engineWith([en]);
  expect(await engine.content(en.id)).toEqual({
    id: en.id,
    url: en.url,
    title: 'Trees',
    body_text: en.body,
    author: null,
    published_at: null,
    lang: 'en',
    word_count: 4,
    crawled_at: '2026-01-01T00:00:00.000Z',
    has_llms_txt: false,
  });
  await expect(engine.content(zh.id)).rejects.toThrow(/use the id of a search result/);
});

test('words are ANDed, and the total counts what limit and offset hide', async () => {
  const pages = Array.from({ length: 25 }, (_, n) =>
    examplePage({ url: `https://a.example/${n}`, body: `oak tree ${n}` }),
  );
  const { search } = await engineWith([...pages, en]);
  expect((await search({ q: 'oak leaves' })).total).toBe(0);
  expect((await search({ q: 'oak tree' })).total).toBe(25);
  const shown: string[] = [];
  for (let offset = 0; offset < 30; offset += 10) {
    shown.push(...(await search({ q: 'oak tree', offset })).results.map(({ id }) => id));
  }
  expect(shown).toHaveLength(25);
  expect(new Set(shown).size).toBe(25);
});

test('lang hides other languages, lang_priority only ranks them lower', async () => {
  const { urls, search } = await engineWith([en, zh]);
  expect(await urls({ q: 'tree', lang: 'zh-CN' })).toEqual([zh.url]);
  expect(await urls({ q: 'tree', lang: '' })).toHaveLength(2);
  for (const [lang_priority, first] of [
    ['en', en.url],
    ['zh-Hant', zh.url],
  ] as const) {
    const same = await engineWith([
      { ...en, body: 'tree' },
      { ...zh, title: 'Trees', body: 'tree' },
    ]);
    expect((await same.urls({ q: 'tree', lang_priority }))[0]).toBe(first);
  }
  expect((await search({ q: 'tree', lang_priority: 'zh' })).total).toBe(2);
});

test('time_range goes by the crawl, to the millisecond', async () => {
  const at = (crawledAt: number) =>
    examplePage({ url: `https://a.example/${crawledAt}`, body: `tree ${crawledAt}`, crawledAt });
  const [inside, outside, old] = [at(now - day), at(now - day - 1), at(now - 366 * day)];
  const { urls } = await engineWith([inside, outside, old]);
  expect(await urls({ q: 'tree', time_range: '1d' })).toEqual([inside.url]);
  expect(await urls({ q: 'tree', time_range: '30d' })).toEqual([inside.url, outside.url]);
  expect(await urls({ q: 'tree', time_range: '1y' })).toHaveLength(2);
  expect(await urls({ q: 'tree', time_range: 'all' })).toHaveLength(3);
});

test('the parameter site intersects with the operator', async () => {
  const { urls } = await engineWith([en, zh]);
  expect(await urls({ q: 'tree', site: 'example.com' })).toEqual([en.url]);
  expect(await urls({ q: 'tree', site: '例え.example' })).toEqual([zh.url]);
  expect(await urls({ q: 'tree site:docs.example.com', site: 'other.org' })).toEqual([]);
});

test('filters alone list everything that is left, newest crawl first', async () => {
  const newer = { ...zh, crawledAt: en.crawledAt + 1 };
  const { urls } = await engineWith([en, newer]);
  expect(await urls({ q: '-nothing' })).toEqual([newer.url, en.url]);
});

test('a query with nothing left and a site that is none are both named at once', async () => {
  const { search } = await engineWith([]);
  const error = await search({ q: '""', site: 'example.com:99999' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServiceError);
  expect((error as ServiceError).parameters.map(({ parameter }) => parameter)).toEqual(['q', 'site']);
});

test('a page that was removed is found no more, one that was put again is found by its new text', async () => {
  const { pageWriter, search, engine } = await engineWith([en]);
  await pageWriter.put({ ...en, title: 'Shrubs', body: 'A shrub has twigs.' });
  expect((await search({ q: 'leaves' })).total).toBe(0);
  expect((await search({ q: 'twigs' })).total).toBe(1);
  await pageWriter.remove(en.id);
  expect((await search({ q: 'twigs' })).total).toBe(0);
  expect(engine.status()).toEqual({ pages: 0, searchable: 0 });
});

test('touching a page moves its crawl time alone', async () => {
  const { pageWriter, engine } = await engineWith([en]);
  await pageWriter.touch(en.id, now);
  expect(await engine.content(en.id)).toMatchObject({
    body_text: en.body,
    crawled_at: '2026-11-20T12:00:00.000Z',
  });
});

test('a search whose caller has gone rejects', async () => {
  const { engine } = await engineWith([en]);
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(engine.search(SearchParams.parse({ q: 'tree' }), { signal: gone })).rejects.toThrow('gone');
  await expect(engine.content(en.id, { signal: gone })).rejects.toThrow('gone');
});
