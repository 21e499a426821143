import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { SearchResponse } from '../../src/contract/search.ts';
import { type Environment, runGleaner, startGleaner } from '../process.ts';
import { htmlPage, openSite, type Site } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

interface Found extends SearchResponse {
  readonly state: string | null;
}

/** A service with these settings, on a free port or on the given one. */
async function startService(data: string, more: Environment, port = 0) {
  const service = startGleaner(['serve', '--port', String(port), '--data', data], '', more);
  const [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
  const search = async (q: string): Promise<Found> => {
    const response = await fetch(`${url}/api/v1/search?${new URLSearchParams({ q })}`);
    expect(response.status).toBe(200);
    return {
      ...((await response.json()) as SearchResponse),
      state: response.headers.get('gleaner-external'),
    };
  };
  return { ...service, url, search };
}

/** A site about herons and a data folder that holds it. */
async function crawledSite(): Promise<{ site: Site; data: string }> {
  const data = temporaryFolder();
  const site = await openSite({ '/': htmlPage('Herons', ['/grey']), '/grey': htmlPage('Grey heron') });
  const crawl = await runGleaner('crawl', site.url('/'), '--allow-private', '--delay', '0', '--data', data);
  expect(crawl.stdout).toMatch(/^stored +2$/m);
  return { site, data };
}

/** With a deadline that no busy machine passes. */
const askPeer = (url: string): Environment => ({
  GLEANER_EXTERNAL: 'gleaner',
  GLEANER_PEER_URL: url,
  GLEANER_EXTERNAL_DEADLINE_MS: '20000',
});

/** Pages are visited at the pace that their site may expect. */
const patience = { timeout: 60_000 };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test(
  'one instance falls back to another, learns what it found, and finds it as its own from then on',
  patience,
  async () => {
    const { site, data } = await crawledSite();
    const team = await startService(data, {});
    const settings = { ...askPeer(team.url), GLEANER_LEARN: '1', GLEANER_ALLOW_PRIVATE: '1' };
    const own = await startService(temporaryFolder(), settings);

    const first = await own.search('intitle:grey');
    expect(first).toMatchObject({
      total: 1,
      state: 'ok',
      results: [{ id: '', url: site.url('/grey'), title: 'Grey heron', source: 'external', lang: 'en' }],
    });
    const isLocal = async () => (await own.search('intitle:grey')).results[0]?.source;
    await expect.poll(isLocal, { timeout: 40_000, interval: 2000 }).toBe('local');
    const [learned] = (await own.search('intitle:grey')).results;
    const content = await fetch(`${own.url}/api/v1/content/${learned?.id}`);
    expect(await content.json()).toMatchObject({ url: site.url('/grey'), title: 'Grey heron' });

    team.child.kill('SIGTERM');
    await team.finished;
    expect(await own.search('intitle:egret')).toMatchObject({ total: 0, results: [], state: 'failed' });
    expect((await own.search('intitle:grey')).results).toHaveLength(1);
  },
);

test('two instances that fall back to each other do not go on for ever', patience, async () => {
  const { data } = await crawledSite();
  const port = await freePort();
  const one = await startService(data, askPeer(`http://127.0.0.1:${port}`));
  const two = await startService(temporaryFolder(), askPeer(one.url), port);
  expect(await two.search('intitle:grey')).toMatchObject({ total: 1, state: 'ok' });
  expect(await one.search('intitle:egret')).toMatchObject({ total: 0, state: 'ok' });
  expect(await two.search('intitle:egret')).toMatchObject({ total: 0, state: 'ok' });
});

test(
  'over MCP an external result is read by its url, and who could not be asked is said in words',
  patience,
  async () => {
    const { site, data } = await crawledSite();
    const team = await startService(data, {});
    const settings = { ...askPeer(team.url), GLEANER_ALLOW_PRIVATE: '1' };
    const { child, finished } = startGleaner(['mcp', '--data', temporaryFolder()], 'open', settings);
    const answers = new Map<number, { structuredContent: Record<string, unknown>; isError?: boolean }>();
    let rest = '';
    child.stdout.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const { id, result } of lines.map((line) => JSON.parse(line))) answers.set(id, result);
    });
    let id = 0;
    const ask = async (method: string, params: object) => {
      const own = ++id;
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: own, method, params })}\n`);
      await expect.poll(() => answers.has(own), { timeout: 40_000 }).toBe(true);
      return answers.get(own);
    };
    const call = (name: string, args: object) => ask('tools/call', { name, arguments: args });
    const clientInfo = { name: 'test', version: '1' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);

    const found = await call('web_search', { q: 'intitle:grey' });
    expect(found?.structuredContent).toMatchObject({
      results: [{ source: 'external', url: site.url('/grey') }],
    });
    expect(found?.structuredContent).not.toHaveProperty('notice');
    const read = await call('fetch_content', { url: site.url('/grey') });
    expect(read?.structuredContent).toMatchObject({ url: site.url('/grey'), title: 'Grey heron' });
    const again = await call('web_search', { q: 'intitle:grey' });
    expect(again?.structuredContent).toMatchObject({
      total: 1,
      results: [{ source: 'local', id: read?.structuredContent.id }],
    });

    team.child.kill('SIGTERM');
    await team.finished;
    const failed = await call('web_search', { q: 'intitle:egret' });
    expect(failed?.isError).toBeUndefined();
    expect(failed?.structuredContent).toMatchObject({
      total: 0,
      notice: expect.stringMatching(/^Nothing local matches, and the web could not be searched.*gleaner/i),
    });
    child.stdin.end();
    expect((await finished).code).toBe(0);
  },
);
