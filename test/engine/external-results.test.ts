import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { SearchParams, SearchResult } from '../../src/contract/search.ts';
import type { SearchOptions } from '../../src/engine/engine.ts';
import type { ProviderPool } from '../../src/external/provider-pool.ts';
import type { Page } from '../../src/page.ts';
import { silentLog } from '../../src/runtime.ts';
import { sitesTable } from '../../src/store/host/site-record.ts';
import { failed, type Said, stubProviderPool, webResult } from '../external/stub-provider-pool.ts';
import { openApp } from '../opensearch/open-app.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const now = Date.UTC(2026, 10, 20, 12);

/** An engine over these pages and these providers. */
async function engineOver(
  pages: readonly Page[],
  says: Record<string, Said>,
  openPool?: () => Promise<ProviderPool>,
) {
  const pool = stubProviderPool(says);
  const errors: string[] = [];
  const app = openApp({
    config: { dataFolder: temporaryFolder() },
    log: { ...silentLog, error: (_, message) => errors.push(message) },
    now: () => now,
    openPool: openPool ?? (async () => pool),
  });
  onTestFinished(() => app.close());
  for (const page of pages) await app.pageWriter.put(page);
  const search = (params: Record<string, unknown>, options?: SearchOptions) =>
    app.engine.search(SearchParams.parse(params), options);
  const urls = async (params: Record<string, unknown>) =>
    (await search(params)).results.map(({ url }) => url);
  return { ...app, pool, errors, search, urls };
}

const local = (n: number) =>
  Array.from({ length: n }, (_, at) =>
    examplePage({ url: `https://local.example/${at}`, body: `oak tree ${at}` }),
  );
const remote = (n: number) => Array.from({ length: n }, (_, at) => webResult(`https://web.example/${at}`));

test('an external result has every field of the contract, without an id and with the time when it was found', async () => {
  const found = webResult('https://WEB.example/a?gclid=1', {
    title: 'An\u202eoak\n tree',
    snippet: 'x '.repeat(1000),
    publishedAt: Date.UTC(2026, 1, 3),
  });
  const { search, store } = await engineOver([], { one: [found] });
  await store.write((writer) => {
    const record = { hasLlmsTxt: true, checkedAt: now, recheckAt: now };
    writer.put(store.table(sitesTable), 'web.example', record);
  });
  const { total, results, external } = await search({ q: 'oak tree' });
  expect({ total, external }).toEqual({ total: 1, external: { state: 'ok', failures: [] } });
  const [result] = results;
  expect(SearchResult.parse(result)).toEqual(result);
  expect(result).toEqual({
    id: '',
    url: 'https://web.example/a',
    title: 'Anoak · tree',
    snippet: expect.stringMatching(/^(x ){200,}…$/),
    domain: 'web.example',
    lang: 'en',
    score: expect.any(Number),
    source: 'external',
    has_llms_txt: true,
    published_at: '2026-02-03T00:00:00.000Z',
    crawled_at: new Date(now).toISOString(),
  });
});

test('local results come first and every external one scores below them', async () => {
  const { search } = await engineOver(local(3), { one: remote(5), two: remote(5) });
  const { total, results } = await search({ q: 'oak tree' });
  expect(total).toBe(8);
  expect(results.map(({ source }) => source)).toEqual([
    ...Array(3).fill('local'),
    ...Array(5).fill('external'),
  ]);
  for (const [at, { score }] of results.entries()) {
    if (at > 0) expect(score).toBeLessThanOrEqual(results[at - 1]?.score as number);
  }
  expect(results[3]?.score).toBeLessThan(results[2]?.score as number);
  expect(results[7]?.score).toBeGreaterThan(0);
});

test('external results score below local ones even where those have no score', async () => {
  const { search } = await engineOver(local(2), { one: remote(2) });
  const scores = (await search({ q: '-nothing' })).results.map(({ score }) => score);
  expect(scores.slice(0, 2)).toEqual([0, 0]);
  for (const score of scores.slice(2)) expect(score).toBeLessThan(0);
});

test('total and order hold over every page of results, and each result comes once', async () => {
  const { search, pool } = await engineOver(local(7), { one: remote(20), two: remote(9).toReversed() });
  const whole = (await search({ q: 'oak tree', limit: 100 })).results.map(({ url }) => url);
  expect(new Set(whole).size).toBe(27);
  for (const limit of [1, 4, 10]) {
    const paged: string[] = [];
    for (let offset = 0; offset < 30; offset += limit) {
      const { total, results } = await search({ q: 'oak tree', limit, offset });
      expect(total).toBe(27);
      paged.push(...results.map(({ url }) => url));
    }
    expect(paged).toEqual(whole);
  }
  expect(pool.requests).toHaveLength(1);
});

test('no provider is asked if local results fill the page', async () => {
  const { search, pool } = await engineOver(local(10), { one: remote(5) });
  expect(await search({ q: 'oak tree', limit: 10 })).toMatchObject({
    total: 10,
    external: { state: 'off', reason: 'enough local results' },
  });
  expect(pool.requests).toEqual([]);
  expect((await search({ q: 'oak tree', limit: 11 })).total).toBe(15);
  // From then on it is known what the next page of results will add.
  expect((await search({ q: 'oak tree', limit: 10 })).total).toBe(15);
  expect(pool.requests).toHaveLength(1);
});

/** An app whose external search is that of the settings. */
function appWith(settings: NodeJS.ProcessEnv) {
  const config = readConfig({ ...settings, GLEANER_DATA: temporaryFolder() });
  const app = openApp({ config, log: silentLog });
  onTestFinished(() => app.close());
  return app;
}

test('external search is on by default', () => {
  expect(appWith({}).web.federatedSearch).toBeDefined();
});

test('where external search is off, nothing of it is loaded, and every answer says so', async () => {
  const app = appWith({ GLEANER_EXTERNAL: 'off' });
  for (const page of local(2)) await app.pageWriter.put(page);
  expect(app.web.federatedSearch).toBeUndefined();
  for (const limit of [1, 10]) {
    const { total, external } = await app.engine.search(SearchParams.parse({ q: 'oak tree', limit }));
    expect({ total, external }).toEqual({
      total: 2,
      external: { state: 'off', reason: 'turned off', failures: [] },
    });
  }
});

test('a page that is found locally is not shown a second time, whatever the scheme and www.', async () => {
  const page = examplePage({ url: 'https://docs.example.com/oak', body: 'oak tree' });
  const { urls } = await engineOver([page], {
    one: [webResult('http://www.docs.example.com/oak#leaf'), webResult('https://docs.example.com/oak/')],
  });
  expect(await urls({ q: 'oak tree' })).toEqual([page.url, 'https://docs.example.com/oak/']);
});

test('a copy of a local result is not shown with it', async () => {
  const [original, copy] = ['https://a.example/oak', 'https://b.example/oak'].map((url) =>
    examplePage({ url, body: 'oak tree' }),
  ) as [Page, Page];
  const { urls } = await engineOver([original, copy], { one: [webResult(copy.url), ...remote(1)] });
  expect(await urls({ q: 'oak tree' })).toEqual([original.url, 'https://web.example/0']);
});

test('a page that was fetched between two pages of results moves no other result', async () => {
  const { search, pageWriter } = await engineOver([], { one: remote(20) });
  const first = await search({ q: 'oak tree', limit: 5 });
  for (const { url } of first.results.slice(0, 3))
    await pageWriter.put(examplePage({ url, body: `oak tree ${url}` }));
  const second = await search({ q: 'oak tree', limit: 5, offset: 5 });
  expect(second.total).toBe(20);
  expect(second.results.map(({ url }) => url)).toEqual(
    remote(20)
      .slice(5, 10)
      .map(({ url }) => url),
  );
});

test('lang_priority orders external results among themselves and hides none', async () => {
  const chinese = webResult('https://zh.example/', { lang: 'zh' });
  const { urls } = await engineOver(local(1), { one: [...remote(3), chinese] });
  expect(await urls({ q: 'oak tree' })).toHaveLength(5);
  expect((await urls({ q: 'oak tree' }))[1]).toBe('https://web.example/0');
  const preferred = await urls({ q: 'oak tree', lang_priority: 'zh-CN' });
  expect(preferred).toHaveLength(5);
  expect(preferred.slice(0, 2)).toEqual(['https://local.example/0', chinese.url]);
});

test('providers are asked for what the caller asked for', async () => {
  const { search, pool } = await engineOver([], { one: [] });
  await search({ q: 'oak site:a.example', lang: 'de-AT', time_range: '7d', site: 'b.example', offset: 20 });
  await search({ q: 'oak', time_range: 'all' });
  expect(pool.requests[0]).toMatchObject({ lang: 'de', timeRange: '7d', offset: 0 });
  expect(JSON.stringify(pool.requests[0]?.query)).toMatch(/a\.example.*b\.example/);
  expect(pool.requests[1]).not.toHaveProperty('timeRange');
});

test('a door may keep an answer local, and is asked only where others would be', async () => {
  const { search, pool } = await engineOver(local(3), { one: remote(3) });
  let times = 0;
  const spent = {
    mayAskExternal: () => {
      times += 1;
      return false;
    },
  };
  expect((await search({ q: 'oak tree', limit: 3 }, spent)).total).toBe(3);
  expect(times).toBe(0);
  expect(await search({ q: 'oak tree' }, spent)).toMatchObject({
    total: 3,
    external: { state: 'off', reason: 'budget spent' },
  });
  expect(times).toBe(1);
  expect(pool.requests).toEqual([]);
  await search({ q: 'oak tree' });
  // What is known costs nobody anything.
  expect((await search({ q: 'oak tree' }, spent)).total).toBe(6);
  expect(times).toBe(1);
});

test('who could not be asked is named, and the local results still come', async () => {
  const failure = { provider: 'two', message: 'no answer in time' };
  const partial = await engineOver(local(1), { one: remote(1), two: failed });
  expect(await partial.search({ q: 'oak tree' })).toMatchObject({
    total: 2,
    external: { state: 'partial', failures: [failure] },
  });
  const none = await engineOver(local(1), { two: failed });
  expect(await none.search({ q: 'oak tree' })).toMatchObject({
    total: 1,
    external: { state: 'failed', failures: [failure] },
  });
  const unfit = await engineOver([], { one: { kind: 'unfit', message: 'no word' } });
  expect((await unfit.search({ q: 'oak' })).external).toMatchObject({
    state: 'off',
    reason: 'no provider fits',
  });
});

test('a bug in the fallback costs its results, not the answer, and is logged', async () => {
  const { search, errors } = await engineOver(local(1), {}, () => Promise.reject(new Error('a bug')));
  expect(await search({ q: 'oak tree' })).toMatchObject({ total: 1, external: { state: 'failed' } });
  expect(errors).toEqual(['the web could not be asked']);
});

test('a caller who gives up while others are asked gets no answer, and the providers hear of it', async () => {
  const caller = new AbortController();
  const wait = async () => caller.abort(new Error('gone'));
  const pool = stubProviderPool({ one: remote(1) }, { wait });
  const { search, errors } = await engineOver(local(1), {}, async () => pool);
  await expect(search({ q: 'oak tree' }, { signal: caller.signal })).rejects.toThrow('gone');
  expect(pool.signals[0]?.aborted).toBe(true);
  expect(errors).toEqual([]);
});
