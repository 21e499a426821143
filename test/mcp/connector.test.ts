import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app/app.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { listen } from '../../src/http/serve.ts';
import { createMcpOverHttp } from '../../src/mcp/http.ts';
import { silentLog } from '../../src/runtime.ts';
import { connectorSearch } from '../../tools/connector-search.ts';
import { toolsNamed } from '../../tools/index.ts';
import { connectorToolNames, defaultToolNames, type ToolName, toolNames } from '../../tools/tool-names.ts';
import { stubProviderPool, webResult } from '../external/stub-provider-pool.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { databaseNotes, heronAlmanac, owlNotes } from '../tools/library.ts';

const elsewhere = 'https://elsewhere.example/';

const needles = examplePage({
  url: 'https://trees.example/needles',
  title: 'Needles',
  author: 'A. Watcher',
  body: 'The larch loses its needles in autumn.\n'.repeat(3000),
});

/** A client of `/mcp/connector` over four pages and one external result, where no pages are visited. */
async function connect() {
  const pool = stubProviderPool({ one: [webResult(elsewhere)] });
  const app = openApp({
    config: { dataFolder: temporaryFolder() },
    log: silentLog,
    openPool: async () => pool,
  });
  onTestFinished(() => app.close());
  for (const page of [heronAlmanac, owlNotes, databaseNotes, needles]) await app.pageWriter.put(page);
  const { engine } = app;
  const over = (tools: readonly ToolName[]) =>
    createMcpOverHttp({ engine: async () => engine, tools, log: silentLog, version: '1.2.3' });
  const routes = createRoutes({
    engine,
    log: silentLog,
    version: '1.2.3',
    docs: [],
    readiness: () => ({ notReady: undefined, pages: 3, searchable: 3, providers: {} }),
    origins: '*',
    logQueries: false,
    mcp: { answer: over(defaultToolNames), connector: over(connectorToolNames), origins: [] },
  });
  const { url, close } = await listen({ app: routes, host: '127.0.0.1', port: 0, lingerMs: 20 });
  onTestFinished(close);
  const open = async (path: string): Promise<Client> => {
    const client = new Client({ name: 'test', version: '0' });
    // The SDK's own class does not fit its interface under exactOptionalPropertyTypes.
    const transport = new StreamableHTTPClientTransport(new URL(`${url}${path}`));
    await client.connect(transport as Parameters<Client['connect']>[0]);
    onTestFinished(() => client.close());
    return client;
  };
  const client = await open('/mcp/connector');
  const call = async (name: string, args: Record<string, unknown>) => {
    const answer = (await client.callTool({ name, arguments: args })) as unknown as {
      content: [{ text: string }];
      structuredContent: Record<string, unknown>;
      isError?: boolean;
    };
    const [{ text }] = answer.content;
    if (!answer.isError) expect(JSON.parse(text)).toEqual(answer.structuredContent);
    return { text, isError: answer.isError ?? false };
  };
  const search = async (query: string) =>
    JSON.parse((await call('search', { query })).text).results as {
      id: string;
      title: string;
      url: string;
    }[];
  return { engine, client, open, call, search, asked: () => pool.requests.length };
}

test('a connector sees search and fetch alone, and everybody else the two tools of v1', async () => {
  const { client, open } = await connect();
  const seen = { instructions: client.getInstructions(), ...(await client.listTools()) };
  await expect(`${JSON.stringify(seen, null, 2)}\n`).toMatchFileSnapshot('advertised-connector.json.snap');
  const others = await (await open('/mcp')).listTools();
  expect(others.tools.map(({ name }) => name)).toEqual(['web_search', 'fetch_content']);
});

test('an agent that knows only search and fetch answers three questions', async () => {
  const { call, search } = await connect();
  for (const [question, words] of [
    ['heron almanac', 'stands still for an hour'],
    ['owl hears better', 'hears better than a heron'],
    ['数据库 优化', '索引如何优化'],
  ] as const) {
    const [first, ...more] = await search(question);
    expect(Object.keys(first ?? {})).toEqual(['id', 'title', 'url']);
    expect(new Set([first, ...more].map((result) => result?.id)).size).toBe(more.length + 1);
    const { text } = await call('fetch', { id: first?.id });
    const document = JSON.parse(text) as Record<string, unknown>;
    expect(document).toMatchObject({ id: first?.id, title: first?.title, url: first?.url });
    expect(document.text).toContain(words);
  }
});

test('the id of an external result is its address, by which fetch reads pages', async () => {
  const { engine, call } = await connect();
  const query = { query: 'ash compound leaves' };
  expect(await connectorSearch.handle({ ...engine, visitsPages: true }, query, {})).toEqual({
    results: [{ id: elsewhere, title: expect.any(String), url: elsewhere }],
  });
  const { text } = await call('fetch', { id: owlNotes.url });
  expect(JSON.parse(text)).toMatchObject({ id: owlNotes.url, title: 'Owl notes', url: owlNotes.url });
});

test('where they are not visited nobody is asked for results that fetch could not read', async () => {
  const { search, asked } = await connect();
  expect(await search('ash compound leaves')).toEqual([]);
  expect(asked()).toBe(0);
});

test('a long text is cut to what clients take, and says so; a missing page is an error in words', async () => {
  const { call } = await connect();
  const { text } = await call('fetch', { id: needles.id });
  const { metadata } = JSON.parse(text) as { metadata: Record<string, string> };
  expect(metadata).toMatchObject({
    author: 'A. Watcher',
    lang: 'en',
    crawled_at: '2026-01-01T00:00:00.000Z',
  });
  const long = needles.body.length;
  expect(text.length).toBeLessThan(50_000);
  expect(metadata.cut).toMatch(new RegExp(`^the first \\d+ of ${long} characters$`));
  expect(await call('fetch', { id: 'nothing' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('no page has this id'),
  });
});

test('every tool has its name in the setting, and is offered in one order', async () => {
  expect((await toolsNamed(toolNames)).map(({ name }) => name)).toEqual([...toolNames]);
  expect((await toolsNamed(['fetch', 'web_search'])).map(({ name }) => name)).toEqual([
    'web_search',
    'fetch',
  ]);
});
