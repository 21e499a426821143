import { expect, test } from 'vitest';
import { SearchResponse } from '../../src/contract/search.ts';
import { failed, type Said, webResult } from '../external/stub-provider-pool.ts';
import { examplePage } from '../pages.ts';
import { openEngine, routesOver } from './rig.ts';

/** The API over one page about oaks and these providers. */
async function apiOver(says: Record<string, Said>) {
  const { engine, pool } = await openEngine(
    [examplePage({ url: 'https://local.example/', body: 'oak tree' })],
    says,
  );
  const routes = routesOver(engine);
  const search = async (query: string, headers: Record<string, string> = {}) => {
    const response = await routes.request(`/api/v1/search?${query}`, { headers });
    expect(response.status).toBe(200);
    const { total, results } = SearchResponse.strict().parse(await response.json());
    return {
      total,
      sources: results.map(({ source }) => source),
      state: response.headers.get('gleaner-external'),
      isCacheable: !/max-age=0/.test(response.headers.get('cache-control') ?? ''),
    };
  };
  return { pool, search };
}

const found = [webResult('https://web.example/')];

test.each([
  ['ok', { one: found }, 2, true],
  ['partial', { one: found, two: failed }, 2, false],
  ['failed', { one: failed }, 1, false],
  ['off', {}, 1, true],
] as const)('the state of the web is named in a header: %s', async (state, says, total, isCacheable) => {
  const { search } = await apiOver(says);
  expect(await search('q=oak+tree')).toMatchObject({ state, total, isCacheable });
});

test('nothing local and nobody to ask is still an answer, and says that it is none', async () => {
  const { search } = await apiOver({ one: failed });
  expect(await search('q=beech')).toEqual({ total: 0, sources: [], state: 'failed', isCacheable: false });
});

test('where local results fill the page the web is off', async () => {
  const { search, pool } = await apiOver({ one: found });
  expect(await search('q=oak+tree&limit=1')).toMatchObject({ state: 'off', sources: ['local'] });
  expect(pool.requests).toEqual([]);
});

test('a question from another instance is told from one of a client', async () => {
  const { search, pool } = await apiOver({ one: [] });
  for (const hops of ['1', '3', '99', 'x', '-1']) await search('q=oak', { 'gleaner-hops': hops });
  await search('q=oak');
  expect(pool.requests.map(({ hops }) => hops)).toEqual([1, 3, 9, 1, 1, undefined]);
});
