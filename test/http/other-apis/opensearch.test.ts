import { expect, test } from 'vitest';
import { webResult } from '../../external/stub-provider-pool.ts';
import { heronAlmanac, owlNotes } from '../../tools/library.ts';
import { fixedLimits, openEngine, routesOver } from '../rig.ts';

test('suggestions are titles of local pages, for unfinished words too, and ask nobody', async () => {
  const { engine, pool } = await openEngine([heronAlmanac, owlNotes], {
    one: [webResult('https://web.example/')],
  });
  const response = await routesOver(engine).request('/suggest?q=heron+alm');
  expect(response.headers.get('content-type')).toBe('application/x-suggestions+json');
  expect(await response.json()).toEqual(['heron alm', expect.arrayContaining(['The heron almanac'])]);
  expect(pool.requests).toHaveLength(0);
});

test('suggestions leave the share of searches alone', async () => {
  const { engine } = await openEngine([owlNotes]);
  const routes = routesOver(engine, { rateLimit: fixedLimits(1, 2).rateLimit });
  const statuses: number[] = [];
  for (const path of ['/suggest?q=owl', '/suggest?q=owl', '/suggest?q=owl', '/api/v1/search?q=owl'])
    statuses.push((await routes.request(path)).status);
  expect(statuses).toEqual([200, 200, 429, 200]);
});

test('the description leads to the search and the suggestions of this very service', async () => {
  const { engine } = await openEngine([owlNotes]);
  const allowedHosts = { hosts: '*', isLoopbackOnly: false, isFromTrustedProxy: () => true } as const;
  const routes = routesOver(engine, { allowedHosts });
  const of = async (headers: Record<string, string>) => {
    const response = await routes.request('http://search.example.com/opensearch.xml', { headers });
    expect(response.headers.get('content-type')).toBe('application/opensearchdescription+xml');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const xml = await response.text();
    return [...xml.matchAll(/<Url rel="(\S+)" type="(\S+)" template="(\S+)"/g)].map(([, ...parts]) => parts);
  };
  expect(await of({})).toEqual([
    ['results', 'text/html', 'http://search.example.com/search?q={searchTerms}'],
    ['results', 'application/json', 'http://search.example.com/search?format=json&amp;q={searchTerms}'],
    ['suggestions', 'application/x-suggestions+json', 'http://search.example.com/suggest?q={searchTerms}'],
    ['self', 'application/opensearchdescription+xml', 'http://search.example.com/opensearch.xml'],
  ]);
  expect((await of({ 'x-forwarded-proto': 'https' }))[0]?.[2]).toMatch(/^https:/);
  const template = (await of({}))[2]?.[2]?.replace('{searchTerms}', 'owl') as string;
  expect(await (await routes.request(template)).json()).toEqual(['owl', ['Owl notes']]);
});
