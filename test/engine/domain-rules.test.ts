import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { pack } from '../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import { parseDomainRules } from '../../src/query/domain-rules.ts';
import { silentLog } from '../../src/runtime.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { openCrawler } from '../crawl/rig.ts';
import { stubProviderPool, webResult } from '../external/stub-provider-pool.ts';
import { openApp } from '../opensearch/open-app.ts';
import { examplePage } from '../pages.ts';
import { htmlPage, openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const urls = ['https://a.example/', 'https://docs.a.example/', 'https://b.example/', 'https://c.example/'];

/** A service over a page of each host, with rules, and a provider that knows pages of the same hosts. */
async function openService(rules: string, { packed = false } = {}) {
  const dataFolder = temporaryFolder();
  const file = join(dataFolder, 'domains.txt');
  writeFileSync(file, rules);
  const { domainsFile } = readConfig({ GLEANER_DOMAINS: file });
  const pool = stubProviderPool({ one: urls.map((url) => webResult(`${url}more`)) });
  const config = { dataFolder, domainsFile };
  const app = openApp({ config, log: silentLog, openPool: async () => pool });
  onTestFinished(() => app.close());
  // Each text is its own, so that none is a copy.
  for (const [index, url] of urls.entries())
    await app.pageWriter.put(
      examplePage({ url, title: `Oaks ${index}`, body: `oak tree ${'x'.repeat(index + 3)}` }),
    );
  if (packed) pack(app.store, indexFolderOf(dataFolder));
  await app.index.refresh();
  const search = async (q = 'oak', offset = 0) => {
    const params = { q, limit: 10, offset } as Parameters<typeof app.engine.search>[0];
    const { results, total } = await app.engine.search(params);
    const of = (source: string) => results.filter((result) => result.source === source).map(({ url }) => url);
    return { local: of('local').sort(), external: of('external'), first: results[0]?.url, total };
  };
  return { ...app, search, pool };
}

describe.each([false, true])('own results, packed: %s', (packed) => {
  test('leave out blocked domains, and count without them', async () => {
    const { search } = await openService('block a.example\nallow docs.a.example\n', { packed });
    const { local, total } = await search();
    expect(local).toEqual(['https://b.example/', 'https://c.example/', 'https://docs.a.example/']);
    expect(total).toBe(6);
  });

  test('are of allowed domains alone where all others are blocked', async () => {
    const { search } = await openService('block *\nallow a.example\nblock docs.a.example\n', { packed });
    expect((await search()).local).toEqual(['https://a.example/']);
  });

  test('rank raised domains higher and lowered ones lower', async () => {
    const first = async (rules: string) => (await (await openService(rules, { packed })).search()).first;
    expect(await first('raise c.example')).toBe('https://c.example/');
    expect(await first('raise b.example\nlower c.example')).toBe('https://b.example/');
  });
});

test('stored pages of a blocked domain are not there by their id or URL either, as if they were removed', async () => {
  const { engine } = await openService('block a.example\nallow docs.a.example\n');
  const [blocked = '', allowed = ''] = urls;
  const gone = engine.content(pageId('https://a.example/never'));
  await expect(engine.content(pageId(blocked))).rejects.toEqual(await gone.catch((error: unknown) => error));
  await expect(engine.read(blocked)).rejects.toMatchObject({ code: 'not_found' });
  expect((await engine.content(pageId(allowed))).url).toBe(allowed);
  expect([blocked, allowed].map((url) => engine.mayShow(examplePage({ url })))).toEqual([false, true]);
});

test('external results keep the rules, and no provider is told of them', async () => {
  const { search, pool } = await openService(
    'block a.example\nraise c.example\nlower docs.a.example\nallow docs.a.example',
  );
  const { external } = await search();
  expect(external).toEqual([
    'https://c.example/more',
    'https://b.example/more',
    'https://docs.a.example/more',
  ]);
  expect(JSON.stringify(pool.requests)).not.toContain('a.example');
});

test('a crawl visits nothing that is blocked, not even its robots.txt', async () => {
  const site = await openSite({
    '/robots.txt': '',
    '/': htmlPage('Root', ['/blog/1', '/docs', '/away']),
    '/docs': htmlPage('Docs'),
    '/blog/1': htmlPage('Post'),
  });
  site.pages.set('/away', { status: 302, headers: { location: `http://localhost:${site.port}/secret` } });
  const { isBlocked } = parseDomainRules('block 127.0.0.1/blog\nblock localhost').rules;
  const { crawl } = openCrawler({ isBlocked });
  const summary = await crawl([site.url('/')]);
  expect(summary).toMatchObject({ stored: 2, failed: { 'blocked by the rules for domains': 1 } });
  expect(site.pagesAsked().sort()).toEqual(['/', '/away', '/docs']);
  expect(site.hits.filter(({ host }) => host.startsWith('localhost'))).toEqual([]);
});

test('a file that is not understood is refused with its lines', async () => {
  await expect(openService('block a.example\nhide b.example')).rejects.toMatchObject({
    code: 'invalid_parameters',
    message: expect.stringMatching(/^GLEANER_DOMAINS: .+domains\.txt: line 2: must be block/),
  });
  const config = { dataFolder: temporaryFolder(), domainsFile: '/nonexistent/domains' };
  expect(() => openApp({ config, log: silentLog })).toThrow(/cannot be read \(ENOENT\)/);
});
