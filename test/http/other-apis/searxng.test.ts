import { describe, expect, onTestFinished, test } from 'vitest';
import { SearxngResponse } from '../../../src/contract/searxng.ts';
import { listen } from '../../../src/http/serve.ts';
import { never, openProvider, request } from '../../external/provider-rig.ts';
import { failed, webResult } from '../../external/stub-provider-pool.ts';
import { examplePage } from '../../pages.ts';
import { heronAlmanac, owlNotes } from '../../tools/library.ts';
import { fixedLimits, openEngine, routesOver } from '../rig.ts';

const birds = [heronAlmanac, owlNotes];

async function answerTo(query: string, ...parts: Parameters<typeof openEngine>) {
  const { engine } = await openEngine(...parts);
  const response = await routesOver(engine).request(`/search?format=json&${query}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return SearxngResponse.strict().parse(await response.json());
}

describe('GET /search?format=json', () => {
  test('has the members of SearXNG, in its order', async () => {
    const body = await answerTo('q=heron+almanac', birds);
    expect(Object.keys(body)).toEqual([
      'query',
      'number_of_results',
      'results',
      'answers',
      'corrections',
      'infoboxes',
      'suggestions',
      'unresponsive_engines',
    ]);
    const [first] = body.results;
    expect(body).toMatchObject({ query: 'heron almanac', number_of_results: 1, answers: [], infoboxes: [] });
    expect(first).toEqual({
      url: heronAlmanac.url,
      title: 'The heron almanac',
      content: expect.stringContaining('heron'),
      publishedDate: '2025-06-01T00:00:00+00:00',
      thumbnail: '',
      engine: 'gleaner',
      template: 'default.html',
      parsed_url: ['https', 'birds.example', '/heron', '', '', ''],
      img_src: '',
      priority: '',
      engines: ['gleaner'],
      positions: [1],
      score: expect.any(Number),
      category: 'general',
    });
  });

  test('takes what its clients send without being told to', async () => {
    // open-webui, retrieval/web/searxng.py
    const openWebUi =
      'q=heron&pageno=1&safesearch=1&language=en-US&time_range=&categories=&theme=simple&image_proxy=0';
    // langchain-community, utilities/searx_search.py
    const langChain = 'q=heron&language=en&engines=wiki%2Cduckduckgo&categories=general';
    for (const query of [
      openWebUi,
      langChain,
      'q=heron&language=all&categories=news,it',
      'q=heron&language=auto',
    ])
      expect((await answerTo(query, birds)).results.map(({ url }) => url)).toContain(heronAlmanac.url);
  });

  test('prefers a language and hides no other', async () => {
    const pages = ['de', 'en'].map((lang) =>
      examplePage({ url: `https://${lang}.example/`, title: 'Oak', body: `oak tree ${lang}`, lang }),
    );
    for (const [asked, first] of [
      ['de-CH', 'https://de.example/'],
      ['en', 'https://en.example/'],
    ]) {
      const { results } = await answerTo(`q=oak&language=${asked}`, pages);
      expect(results.map(({ url }) => url)).toHaveLength(2);
      expect(results[0]?.url).toBe(first);
    }
  });

  test('filters by time and gives pages of twenty results', async () => {
    const ages = [0, 2, 10, 100];
    const pages = [
      ...ages.map((days) =>
        examplePage({
          url: `https://age.example/${days}`,
          title: `Larch ${days}`,
          body: `larch of ${days}`,
          crawledAt: Date.now() - days * 86_400_000,
        }),
      ),
      ...Array.from({ length: 45 }, (_, number) =>
        examplePage({ url: `https://many.example/${number}`, title: `Elm ${number}`, body: `elm ${number}` }),
      ),
    ];
    const { engine } = await openEngine(pages);
    const routes = routesOver(engine);
    const ask = async (query: string) =>
      SearxngResponse.parse(await (await routes.request(`/search?format=json&${query}`)).json());
    const counts = ['day', 'week', 'month', 'year'].map(
      async (range) => (await ask(`q=larch&time_range=${range}`)).number_of_results,
    );
    expect(await Promise.all(counts)).toEqual([1, 2, 3, 4]);
    const seen = await Promise.all([1, 2, 3, 4, 51, 9999].map((pageno) => ask(`q=elm&pageno=${pageno}`)));
    expect(seen.map(({ results }) => results.length)).toEqual([20, 20, 5, 0, 0, 0]);
    expect(new Set(seen.flatMap(({ results }) => results.map(({ url }) => url))).size).toBe(45);
    expect(seen.at(-1)?.unresponsive_engines).toEqual([['gleaner', 'there are no further pages of results']]);
  });

  test('says what it cannot do: pictures, another format, a wrong value', async () => {
    const body = await answerTo('q=heron&categories=images,videos', birds);
    expect(body.results).toEqual([]);
    expect(body.unresponsive_engines).toEqual([['gleaner', 'only web pages are searched here']]);
    const { engine } = await openEngine([]);
    for (const [query, parameter] of [
      ['format=json', 'q'],
      ['format=csv&q=heron', 'format'],
      ['format=json&q=heron&pageno=0', 'pageno'],
      ['format=json&q=heron&time_range=decade', 'time_range'],
      ['format=json&q=heron&safesearch=3', 'safesearch'],
      ['format=json&q=heron&language=english', 'language'],
    ]) {
      const response = await routesOver(engine).request(`/search?${query}`);
      expect([query, response.status]).toEqual([query, 400]);
      expect(await response.json()).toMatchObject({ errors: [{ parameter }] });
    }
  });

  test('fills a page with those that lack words, whose score stays below', async () => {
    const body = await answerTo('q=heron+almanac+owl', birds);
    expect(body.number_of_results).toBe(0);
    expect(body.results.map(({ url }) => url).sort()).toEqual([heronAlmanac.url, owlNotes.url]);
    const scores = body.results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
  });

  test('gives what was probably meant', async () => {
    const body = await answerTo('q=almanak', birds);
    expect(body).toMatchObject({ corrections: ['almanac'], suggestions: ['almanac'] });
  });

  test('marks external results, and names who could not be asked', async () => {
    const body = await answerTo('q=oak', [], { one: [webResult('https://web.example/')], two: failed });
    expect(body.results).toMatchObject([
      { url: 'https://web.example/', engine: 'external', engines: ['external'] },
    ]);
    expect(body.unresponsive_engines).toEqual([['two', expect.stringMatching(/./)]]);
  });

  test('without format is the page for people, and counts the same', async () => {
    const { engine } = await openEngine(birds);
    const routes = routesOver(engine, { rateLimit: fixedLimits(3, 1).rateLimit });
    const types: (string | null)[] = [];
    for (const path of ['/search?q=heron', '/search?q=heron&format=html', '/search', '/'])
      types.push((await routes.request(path)).headers.get('content-type'));
    expect(new Set(types)).toEqual(new Set(['text/html; charset=UTF-8']));
    expect((await routes.request('/search?q=heron&pageno=0')).status).toBe(400);
    const statuses: number[] = [];
    for (const path of ['/search?q=heron&format=json', '/?q=heron&format=json', '/search?q=heron'])
      statuses.push((await routes.request(path)).status);
    expect(statuses).toEqual([200, 429, 429]);
  });

  test('says that the share of external searches is spent', async () => {
    const { engine, pool } = await openEngine([], { one: [webResult('https://web.example/')] });
    const routes = routesOver(engine, { rateLimit: fixedLimits(9, 1).rateLimit });
    await routes.request('/search?q=oak&format=json');
    const second = await routes.request('/search?q=beech&format=json');
    expect(SearxngResponse.parse(await second.json()).unresponsive_engines).toEqual([
      ['external', 'too many requests'],
    ]);
    expect(second.headers.get('cache-control')).toBe('public, max-age=0');
    expect(pool.requests).toHaveLength(1);
  });
});

describe('Gleaner as the SearXNG of another Gleaner', () => {
  test('is asked and read like one', async () => {
    const { engine } = await openEngine(birds);
    const { url, close } = await listen({
      app: routesOver(engine),
      host: '127.0.0.1',
      port: 0,
      lingerMs: 20,
    });
    onTestFinished(close);
    const provider = openProvider('searxng', url);
    const reply = await provider.search(request('heron almanac'), never);
    // Pages that lack words are for people: the asking instance has some of its own.
    expect(reply.results).toMatchObject([{ url: heronAlmanac.url, title: 'The heron almanac' }]);
    expect(reply.results).toHaveLength(1);
  });
});
