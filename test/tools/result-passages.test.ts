import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { webSearch } from '../../tools/web-search.ts';
import { engineThat, heronAlmanac, openLibrary } from './library.ts';

let engine: Engine;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ engine, close } = await openLibrary());
});
afterAll(() => close());

const search = async (args: object, of = engine) =>
  webSearch.output.parse(await webSearch.handle(of, webSearch.input.parse(args), {}));

test('results have no passages unless they are asked for', async () => {
  for (const result of (await search({ q: 'heron' })).results) expect(result).not.toHaveProperty('passages');
});

test('each local result has its best passages, which begin where they say', async () => {
  const { results } = await search({
    q: '"heron almanac" chapter 12 -owl site:birds.example',
    passages: '2',
  });
  expect(results).toHaveLength(1);
  const passages = results[0]?.passages ?? [];
  expect([1, 2]).toContain(passages.length);
  for (const { start, text } of passages) expect(heronAlmanac.body.startsWith(text, start)).toBe(true);
  expect(passages[0]?.text).toContain('Chapter 12 of the heron almanac');
});

test('a hundred long pages with five passages each stay within an answer', async () => {
  const { results } = await search({ q: 'heron' });
  const [result] = results;
  const many = (count: number) =>
    ({
      ...engineThat(() => Promise.reject(new Error('not asked'))),
      search: async () => ({
        total: count,
        took_ms: 0,
        results: Array.from({ length: count }, () => ({ ...result, id: heronAlmanac.id })),
        external: { state: 'off', failures: [] },
      }),
      content: engine.content,
    }) as unknown as Engine;
  for (const limit of [30, 100]) {
    const answer = await search({ q: 'heron hour', limit, passages: 5 }, many(limit));
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(50_000);
    expect(answer.results[0]?.passages !== undefined).toBe(limit === 30);
  }
});

test('a page that cannot be read has none, and its result stays', async () => {
  const damaged = { ...engine, content: () => Promise.reject(new Error('damaged')) };
  const { results } = await search({ q: 'heron', passages: 1 }, damaged);
  expect(results.length).toBeGreaterThan(0);
  for (const result of results) expect(result).not.toHaveProperty('passages');
});

test('passages count in the price of a search', () => {
  const price = (args: object) => webSearch.tokens?.(webSearch.input.parse({ q: 'x', ...args })) ?? 0;
  expect(price({ passages: 3 }) - price({})).toBe(1);
  expect(price({ passages: 3, limit: 100 }) - price({ limit: 100 })).toBe(10);
});
