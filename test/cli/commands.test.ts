import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SearchResponse } from '../../src/contract/search.ts';
import { runGleaner, startGleaner } from '../process.ts';
import { htmlPage, openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** A service on a free port, over this data folder. */
async function startService(data: string) {
  const service = startGleaner(['serve', '--port', '0', '--data', data]);
  const [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
  const search = async (q: string): Promise<SearchResponse> =>
    (await (await fetch(`${url}/api/v1/search?${new URLSearchParams({ q })}`)).json()) as SearchResponse;
  return { ...service, url, search };
}

test('help and version answer before anything is opened', async () => {
  const data = join(temporaryFolder(), 'never');
  for (const args of [['--help'], ['serve', '--help'], ['crawl', '--help', '--data', data]]) {
    const { code, stdout } = await runGleaner(...args);
    expect([code, stdout.startsWith('Usage: gleaner')]).toEqual([0, true]);
  }
  expect((await runGleaner('--version')).stdout).toBe(`${version}\n`);
  expect(existsSync(data)).toBe(false);
});

test('a wrong command, option or setting is a clear error', async () => {
  const data = temporaryFolder();
  const cases: [string[], RegExp][] = [
    [['serch', 'x'], /unknown command 'serch'.*Did you mean search/s],
    [
      ['serve', '--port', 'http', '--data', data],
      /GLEANER_PORT: must be a whole number from 0 to 65535 \(--port\)/,
    ],
    [['search', 'x', '--limit', '0', '--data', data], /limit: must be an integer from 1 to 100/],
    [['search', 'x', '--limmit', '5', '--data', data], /unknown option --limmit/],
    [
      ['search', 'x', '--data', `${data}/typo`],
      /nothing has been stored in .*typo yet: "node bin\/gleaner\.mjs crawl/,
    ],
    [['status', '--data', `${data}/typo`], /nothing has been stored in/],
    [['crawl', 'ftp://example.com/', '--data', data], /not an http\(s\) URL/],
    [['crawl', 'https://example.com/', '--delay', '0', '--data', data], /--allow-private/],
    [['remove', 'example.com', '--data', `${data}/typo`], /nothing has been stored in/],
    [['serve', '--data', '/dev/null'], /cannot open the data folder \/dev\/null/],
    [['serve', '--data', '/proc/gleaner'], /cannot open the data folder \/proc\/gleaner/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runGleaner(...args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect(code).toBe(1);
  }
});

test('a new service finds its own documentation, under the address where it shows it', async () => {
  const data = temporaryFolder();
  const first = await startService(data);
  const { results } = await first.search('intitle:crawling');
  expect(results.map(({ url }) => url)).toEqual([`${first.url}/docs/crawling`]);
  const page = await fetch(results[0]?.url ?? '');
  expect(await page.text()).toContain('<h1');
  first.child.kill('SIGTERM');
  expect((await first.finished).code).toBe(0);

  const second = await startService(data);
  expect(second.url).not.toBe(first.url);
  const urls = (await second.search('intitle:crawling')).results.map(({ url }) => url);
  expect(urls).toEqual([`${second.url}/docs/crawling`]);

  const beside = await startService(data);
  expect((await beside.search('intitle:crawling')).results.map(({ url }) => url)).toEqual(urls);
});

test('a taken port is a clear error, not another port', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;
  const { code, stderr } = await runGleaner('serve', '--port', String(port), '--data', temporaryFolder());
  expect(stderr).toMatch(new RegExp(`port ${port} on 127\\.0\\.0\\.1 is taken.*--port`));
  expect(code).toBe(1);
});

test('what one process crawls, a running service finds within a second or so; what is removed is gone', async () => {
  const data = temporaryFolder();
  const service = await startService(data);
  const site = await openSite({
    '/': htmlPage('Herons', ['/grey']),
    '/grey': htmlPage('Grey heron', []),
  });
  const crawled = await runGleaner('crawl', site.url('/'), '--allow-private', '--delay', '0', '--data', data);
  expect(crawled.stdout).toMatch(/^stored +2$/m);
  await expect.poll(async () => (await service.search('intitle:heron')).total).toBe(1);

  const found = await runGleaner('search', 'intitle:grey', '--json', '--data', data);
  expect((JSON.parse(found.stdout) as SearchResponse).results[0]?.url).toBe(site.url('/grey'));
  expect((await runGleaner('status', '--data', data)).stdout).toMatch(/^127\.0\.0\.1:\d+ +2 /m);
  expect((await service.search('gleaner')).total).toBe(0);
  expect((await runGleaner('search', 'intitle:heron', '-zebra', '--json', '--data', data)).stdout).toContain(
    '"total": 1',
  );
  expect((await runGleaner('remove', site.url('/grey'), '--data', data)).stdout).toBe('Removed 1 page.\n');
  await expect.poll(async () => (await service.search('intitle:heron')).total).toBe(0);

  const other = await runGleaner(
    'remove',
    `127.0.0.1:${site.port === 65535 ? 1 : site.port + 1}`,
    '--data',
    data,
  );
  expect(other.stderr).toMatch(/nothing in the index is/);
  expect((await runGleaner('remove', site.host, '--data', data)).stdout).toBe('Removed 1 page.\n');
});

test('mcp says nothing but the protocol, and ends when stdin ends', async () => {
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const call = { name: 'web_search', arguments: { q: 'nothing here' } };
  const { finished } = startGleaner(
    ['mcp', '--data', temporaryFolder()],
    request(1, 'initialize', hello) +
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n` +
      request(2, 'tools/call', call),
  );
  const { code, stdout } = await finished;
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(messages.map(({ id }) => id)).toEqual([1, 2]);
  expect(messages[1].result.structuredContent.total).toBe(0);
  expect(code).toBe(0);
});

test('a file of settings is accepted after the command too, and every request has a line in the log', async () => {
  const file = join(temporaryFolder(), 'gleaner.conf');
  writeFileSync(file, `GLEANER_LOG=info\nGLEANER_PORT=0\nGLEANER_DATA=${temporaryFolder()}\n`);
  const service = startGleaner(['serve', '--config', file]);
  const [, url] = await service.says(/listens on (\S+)/);
  await service.says(/^Search:/m);
  const response = await fetch(`${url}/readyz?q=secret`);
  expect(await response.json()).toMatchObject({ status: 'ready' });
  const [line] = await service.says(/^{.*"request".*}$/m);
  expect(JSON.parse(line)).toMatchObject({
    requestId: response.headers.get('x-request-id'),
    path: '/readyz',
    status: 200,
  });
  service.child.kill('SIGTERM');
  expect(await service.finished).toMatchObject({ code: 0, stderr: expect.not.stringContaining('secret') });
});

test('status --site shows why URLs of a site are not in the index', async () => {
  const data = temporaryFolder();
  const site = await openSite({
    '/': htmlPage('Root', ['/missing', '/closed', '/a']),
    '/robots.txt': 'User-agent: *\nDisallow: /closed',
    '/a': htmlPage('A'),
  });
  const crawl = await runGleaner('crawl', site.url('/'), '--allow-private', '--delay', '0', '--data', data);
  expect(crawl.stdout).toMatch(/not found +1\n +\S+\/missing\n/);
  const { stdout } = await runGleaner('status', '--site', site.host, '--data', data);
  expect(stdout).toMatch(/^pages +2$/m);
  expect(stdout).toMatch(/refused by robots\.txt +1\n +\S+\/closed\n/);
  expect(stdout).toMatch(/not found +1\n +\S+\/missing\n/);
  const other = await runGleaner('status', '--site', 'other.example', '--data', data);
  expect(other.stderr).toMatch(/nothing is known of other\.example/);
});

test('search shows pages that lack words under a heading of their own, and explain takes them apart', async () => {
  const data = temporaryFolder();
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, 'owl.html'),
    '<title>Owl notes</title><p>An owl hears better than a heron does.</p>',
  );
  await runGleaner('import', folder, '--base-url', 'https://birds.example/', '--data', data);
  const q = ['owl', 'hears', 'zeppelins'];
  const { stdout } = await runGleaner('search', ...q, '--data', data);
  expect(stdout).toMatch(
    /^No page matches\.\n\nPages that lack some of the words\nNo page has "zeppelins"\.\n\n - Owl notes\n.*without: zeppelins\n$/s,
  );
  const explained = await runGleaner('search', ...q, '--explain', '--data', data);
  expect(explained.stdout).toMatch(
    /^Pages that lack some of the words\n[\d.]+ {2}https:.*terms: .*without: zeppelins\n$/s,
  );
  const json = await runGleaner('search', ...q, '--json', '--data', data);
  expect(JSON.parse(json.stdout)).toMatchObject({
    total: 0,
    partial_matches: [{ missing_words: ['zeppelins'] }],
  });
});

test('a search of an empty index says that it is empty, and what to type', async () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'none.html'), '');
  await runGleaner('import', data, '--base-url', 'https://birds.example/', '--data', data);
  const { stdout } = await runGleaner('search', 'owl', '--data', data);
  expect(stdout).toContain('The local index is empty: "node bin/gleaner.mjs crawl https://');
});
