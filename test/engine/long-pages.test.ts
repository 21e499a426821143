import { describe, expect, onTestFinished, test } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { SearchParams } from '../../src/contract/search.ts';
import { createLocalSearch } from '../../src/engine/local-search.ts';
import { rank } from '../../src/engine/ranking/two-phase-ranking.ts';
import { createSearchBudget, maxTextLength, searchLimits } from '../../src/engine/search-budget.ts';
import { createStoredPages } from '../../src/engine/stored-pages.ts';
import { pack } from '../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import type { Page } from '../../src/page.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { silentLog } from '../../src/runtime.ts';
import type { PageStore } from '../../src/store/page-store.ts';
import { openApp } from '../opensearch/open-app.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { snippetOf } from './snippet-for.ts';

const megabytes = (count: number) => 'A pond without any bird.\n'.repeat(count * 40_000);

/** Pages of a million characters each times `length`, of which the titles alone hold `heron`. */
const longPages = (count: number, length: number): Page[] => {
  const body = megabytes(length);
  return Array.from({ length: count }, (_, n) =>
    examplePage({ url: `https://${n}.example/`, title: `Heron ${n}`, body: `${n}. ${body}` }),
  );
};

async function appWith(pages: readonly Page[]): Promise<App & { readonly dataFolder: string }> {
  const dataFolder = temporaryFolder();
  const app = openApp({ config: { dataFolder }, log: silentLog, now: () => 0 });
  await app.store.write((writer) => {
    for (const page of pages) writer.putPage(page);
  });
  await app.follower.catchUp();
  return { ...app, dataFolder };
}

/** The same store, which counts the characters that are read from it. */
function countingStore(store: PageStore) {
  const count = { characters: 0, whole: 0 };
  const counting: PageStore = {
    ...store,
    page: (id) => {
      const page = store.page(id);
      count.characters += page?.body.length ?? 0;
      count.whole += 1;
      return page;
    },
    beginning: (id) => {
      const beginning = store.beginning(id);
      count.characters += beginning?.page.body.length ?? 0;
      return beginning;
    },
  };
  return { counting, count };
}

test('a search over twelve pages of four million characters whose titles alone hold the word reads their beginnings', async () => {
  const { store, index, engine, close } = await appWith(longPages(12, 4));
  onTestFinished(close);
  const { counting, count } = countingStore(store);
  const search = createLocalSearch({ pages: createStoredPages(counting), index, now: () => 0 });
  const params = SearchParams.parse({ q: 'heron', limit: 10 });
  const { total, results } = await search(params, { query: parseQuery('heron'), limit: 10 });
  expect(total).toBe(12);
  expect(results).toHaveLength(10);
  for (const { snippet } of results) expect(snippet).toContain('A pond without any bird.');
  expect(count.whole).toBe(0);
  expect(count.characters).toBeLessThan(1_000_000);

  const ask = async (offset: number, limit: number) =>
    (await engine.search(SearchParams.parse({ q: 'heron', offset, limit }))).results.map(({ id }) => id);
  const whole = await ask(0, 12);
  expect(new Set(whole).size).toBe(12);
  expect([...(await ask(0, 5)), ...(await ask(5, 5)), ...(await ask(10, 5))]).toEqual(whole);
}, 60_000);

test('an OR of many words over many packed pages that are full of them leaves matches for every snippet', async () => {
  const words = Array.from({ length: 32 }, (_, n) => `bird${n}`);
  const lines = Array.from({ length: 60 }, () => `${words.join(' ')}.`).join('\n');
  const pages = Array.from({ length: 60 }, (_, n) =>
    examplePage({
      url: `https://${n}.example/`,
      title: `Page ${n}`,
      description: 'About ponds.',
      body: lines,
    }),
  );
  const { store, index, engine, dataFolder, close } = await appWith(pages);
  onTestFinished(close);
  pack(store, indexFolderOf(dataFolder));
  await index.refresh();
  const { results } = await engine.search(SearchParams.parse({ q: words.join(' OR '), limit: 50 }));
  expect(results).toHaveLength(50);
  expect(results.map(({ snippet }) => snippet).filter((snippet) => !snippet.includes('bird'))).toEqual([]);
}, 60_000);

test('a search whose budget is spent loses no hit, and keeps the order of the first phase', async () => {
  const bodies = ['heron', 'heron heron pond', 'a pond for the heron, and one more heron'];
  const pages = bodies.map((body, n) => examplePage({ url: `https://${n}.example/`, title: 'Birds', body }));
  const { store, index, close } = await appWith(pages);
  onTestFinished(close);
  const search = { query: parseQuery('heron'), limit: 10 };
  const first = await index.search(search);
  const budget = createSearchBudget({ ...searchLimits, readCharacters: 0 });
  const { total, hits } = await rank({ store, index, now: () => 0, budget }, search);
  expect(total).toBe(3);
  expect(hits.map(({ id }) => id)).toEqual(first.hits.map(({ id }) => id));
  expect(hits.map(({ marks }) => marks)).toEqual([undefined, undefined, undefined]);
});

describe('a snippet', () => {
  const weights = new Map([['heron', 1]]);
  const deep = `${megabytes(1).slice(0, 600_000)}\nThe heron stands here.\n${megabytes(1)}`;
  const source = { body: deep, description: 'About ponds.', lang: 'en' };

  test('looks through a body as far as one may be looked through, and counts it', () => {
    const budget = createSearchBudget();
    expect(snippetOf(source, weights, { budget })).toContain('The heron stands here.');
    expect(searchLimits.scannedCharacters - budget.remaining('scannedCharacters')).toBe(640_000);
    expect(searchLimits.matches - budget.remaining('matches')).toBe(1);
  });

  test('of a body without the word looks no further than that', () => {
    const budget = createSearchBudget();
    expect(snippetOf({ ...source, body: megabytes(4) }, weights, { budget })).toBe('About ponds.');
    expect(searchLimits.scannedCharacters - budget.remaining('scannedCharacters')).toBe(maxTextLength);
  });

  test('of one of many results takes its share, and the description where no more is left', () => {
    const budget = createSearchBudget({ ...searchLimits, scannedCharacters: 1_000_000 });
    for (let toCome = 100; toCome > 0; toCome--)
      expect(snippetOf(source, weights, { budget, remaining: toCome })).toBe('About ponds.');
    expect(budget.remaining('scannedCharacters')).toBe(0);
  });

  test('of a beginning goes on in the whole body, once the beginning has no word', () => {
    const beginning = { ...source, body: deep.slice(0, 48_000) };
    let read = 0;
    const bodyLength = maxTextLength;
    const wholeBody = () => {
      read += 1;
      return deep.slice(0, bodyLength);
    };
    const whole = snippetOf(source, weights);
    expect(snippetOf(beginning, weights, { whole: { bodyLength, wholeBody } })).toBe(whole);
    expect(snippetOf(beginning, new Map([['pond', 1]]), { whole: { bodyLength, wholeBody } })).toContain(
      'pond',
    );
    expect(read).toBe(1);
    expect(snippetOf(beginning, weights, { whole: { bodyLength, wholeBody: () => undefined } })).toBe(
      'About ponds.',
    );
  });

  test('weighs no more places of words than its share', () => {
    const budget = createSearchBudget({ ...searchLimits, matches: 20 });
    snippetOf({ ...source, body: 'heron '.repeat(100) }, weights, { budget, remaining: 4 });
    expect(budget.remaining('matches')).toBe(12);
  });
});
