import { expect, onTestFinished, test } from 'vitest';
import { SearchParams } from '../../src/contract/search.ts';
import { resultScore } from '../../src/engine/result-score.ts';
import type { Page } from '../../src/page.ts';
import { silentLog } from '../../src/runtime.ts';
import { stubProviderPool, webResult } from '../external/stub-provider-pool.ts';
import { openApp } from '../opensearch/open-app.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function engineWith(pages: readonly Page[], external: readonly string[] = []) {
  const pool = stubProviderPool({ one: external.map((url) => webResult(url)) });
  const app = openApp({
    config: { dataFolder: temporaryFolder() },
    log: silentLog,
    now: () => Date.UTC(2026, 10, 20),
    openPool: async () => pool,
  });
  onTestFinished(() => app.close());
  for (const page of pages) await app.pageWriter.put(page);
  const search = (params: Record<string, unknown>) =>
    app.engine.search(SearchParams.parse(params), { partial: true });
  return { ...app, search };
}

const page = (name: string, body: string) =>
  examplePage({ url: `https://a.example/${name}`, title: name, body });
const fullPage = page('full', 'The heron waits in the reed by the pond.');
const pages = [
  page('most', 'The heron waits in the reed.'),
  page('some', 'A heron in the city.'),
  page('other', 'The owl hears mice.'),
  page('more', 'Of mice and owls.'),
];
const names = (list: readonly { url: string }[] = []) => list.map(({ url }) => url.split('/').at(-1));

test('pages that lack some words come apart from the results, those that hold most first', async () => {
  const { search } = await engineWith([fullPage, ...pages]);
  const { total, results, partial } = await search({ q: 'heron reed pond' });
  expect([total, names(results)]).toEqual([1, ['full']]);
  expect(partial).toMatchObject({ hasFullMatches: true, unknownWords: [] });
  expect(partial?.matches.map(({ url, missing_words }) => [...names([{ url }]), missing_words])).toEqual([
    ['most', ['pond']],
  ]);
  expect(partial?.matches[0]).toMatchObject({ source: 'local', snippet: expect.stringContaining('reed') });
});

test('without being asked for there are none, and none where the results fill the page', async () => {
  const { engine, search } = await engineWith([fullPage, ...pages]);
  expect(await engine.search(SearchParams.parse({ q: 'heron reed pond' }))).not.toHaveProperty('partial');
  expect(await search({ q: 'heron reed pond', limit: 1 })).not.toHaveProperty('partial');
});

test('words that no page has are named, and do not count', async () => {
  const { search } = await engineWith(pages);
  const { total, partial } = await search({ q: 'Heron reed Zeppelins' });
  expect(total).toBe(0);
  expect(partial).toMatchObject({ hasFullMatches: false, coverage: 1, unknownWords: ['Zeppelins'] });
  expect(partial?.matches[0]).toMatchObject({ title: 'most', missing_words: ['Zeppelins'] });
});

test('what is hard stays hard', async () => {
  const { search } = await engineWith([...pages, page('far', 'heron reed')]);
  for (const hard of [
    '-waits',
    '+city',
    '"city"',
    'intitle:some',
    'filetype:pdf',
    'site:b.example',
    'city OR mice',
  ]) {
    const { partial } = await search({ q: `heron reed pond ${hard}` });
    expect(names(partial?.matches)).not.toContain('most');
  }
  const { partial } = await search({ q: 'heron reed pond', lang: 'de' });
  expect(partial?.matches).toEqual([]);
});

test.each(['heron', '"heron reed pond"', '+heron +pond', '-heron'])(
  'a query without two bare words has none: %s',
  async (q) => {
    const { search } = await engineWith(pages);
    expect((await search({ q })).partial?.matches ?? []).toEqual([]);
  },
);

test('there are three on the first page with external results when no local page holds all words', async () => {
  const urls = Array.from({ length: 12 }, (_, n) => `https://web.example/heron-reed-pond-${n}`);
  const local = Array.from({ length: 8 }, (_, n) => page(`p${n}`, 'heron reed'));
  const { search } = await engineWith(local, urls);
  const first = await search({ q: 'heron reed pond', limit: 5 });
  expect(first.results.length).toBe(5);
  expect(first.partial?.matches.length).toBe(3);
  const second = await search({ q: 'heron reed pond', limit: 5, offset: 5 });
  expect(second.results.length).toBe(5);
  expect(second.partial).toBeUndefined();
});

test('pages of results go on in the partial matches, each once and always in the same order', async () => {
  const local = Array.from({ length: 60 }, (_, n) =>
    page(
      `p${n}`,
      `${n % 2 ? 'heron ' : ''}${n % 3 ? '' : 'reed '}${n % 5 ? '' : 'marsh '}${'and so on '.repeat(n)}`,
    ),
  );
  const { search } = await engineWith([fullPage, ...local]);
  const q = 'heron reed marsh';
  const all = names((await search({ q, limit: 100 })).partial?.matches);
  expect(all.length).toBeGreaterThan(12);
  const read: (string | undefined)[] = [];
  for (let offset = 0; offset < 100; offset += 7)
    read.push(...names((await search({ q, limit: 7, offset })).partial?.matches));
  expect(read).toEqual(all);
});

test('scores fall over the whole list, and explain takes the same apart', async () => {
  const { engine, search } = await engineWith([
    page('well', `heron reed kingfisher ${'much else '.repeat(400)}`),
    page('kingfisher', 'kingfisher kingfisher kingfisher'),
    ...Array.from({ length: 30 }, (_, n) => page(`x${n}`, n % 2 ? 'heron' : 'reed')),
  ]);
  const params = { q: 'heron reed kingfisher pond', limit: 5 };
  const { partial } = await search(params);
  const scores = partial?.matches.map(({ score }) => score) ?? [];
  expect(scores.length).toBeGreaterThan(1);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  const explained = await engine.explain(SearchParams.parse(params));
  expect(names(explained)).toEqual(names(partial?.matches));
  expect(explained[0]?.missingWords).toEqual(['pond']);
  expect(resultScore(explained[0]?.score ?? 0)).toBe(scores[0]);
  expect(Object.keys(explained[0]?.terms ?? {})).toContain('kingfisher');
});

test('a page of Chinese lacks words, not pairs of characters', async () => {
  const { search } = await engineWith([page('zh', '安装软件')]);
  const { partial } = await search({ q: '安装数据库软件' });
  expect(partial?.matches[0]?.missing_words).toEqual(partial?.unknownWords);
  expect(partial?.unknownWords.join('')).toBe('数据库');
});

test('a paragraph finds the page that it is of, before pages of its common words', async () => {
  const words = (from: number) =>
    Array.from({ length: 90 }, (_, n) => `w${from + n} common${n % 9}`).join(' ');
  const { search } = await engineWith([
    page('one', words(0)),
    page('two', words(1000)),
    page('three', words(2000)),
  ]);
  const q = words(1000).split(' ').slice(20, 160).join(' ');
  const { total, results } = await search({ q });
  expect([total, names(results)]).toEqual([1, ['two']]);
  const { partial } = await search({ q: `${q} unseen` });
  expect(names(partial?.matches ?? [])[0] ?? 'two').toBe('two');
});
