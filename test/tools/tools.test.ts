import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { instructionsFor } from '../../src/mcp/instructions.ts';
import { listedTool } from '../../src/mcp/listed-tool.ts';
import { silentLog } from '../../src/runtime.ts';
import { fetchContent } from '../../tools/fetch-content.ts';
import { tools } from '../../tools/index.ts';
import type { ServerFacts } from '../../tools/server-facts.ts';
import { defaultToolNames } from '../../tools/tool-names.ts';
import { webSearch } from '../../tools/web-search.ts';
import { stubProviderPool, webResult } from '../external/stub-provider-pool.ts';
import { openApp } from '../opensearch/open-app.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { databaseNotes, heronAlmanac, openLibrary, owlNotes } from './library.ts';

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openLibrary());
});
afterAll(() => close());

const search = (q: string) => webSearch.handle(engine, webSearch.input.parse({ q }), {});
const fetch = (args: object) => fetchContent.handle(engine, fetchContent.input.parse(args), {});

const servers = [true, false].flatMap((visitsPages) =>
  [['SearXNG', 'Wikipedia'], []].map((external): ServerFacts => ({ visitsPages, external })),
);

describe.each(servers)('a server with %j', (server) => {
  const name = `${server.visitsPages ? 'visits' : 'visits-not'}-${server.external.length > 0 ? 'asks' : 'asks-not'}`;
  const listed = tools.map((tool) => listedTool(tool, server));

  test('says what is true of it, as was agreed', async () => {
    const texts = listed.map(({ name: tool, description }) => `# ${tool}\n\n${description}`);
    const all = ['# instructions', '', instructionsFor(defaultToolNames, server), '', ...texts].join('\n');
    await expect(`${all}\n`).toMatchFileSnapshot(`descriptions/${name}.md`);
    for (const service of ['SearXNG', 'external'])
      expect(all.includes(service)).toBe(server.external.length > 0);
    expect(all).toMatch(server.visitsPages ? /is visited/ : /visits no other/);
    for (const { description } of listed) expect(Buffer.byteLength(description)).toBeLessThan(2048);
  });

  test('costs an agent at most 1,500 tokens', () => {
    expect(countTokens(JSON.stringify(listed))).toBeLessThanOrEqual(1500);
  });
});

test('titles and snippets are one line each', async () => {
  const { results } = await search('heron');
  expect(results.map(({ id }) => id).sort()).toEqual([heronAlmanac.id, owlNotes.id].sort());
  expect(results.find(({ id }) => id === heronAlmanac.id)?.title).toBe('The heron almanac');
  for (const { title, snippet } of results) expect(title + snippet).not.toMatch(/[\n\r\u2028\u2029]/);
});

test('pages that lack words come in a list of their own, with what they lack and a notice', async () => {
  const { total, results, partial_matches, notice } = await search('owl hears Zeppelins');
  expect([total, results]).toEqual([0, []]);
  expect(partial_matches).toMatchObject([{ id: owlNotes.id, source: 'local', missing_words: ['Zeppelins'] }]);
  expect(notice).toContain(
    'No page holds all words; partial_matches lack those in missing_words. No page at all has "Zeppelins".',
  );
  const [match] = partial_matches ?? [];
  expect(await fetch({ id: match?.id })).toMatchObject({ url: owlNotes.url });
  expect(await search('heron')).not.toHaveProperty('partial_matches');
});

test('a page that holds little of the question is said to', async () => {
  const { partial_matches, notice } = await search('almanac hour chapter hears better notes 优化 笔记 索引');
  expect(partial_matches?.length).toBeGreaterThan(0);
  expect(notice).toContain('Even the best of them holds little of the question');
});

test('an empty index says that it is empty, and what to type', async () => {
  const app = openApp({ config: { dataFolder: temporaryFolder() }, log: silentLog });
  onTestFinished(() => app.close());
  const { notice } = await webSearch.handle(app.engine, webSearch.input.parse({ q: 'heron pond' }), {});
  expect(notice).toContain('The local index is empty: "gleaner crawl https://');
});

test('an answer of ten external results with three partial matches is no longer than one of ten', async () => {
  const urls = Array.from({ length: 10 }, (_, n) => `https://web.example/heron-pond-reed/${n}`);
  const pool = stubProviderPool({ one: urls.map((url) => webResult(url)) });
  const app = openApp({
    config: { dataFolder: temporaryFolder() },
    log: silentLog,
    openPool: async () => pool,
  });
  onTestFinished(() => app.close());
  for (let n = 0; n < 5; n++) {
    const url = `https://a.example/${n}/${'long-address-'.repeat(4)}`;
    await app.pageWriter.put(
      examplePage({
        url,
        title: `heron ${n} `.repeat(40),
        body: `heron pond stands${n} by${n} it${n} all${n} day${n}. `.repeat(30),
      }),
    );
  }
  const q = 'heron pond reed';
  const answer = await webSearch.handle(app.engine, webSearch.input.parse({ q }), {});
  expect([answer.results.length, answer.partial_matches?.length]).toEqual([10, 3]);
  expect(JSON.stringify(answer).length).toBeLessThan(8000);
});

test('a short text comes whole, with no next_start', async () => {
  const record = await fetch({ id: databaseNotes.id });
  expect(record).toMatchObject({ body_text: databaseNotes.body, total_chars: databaseNotes.body.length });
  expect(record).not.toHaveProperty('next_start');
});

test('a stored copy of a page that cannot be visited says from when it is, and why', async () => {
  const dataFolder = temporaryFolder();
  const app = openApp({ config: { dataFolder }, log: silentLog, learns: true });
  onTestFinished(() => app.close());
  const page = examplePage({ url: 'http://127.0.0.1:28011/heron' });
  await app.pageWriter.put(page);
  const record = await fetchContent.handle(app.engine, fetchContent.input.parse({ url: page.url }), {});
  const crawled = new Date(page.crawledAt).toISOString();
  expect(record).toMatchObject({
    id: page.id,
    body_text: page.body,
    crawled_at: crawled,
    notice: `This is the stored copy of ${crawled}: the page could not be visited now (the port is not a web port).`,
  });
  const byId = await fetchContent.handle(app.engine, fetchContent.input.parse({ id: page.id }), {});
  expect(byId).not.toHaveProperty('notice');
});

test('a long text is read to its end by next_start', async () => {
  let text = '';
  let calls = 0;
  let start: number | undefined = 0;
  while (start !== undefined) {
    const record = await fetch({ id: heronAlmanac.id, start, max_chars: '5000' });
    expect(record.total_chars).toBe(heronAlmanac.body.length);
    expect(record.word_count).toBe(heronAlmanac.wordCount);
    text += record.body_text ?? '';
    start = record.next_start;
    calls += 1;
  }
  expect(text).toBe(heronAlmanac.body);
  expect(calls).toBeGreaterThan(heronAlmanac.body.length / 5000);
});

test('a window is 20,000 characters unless told', async () => {
  const { body_text = '' } = await fetch({ id: heronAlmanac.id });
  expect(body_text.length).toBeGreaterThan(19_000);
  expect(body_text.length).toBeLessThanOrEqual(20_000);
});

test('a start past the end is refused and the length told', async () => {
  const { length } = databaseNotes.body;
  await expect(fetch({ id: databaseNotes.id, start: length })).rejects.toMatchObject({
    code: 'invalid_parameters',
    message: expect.stringContaining(`start: must be below ${length}`),
  });
});

test.each([{}, { id: '' }, { id: ' ', url: '' }])(
  '%j names no page, and is told what to give',
  async (args) => {
    await expect(fetch(args)).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: expect.stringMatching(/id of a local result, or the url/),
    });
  },
);

test.each([{ url: heronAlmanac.url }, { id: '', url: heronAlmanac.url }, { id: heronAlmanac.url }])(
  '%j is read by its URL',
  async (args) => {
    expect(await fetch(args)).toMatchObject({ id: heronAlmanac.id, author: 'A. Watcher' });
  },
);

test('of an id and a url of different pages the url counts, and a notice says so', async () => {
  const { id, url } = heronAlmanac;
  expect(await fetch({ id: databaseNotes.id, url })).toMatchObject({
    id,
    notice: expect.stringContaining('the id was ignored'),
  });
  expect(await fetch({ id, url })).not.toHaveProperty('notice');
});

test('a URL that is not stored is refused where no page is visited on request', async () => {
  await expect(fetch({ url: 'https://birds.example/unknown' })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('visits no pages on request'),
  });
  await expect(fetch({ url: 'ftp://birds.example/' })).rejects.toMatchObject({ code: 'invalid_parameters' });
});

test.each(['0'.repeat(26), 'x', 'x'.repeat(5000), '\u0000'])('the unknown id %j is not found', async (id) => {
  await expect(engine.content(id)).rejects.toMatchObject({ code: 'not_found' });
});

test('a search says when it asks others, and a page that is visited, that it is', async () => {
  const said: string[] = [];
  const onProgress = (message: string) => void said.push(message);
  const asksOthers: Engine = {
    ...engine,
    search: async (_, { mayAskExternal = () => false } = {}) => ({
      total: 0,
      took_ms: 0,
      results: [],
      external: (await mayAskExternal())
        ? { state: 'ok', failures: [] }
        : { state: 'off', reason: 'budget spent', failures: [] },
    }),
    read: () => engine.content(owlNotes.id),
  };
  const params = webSearch.input.parse({ q: 'heron' });
  expect(await webSearch.handle(asksOthers, params, { onProgress })).not.toHaveProperty('notice');
  expect(said).toEqual(['Searching the index', 'Asking other search services']);

  said.length = 0;
  const refused = await webSearch.handle(asksOthers, params, { onProgress, mayAskExternal: () => false });
  expect(refused.notice).toMatch(/has used up its web searches for now/);
  expect(said).toEqual(['Searching the index']);

  said.length = 0;
  await fetchContent.handle(asksOthers, fetchContent.input.parse({ url: owlNotes.url }), { onProgress });
  expect(said).toEqual(['Visiting the page']);
});
