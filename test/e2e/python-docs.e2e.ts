import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContentRecord } from '../../src/contract/content.ts';
import type { SearchResponse } from '../../src/contract/search.ts';
import { startProcess } from '../process.ts';
import { type FolderSite, serveFolder } from './folder-site.ts';
import { type Installed, installPacked } from './installed.ts';

const pagesWanted = 400;

let installed: Installed;
let site: FolderSite;
let data: string;
let client: Client;

/** The folder of Debian's python3-doc, whichever Python this Debian has. */
function pythonDocs(): string {
  const doc = '/usr/share/doc';
  const name = readdirSync(doc).find(
    (entry) => /^python3\.\d+$/.test(entry) && readdirSync(join(doc, entry)).includes('html'),
  );
  if (name === undefined) throw new Error('python3-doc is not installed: apt-get install python3-doc');
  return join(doc, name, 'html');
}

beforeAll(async () => {
  installed = await installPacked();
  site = await serveFolder(pythonDocs());
  data = mkdtempSync(join(tmpdir(), 'gleaner-e2e-data-'));
});

afterAll(async () => {
  await client?.close();
  await site?.close();
  if (data) rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  installed?.remove();
});

const crawlArguments = () => [
  'crawl',
  site.url,
  '--allow-private',
  '--delay',
  '0',
  '--max-pages',
  String(pagesWanted),
  '--data',
  data,
];

/** How many pages the last progress line says are stored. */
function reportedStored(stderr: string): number {
  return Number([...stderr.matchAll(/(\d+) stored/g)].at(-1)?.[1] ?? 0);
}

async function storedPages(): Promise<number> {
  const { stdout } = await startProcess(installed.bin, ['status', '--data', data]).finished;
  return Number(/^Pages: (\d+)$/m.exec(stdout)?.[1]);
}

test('a crawl that is killed loses nothing that it reported, and the next one goes on where it was', async () => {
  const first = startProcess(installed.bin, crawlArguments());
  await first.says(/\b\d{2,} stored/);
  first.child.kill('SIGKILL');
  const { stderr } = await first.finished;
  const before = await storedPages();
  expect(before).toBeGreaterThanOrEqual(reportedStored(stderr));
  expect(before).toBeLessThan(pagesWanted);

  const askedBefore = new Set(site.hits.map(({ path }) => path));
  const hitsBefore = site.hits.length;
  const second = await startProcess(installed.bin, crawlArguments()).finished;
  expect(second.code, second.stderr).toBe(0);
  expect(await storedPages()).toBeGreaterThanOrEqual(300);

  const again = site.hits
    .slice(hitsBefore)
    .filter(({ path }) => askedBefore.has(path) && path.endsWith('.html'));
  // Up to 32 pages may be fetched and not yet committed when the process dies.
  expect(again.length).toBeLessThanOrEqual(34);
  console.info(`killed at ${before} pages, ended with ${await storedPages()}; asked twice: ${again.length}`);
  console.info(second.stdout);
});

test('the crawl said who it is and asked for robots.txt first', () => {
  expect(site.hits[0]?.path).toBe('/robots.txt');
  expect(new Set(site.hits.map(({ userAgent }) => /^Gleaner\/\d/.test(userAgent)))).toEqual(new Set([true]));
});

/** One tool call that must succeed. */
async function call<Answer>(name: string, args: Record<string, unknown>): Promise<Answer> {
  const answer = await client.callTool({ name, arguments: args });
  expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy();
  const [text] = answer.content as [{ type: string; text: string }];
  expect(JSON.parse(text.text)).toEqual(answer.structuredContent);
  return answer.structuredContent as Answer;
}

const search = (args: Record<string, unknown>) => call<SearchResponse>('web_search', args);

test('an MCP client over stdio lists the two tools', async () => {
  client = new Client({ name: 'e2e', version: '1' });
  const env = { GLEANER_EXTERNAL: 'off' };
  await client.connect(
    new StdioClientTransport({ command: installed.bin, args: ['mcp', '--data', data], env }),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['web_search', 'fetch_content']);
});

test('asyncio TaskGroup finds the page that documents it among the first three', async () => {
  const { results } = await search({ q: 'asyncio TaskGroup' });
  const top = results.slice(0, 3).map(({ url }) => url);
  expect(top).toContain(`${site.url}library/asyncio-task.html`);
});

test('intitle:json finds pages with json in their title alone', async () => {
  const { total, results } = await search({ q: 'intitle:json' });
  expect(total).toBeGreaterThan(0);
  for (const { title } of results) expect(title.toLowerCase()).toContain('json');
  expect(results.map(({ url }) => url)).toContain(`${site.url}library/json.html`);
});

test('an exclusion takes away exactly the pages with that word', async () => {
  const all = await search({ q: '"context manager"', limit: 100 });
  const without = await search({ q: '"context manager" -asyncio', limit: 100 });
  const withIt = await search({ q: '"context manager" asyncio', limit: 100 });
  expect(without.total).toBeGreaterThan(0);
  expect(without.total).toBeLessThan(all.total);
  const excluded = await call<ContentRecord>('fetch_content', {
    id: without.results[0]?.id,
    max_chars: 50_000,
  });
  expect(excluded.body_text.toLowerCase()).toContain('context');
  expect(without.total + withIt.total).toBe(all.total);
});

test('site: of the host is every page, and paging neither repeats nor skips', async () => {
  const q = 'site:127.0.0.1';
  const { total } = await search({ q });
  expect(total).toBe(await storedPages());
  const ids: string[] = [];
  for (let offset = 0; offset < total; offset += 100) {
    const { results } = await search({ q, limit: 100, offset });
    ids.push(...results.map(({ id }) => id));
  }
  expect(ids).toHaveLength(total);
  expect(new Set(ids).size).toBe(total);
  const { results: together } = await search({ q: 'python', limit: 30 });
  const apart = [
    ...(await search({ q: 'python', limit: 15 })).results,
    ...(await search({ q: 'python', limit: 15, offset: 15 })).results,
  ];
  expect(apart.map(({ id }) => id)).toEqual(together.map(({ id }) => id));
});

test('fetch_content gives the text of the hit', async () => {
  const { results } = await search({ q: 'asyncio TaskGroup' });
  const page = results.find(({ url }) => url.endsWith('/asyncio-task.html'));
  const { body_text, lang } = await call<ContentRecord>('fetch_content', { id: page?.id, max_chars: 50_000 });
  expect(body_text).toContain('An asynchronous context manager holding a group of tasks.');
  expect(lang).toBe('en');
});

test('HTTP gives the same ids and totals', async () => {
  const server = startProcess(installed.bin, ['serve', '--port', '0', '--data', data]);
  try {
    const [, url] = await server.says(/listens on (\S+)/);
    await server.says(/in the index/);
    for (const q of ['asyncio TaskGroup', 'intitle:json', '"context manager" -asyncio', 'site:127.0.0.1']) {
      const overMcp = await search({ q, limit: 20 });
      const response = await fetch(`${url}/api/v1/search?${new URLSearchParams({ q, limit: '20' })}`);
      const overHttp = (await response.json()) as SearchResponse;
      expect(overHttp.total).toBe(overMcp.total);
      expect(overHttp.results.map(({ id }) => id)).toEqual(overMcp.results.map(({ id }) => id));
      console.info(`${q}: ${overHttp.total} pages, first ${overHttp.results[0]?.url.replace(site.url, '/')}`);
    }
  } finally {
    server.child.kill('SIGTERM');
    expect((await server.finished).code).toBe(0);
  }
});
