import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Visits } from '../../src/app/crawler.ts';
import { createSiteCrawls, siteCrawlRate } from '../../src/app/site-crawls.ts';
import { openCrawler } from '../crawl/rig.ts';
import { startGleaner } from '../process.ts';
import { htmlPage, openSite } from '../site.ts';
import { startWriter } from '../store/other-writer.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const bin = fileURLToPath(new URL('../../bin/gleaner.mjs', import.meta.url));
const settings = {
  PATH: process.env.PATH ?? '',
  GLEANER_EXTERNAL: 'off',
  GLEANER_ALLOW_PRIVATE: '1',
  GLEANER_TOOLS: 'web_search,fetch_content,crawl_site',
};

const openDocs = () =>
  openSite({
    '/robots.txt': 'User-agent: *\nDisallow: /docs/private',
    '/docs/': htmlPage('Start', ['/docs/owls', '/docs/private', '/docs/gone', '/blog/']),
    '/docs/owls': htmlPage('Owls'),
    '/blog/': htmlPage('Blog'),
  });

async function openClient(over: 'stdio' | 'HTTP' | 'HTTP, two workers') {
  const data = temporaryFolder();
  const client = new Client({ name: 'test', version: '0' });
  if (over === 'stdio') {
    const args = [bin, 'mcp', '--data', data];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: settings }));
  } else {
    const workers = over === 'HTTP' ? [] : ['--workers', '2'];
    const service = startGleaner(['serve', '--port', '0', '--data', data, ...workers], '', settings);
    const [, url = ''] = await service.says(/^MCP: +(\S+)$/m);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  }
  onTestFinished(() => client.close());
  return client;
}

describe.each(['stdio', 'HTTP', 'HTTP, two workers'] as const)('over %s', (over) => {
  test('an agent adds a part of a site, and finds it', async () => {
    const site = await openDocs();
    const client = await openClient(over);
    const said: string[] = [];
    const crawled = (await client.callTool(
      { name: 'crawl_site', arguments: { url: site.url('/docs/'), max_pages: '10' } },
      undefined,
      { onprogress: ({ message = '' }) => said.push(message) },
    )) as CallToolResult;
    expect(crawled.structuredContent).toMatchObject({
      stored: 2,
      urls: [site.url('/docs/'), site.url('/docs/owls')],
      not_stored: expect.arrayContaining([
        { why: 'not found', count: 1, urls: [site.url('/docs/gone')] },
        { why: 'refused by robots.txt', count: 1, urls: [site.url('/docs/private')] },
      ]),
      queued: 0,
    });
    // Pages are counted when they are committed, which may be after the last word of so small a crawl.
    const words = /Looking at 127\.0\.0\.1|\d of 10 pages, \d queued: http/;
    if (over === 'HTTP, two workers') expect(said.length).toBeGreaterThan(0);
    else expect(said.join()).toMatch(words);
    const found = (await client.callTool({
      name: 'web_search',
      arguments: { q: 'owls' },
    })) as CallToolResult;
    expect(found.structuredContent).toMatchObject({
      results: expect.arrayContaining([
        expect.objectContaining({ url: site.url('/docs/owls'), source: 'local' }),
      ]),
    });
    expect(site.timesAsked('/blog/')).toBe(0);
  });
});

test('it is not there until it is named', async () => {
  const { GLEANER_TOOLS: _, ...others } = settings;
  const client = new Client({ name: 'test', version: '0' });
  const args = [bin, 'mcp', '--data', temporaryFolder()];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: others }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['web_search', 'fetch_content']);
});

describe('a crawl for a client', () => {
  const rig = (options: { timeoutMs?: number } = {}) => {
    const crawler = openCrawler();
    const crawl: Visits['crawl'] = ({ seeds, ...more }) => crawler.crawl(seeds, more);
    const crawlSite = createSiteCrawls({
      crawler: async () => ({ crawl, anonymous: { crawl } }),
      now: crawler.now,
      ...options,
    });
    return { ...crawler, crawlSite };
  };
  const request = (url: string, maxPages = 10) => ({ url, maxPages, samePath: false });

  test('ends at its number of pages, and the same call goes on', async () => {
    const site = await openSite(
      { '/': htmlPage('Root', ['/a', '/b', '/c']) },
      { fallback: htmlPage('Leaf') },
    );
    const { crawlSite, storedUrls } = rig();
    expect(await crawlSite(request(site.url('/'), 2))).toMatchObject({
      stored: 2,
      queued: 2,
      ended: 'max_pages was reached',
    });
    await crawlSite(request(site.url('/'), 2));
    expect(storedUrls().length).toBeGreaterThan(2);
  });

  test('is one at a time, and its budget is for all', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const site = await openSite({
      '/slow': async () => {
        await held;
        return htmlPage('Slow');
      },
    });
    const { crawlSite, clock } = rig();
    const first = crawlSite(request(site.url('/slow'), 100));
    await expect.poll(() => site.timesAsked('/slow')).toBe(1);
    await expect(crawlSite(request(site.url('/'), 1))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('one at a time'),
    });
    release();
    expect(await first).toMatchObject({ stored: 1, queued: 0 });
    // What was not read costs nothing: 199 of the 200 pages are left.
    expect(siteCrawlRate.burst).toBe(200);
    const many = await openSite(
      {},
      { fallback: ({ path }) => htmlPage(path, [`/${Number(path.slice(1)) + 1}`]) },
    );
    for (const start of ['/1000', '/2000']) {
      const report = await crawlSite(request(many.url(start), start === '/1000' ? 100 : 99));
      expect(report.stored).toBeGreaterThan(90);
    }
    const before = clock.ms;
    await expect(crawlSite(request(many.url('/3000'), 100))).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: expect.any(Number),
    });
    expect(clock.ms).toBe(before);
  });

  test('ends in time, with what it has', async () => {
    const site = await openSite({
      '/': htmlPage('Root', ['/never']),
      '/never': () => null,
    });
    const { crawlSite } = rig({ timeoutMs: 5000 });
    expect(await crawlSite(request(site.url('/')))).toMatchObject({
      stored: 1,
      queued: 1,
      ended: '5 seconds were over',
    });
  });

  test('is refused while another process writes, and for what is no address', async () => {
    const site = await openDocs();
    const { crawlSite, folder } = rig();
    await expect(crawlSite(request('no url'))).rejects.toMatchObject({ code: 'invalid_parameters' });
    await startWriter(folder).reaches(1);
    await expect(crawlSite(request(site.url('/docs/')))).rejects.toMatchObject({ code: 'unavailable' });
  });
});
