import { expect, onTestFinished, test } from 'vitest';
import { SearchParams } from '../../src/contract/search.ts';
import type { SearchOptions } from '../../src/engine/engine.ts';
import { pack } from '../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import type { Page } from '../../src/page.ts';
import { silentLog } from '../../src/runtime.ts';
import { stubProviderPool, webResult } from '../external/stub-provider-pool.ts';
import { openApp } from '../opensearch/open-app.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const now = Date.UTC(2026, 10, 20, 12);
const day = 24 * 60 * 60 * 1000;

/** An engine over these pages, with a clock and what it says of the phases of its searches. */
async function engineWith(pages: readonly Page[]) {
  const clock = { ms: now };
  const phases: string[] = [];
  const pool = stubProviderPool({ one: [webResult('https://web.example/')] });
  const dataFolder = temporaryFolder();
  const app = openApp({
    config: { dataFolder },
    log: silentLog,
    now: () => clock.ms,
    openPool: async () => pool,
    watchers: { onPhase: (phase) => phases.push(phase) },
  });
  onTestFinished(() => app.close());
  for (const page of pages) await app.pageWriter.put(page);
  const search = (params: Record<string, unknown>, options?: SearchOptions) =>
    app.engine.search(SearchParams.parse(params), options);
  /** What a search finds, and the phases that it went through. */
  const look = async (params: Record<string, unknown>) => {
    phases.length = 0;
    const { total, results } = await search(params);
    return { total, urls: results.map(({ url }) => url), phases: [...phases] };
  };
  return { ...app, dataFolder, clock, pool, phases, search, look };
}

const oaks = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    examplePage({ url: `https://a.example/${n}`, body: `oak tree ${n}` }),
  );
const [first, second, third] = oaks(3) as [Page, Page, Page];
const whole = ['match', 'rerank', 'results', 'web'];
const known = ['web'];

test('an equal search within 15 seconds is answered from the cache, and a later one by the index', async () => {
  const { search, look, clock, phases } = await engineWith(oaks(3));
  const { took_ms: _, ...once } = await search({ q: 'oak tree', limit: 2 });
  expect(phases).toEqual(whole);
  clock.ms += 14_999;
  phases.length = 0;
  expect(await search({ q: 'oak tree', limit: 2 })).toMatchObject(once);
  expect(phases).toEqual(known);
  clock.ms += 1;
  expect((await look({ q: 'oak tree', limit: 2 })).phases).toEqual(whole);
});

test('a time range is never older than that', async () => {
  const { look, clock } = await engineWith([{ ...first, crawledAt: now - day }]);
  const asked = { q: 'oak tree', time_range: '1d', limit: 1 };
  expect((await look(asked)).urls).toEqual([first.url]);
  clock.ms += 15_000;
  expect((await look(asked)).urls).toEqual(['https://web.example/']);
});

test('a page that comes, changes or goes between two equal searches is seen by the second', async () => {
  const { look, pageWriter } = await engineWith([first]);
  const asked = { q: 'oak tree', limit: 1, offset: 0 };
  const { total } = await look(asked);
  await pageWriter.put(second);
  expect(await look(asked)).toMatchObject({ total: total + 1, phases: whole });
  await pageWriter.put({ ...first, title: 'Shrubs', body: 'no such words' });
  expect((await look(asked)).urls).toEqual([second.url]);
  await pageWriter.remove(second.id);
  expect((await look(asked)).urls).toEqual(['https://web.example/']);
});

test('what is packed makes a new answer', async () => {
  const { look, store, index, dataFolder } = await engineWith(oaks(3));
  await look({ q: 'oak tree' });
  pack(store, indexFolderOf(dataFolder));
  await index.refresh();
  expect(index.stats()).toMatchObject({ pages: 3, livePages: 0 });
  expect(await look({ q: 'oak tree' })).toMatchObject({ total: 4, phases: whole });
});

test('each parameter gives its own answer', async () => {
  const { look } = await engineWith([first, { ...second, lang: 'zh' }, third]);
  const asked = [
    { q: 'oak tree' },
    { q: 'tree oak' },
    { q: 'oak tree', limit: 1 },
    { q: 'oak tree', limit: 1, offset: 1 },
    { q: 'oak tree', lang: 'zh' },
    { q: 'oak tree', lang_priority: 'zh' },
    { q: 'oak tree', time_range: '1y' },
    { q: 'oak tree', site: 'a.example' },
  ];
  const answers = [];
  for (const params of asked) answers.push(await look(params));
  for (const { phases } of answers) expect(phases).toEqual(whole);
  for (const [at, params] of asked.entries())
    expect(await look(params)).toEqual({ ...answers[at], phases: known });
});

test('the web is asked for an answer that is known as for a new one', async () => {
  const { search, pool } = await engineWith(oaks(3));
  const local = await search({ q: 'oak tree' }, { mayAskExternal: () => false });
  expect(local).toMatchObject({ total: 3, external: { reason: 'budget spent' } });
  expect(pool.requests).toEqual([]);
  expect(await search({ q: 'oak tree' })).toMatchObject({ total: 4, external: { state: 'ok' } });
  expect(pool.requests).toHaveLength(1);
});

test('equal searches at once share one look into the index', async () => {
  const { search, phases } = await engineWith(oaks(3));
  const answers = await Promise.all([1, 2, 3].map(() => search({ q: 'oak tree' })));
  for (const { total, results } of answers)
    expect({ total, results }).toEqual({ total: answers[0]?.total, results: answers[0]?.results });
  expect(phases.filter((phase) => phase === 'match')).toHaveLength(1);
});

test('a caller who goes away leaves the others their answer', async () => {
  const { search } = await engineWith(oaks(3));
  const leaving = new AbortController();
  const gone = search({ q: 'oak tree' }, { signal: leaving.signal });
  const staying = search({ q: 'oak tree' });
  leaving.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  expect((await staying).total).toBe(4);
  const alone = search({ q: 'oak' }, { signal: leaving.signal });
  await expect(alone).rejects.toThrow('gone');
  expect((await search({ q: 'oak' })).total).toBe(4);
});
