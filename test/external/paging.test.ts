import { describe, expect, test } from 'vitest';
import type { ProviderName } from '../../src/external/provider-facts.ts';
import { providerNames } from '../../src/external/provider-facts.ts';
import { never, openProvider, request } from './provider-rig.ts';
import { type Asked, openService } from './service.ts';

const total = 60;
const url = (place: number) => `https://example.org/${place}`;
const number = (value: string | undefined, fallback: number) =>
  value === undefined ? fallback : Number(value);

/** What a service of 60 results shows when it is asked like this, by its own way of counting. */
function shown(name: ProviderName, { parameters, json }: Asked): number[] {
  const body = json as Record<string, number> | undefined;
  const page = (first: number, size: number) =>
    Array.from({ length: Math.max(0, Math.min(size, total - first)) }, (_, at) => first + at);
  switch (name) {
    case 'brave':
      return page(number(parameters.offset, 0) * number(parameters.count, 20), number(parameters.count, 20));
    case 'serper':
      return page(((body?.page ?? 1) - 1) * (body?.num ?? 10), body?.num ?? 10);
    case 'marginalia':
      return page(
        (number(parameters.page, 1) - 1) * number(parameters.count, 20),
        number(parameters.count, 20),
      );
    case 'stackexchange':
      return page(
        (number(parameters.page, 1) - 1) * number(parameters.pagesize, 30),
        number(parameters.pagesize, 30),
      );
    case 'hackernews':
      return page(
        number(parameters.page, 0) * number(parameters.hitsPerPage, 20),
        number(parameters.hitsPerPage, 20),
      );
    case 'mojeek':
      return page(number(parameters.s, 1) - 1, number(parameters.t, 10));
    case 'wikipedia':
    case 'mediawiki':
      return page(number(parameters.sroffset, 0), number(parameters.srlimit, 10));
    case 'gleaner':
      return page(number(parameters.offset, 0), number(parameters.limit, 10));
    case 'tavily':
      return page(0, body?.max_results ?? 5);
    case 'exa':
      return page(0, body?.numResults ?? 10);
    case 'kagi':
      return page(0, body?.limit ?? 10);
    case 'searxng':
    case 'mwmbl':
      return page(0, 30);
  }
}

function answer(name: ProviderName, places: readonly number[]): unknown {
  const rows = places.map((place) => ({ url: url(place), link: url(place), title: `t${place}` }));
  switch (name) {
    case 'brave':
      return { type: 'search', web: { results: rows } };
    case 'serper':
      return { organic: rows };
    case 'marginalia':
      return { pages: 9, results: rows };
    case 'stackexchange':
      return { items: rows, has_more: true };
    case 'hackernews':
      return { hits: rows.map((row, at) => ({ ...row, objectID: String(at) })), nbPages: 9 };
    case 'mojeek':
      return { response: { status: 'OK', head: { results: total }, results: rows } };
    case 'wikipedia':
    case 'mediawiki': {
      const search = places.map((place) => ({ title: String(place) }));
      return { query: { general: { server: 'https://example.org', articlepath: '/$1', lang: '' }, search } };
    }
    case 'kagi':
      return { data: { search: rows } };
    case 'mwmbl':
      return rows.map((row) => ({ ...row, title: [{ value: row.title }], extract: [] }));
    default:
      return { total, results: rows };
  }
}

describe.each(providerNames)('%s', (name) => {
  test.each([
    [0, 10],
    [10, 10],
    [5, 10],
    [7, 3],
    [20, 20],
    [0, 100],
  ])(
    'gives the results from place %i on, %i at most, and never one from elsewhere',
    async (offset, limit) => {
      const service = await openService((asked) => ({ body: answer(name, shown(name, asked)) }));
      const provider = openProvider(name, service.origin, { key: 'a-key' });
      const asked = request('tokio', { offset, limit });
      if (provider.unfit(asked) !== undefined) {
        expect(provider.supports.offset).toBe(false);
        return;
      }
      const { results } = await provider.search(asked, never);
      expect(results.length).toBeGreaterThan(0);
      expect(results.length).toBeLessThanOrEqual(limit);
      expect(results.map((result) => result.url)).toEqual(results.map((_, at) => url(offset + at)));
      if (limit <= 10 && provider.supports.offset) expect(results).toHaveLength(limit);
    },
  );
});
