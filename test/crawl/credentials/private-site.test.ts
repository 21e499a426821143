import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCredentials } from '../../../src/crawl/credentials/credentials.ts';
import { silentLog } from '../../../src/runtime.ts';
import { pageId } from '../../../src/store/page/page-id.ts';
import { stubProviderPool, webResult } from '../../external/stub-provider-pool.ts';
import { openApp } from '../../opensearch/open-app.ts';
import { htmlPage, openSite, type PageOfSite, type Site } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openCrawler } from '../rig.ts';

const secret = 'Bearer s3cret';

/** Answers only who shows the secret. */
const closed =
  (page: string): PageOfSite =>
  ({ headers }) =>
    headers.authorization === secret ? page : { status: 401, body: 'Log in' };

/** A crawler that has the secret for a site, or for a path of it. */
function crawlerFor(site: Site, path = '') {
  const state = { isHere: true };
  const rules = [{ origin: site.origin, path, header: { name: 'authorization', value: secret } }];
  const credentials = createCredentials(() => (state.isHere ? rules : []), Date.now);
  return { ...openCrawler({ credentials }), state };
}

const shown = (site: Site) =>
  site.hits.filter(({ headers }) => headers.authorization !== undefined).map(({ path }) => path);
const redirect = (location: string, status = 302) => ({ status, headers: { location } });

test('a closed site is crawled with its robots.txt and sitemap, and its pages are marked', async () => {
  const site = await openSite({
    '/robots.txt': closed('User-agent: *\nDisallow: /no\n'),
    '/': closed(htmlPage('Root', ['/a', '/no'])),
    '/a': closed(htmlPage('A')),
  });
  const { crawl, store, storedUrls, sitemapUrls, checkLlmsTxt } = crawlerFor(site);
  await crawl([site.url('/')], { sitemapUrls, checkLlmsTxt });
  expect(storedUrls()).toEqual([site.url('/'), site.url('/a')]);
  expect([...store.heads()].map(({ isPrivate }) => isPrivate)).toEqual([true, true]);
  expect(shown(site)).toEqual(site.hits.map(({ path }) => path));
  expect(site.timesAsked('/no')).toBe(0);
});

test('credentials of a path go nowhere else on the same site, and pages without them are not marked', async () => {
  const site = await openSite({
    '/': htmlPage('Root', ['/in/a', '/inside']),
    '/in/a': closed(htmlPage('A')),
    '/inside': htmlPage('Inside'),
  });
  const { crawl, store } = crawlerFor(site, '/in');
  await crawl([site.url('/')]);
  expect(shown(site)).toEqual(['/in/a']);
  const marked = [...store.heads()].filter(({ isPrivate }) => isPrivate).map(({ url }) => url);
  expect([store.pageCount(), marked]).toEqual([3, [site.url('/in/a')]]);
});

describe('a redirect', () => {
  test.each([
    ['another port', (other: Site) => other.url('/x')],
    ['another host', (other: Site) => `http://localhost:${other.port}/x`],
  ])('to %s gets no credential', async (_, address) => {
    const other = await openSite({}, { fallback: htmlPage('Elsewhere') });
    const site = await openSite({ '/': redirect(address(other)) });
    const { visitAndKeep, store } = crawlerFor(site);
    expect(await visitAndKeep(site.url('/'))).toMatchObject({ visit: { kind: 'page' } });
    expect([shown(site).length > 0, shown(other)]).toEqual([true, []]);
    expect([...store.heads()].map(({ isPrivate }) => isPrivate)).toEqual([undefined]);
  });

  test('to another scheme gets no credential', async () => {
    let sent = '';
    const server = createServer((socket) => {
      socket.on('data', (bytes) => {
        sent += bytes.toString('latin1');
        socket.destroy();
      });
      socket.on('error', () => {});
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const site = await openSite({ '/': redirect(`https://127.0.0.1:${port}/`) });
    await crawlerFor(site).visitAndKeep(site.url('/'));
    expect(sent.length).toBeGreaterThan(0);
    expect(sent).not.toContain('s3cret');
  });

  test('away and back again has lost them for good', async () => {
    const other = await openSite({});
    const site = await openSite({ '/': redirect(other.url('/x')) }, { fallback: htmlPage('Back') });
    other.pages.set('/x', redirect(site.url('/log-out')));
    const { visitAndKeep } = crawlerFor(site);
    expect(await visitAndKeep(site.url('/'))).toMatchObject({ visit: { kind: 'page' } });
    expect(shown(site)).not.toContain('/log-out');
    expect(site.timesAsked('/log-out')).toBe(1);
    expect(shown(other)).toEqual([]);
  });

  test('of another site does not make requests with them', async () => {
    const site = await openSite({}, { fallback: htmlPage('Logged out') });
    const other = await openSite({ '/trap': redirect(site.url('/log-out')) });
    await crawlerFor(site).visitAndKeep(other.url('/trap'));
    expect([site.timesAsked('/log-out'), shown(site)]).toEqual([1, ['/robots.txt']]);
  });

  test('of robots.txt and of a sitemap to another site gets none', async () => {
    const other = await openSite({}, { fallback: { body: '' } });
    const site = await openSite({
      '/robots.txt': redirect(other.url('/robots.txt')),
      '/sitemap.xml': redirect(other.url('/sitemap.xml')),
      '/': closed(htmlPage('Root')),
    });
    const { crawl, sitemapUrls } = crawlerFor(site);
    await crawl([site.url('/')], { sitemapUrls });
    expect(other.hits.map(({ path }) => path)).toContain('/robots.txt');
    expect(shown(other)).toEqual([]);
  });

  test('to the form of a site that logs in elsewhere does not take the place of a stored page', async () => {
    const other = await openSite({}, { fallback: htmlPage('Log in') });
    const site = await openSite({ '/a': closed(htmlPage('A')) });
    const { visitAndKeep, store } = crawlerFor(site);
    await visitAndKeep(site.url('/a'));
    site.pages.set('/a', redirect(other.url('/login'), 301));
    await visitAndKeep(site.url('/a'));
    expect(store.page(pageId(site.url('/a')))?.title).toBe('A');
  });
});

test('no link, image or script of another site is asked for with them', async () => {
  const other = await openSite({}, { fallback: htmlPage('Elsewhere') });
  const head = `<link rel="stylesheet" href="${other.url('/css')}"><script src="${other.url('/js')}"></script>`;
  const site = await openSite({ '/': closed(htmlPage('Root', [other.url('/link')], head)) });
  await crawlerFor(site).crawl([site.url('/')]);
  expect(other.hits).toEqual([]);
});

describe('a page that was read with credentials', () => {
  const stored = async () => {
    const site = await openSite({ '/a': closed(htmlPage('A')) });
    const crawler = crawlerFor(site);
    await crawler.visitAndKeep(site.url('/a'));
    const page = () => crawler.store.page(pageId(site.url('/a')));
    expect(page()?.title).toBe('A');
    return { ...crawler, site, page };
  };

  test('is not asked for without, and stays as it is', async () => {
    const { visitAndKeep, state, site, page } = await stored();
    state.isHere = false;
    site.pages.set('/a', htmlPage('Log in'));
    const { visit } = await visitAndKeep(site.url('/a'));
    expect(visit).toMatchObject({ kind: 'never', why: expect.stringMatching(/read with credentials/) });
    expect([site.timesAsked('/a'), page()?.title, page()?.isPrivate]).toEqual([1, 'A', true]);
  });

  test.each([401, 403])(
    'stays where they are not accepted any more (%s), and the reason says so',
    async (status) => {
      const { visitAndKeep, site, page } = await stored();
      site.pages.set('/a', { status });
      const { visit } = await visitAndKeep(site.url('/a'));
      expect(visit).toMatchObject({ why: `status ${status}: the credentials were not accepted` });
      expect(page()?.title).toBe('A');
    },
  );

  test('leaves the index when its site says to those who show them that it is gone', async () => {
    const { crawl, site, page } = await stored();
    site.pages.set('/a', { status: 404 });
    await crawl([site.url('/a')]);
    expect(page()).toBeUndefined();
  });
});

test('a page that was open before is read in full once it is asked for with credentials, and marked', async () => {
  const site = await openSite({
    '/a': ({ headers }) =>
      headers['if-none-match'] ? { status: 304 } : { headers: { etag: '"1"' }, body: htmlPage('A') },
  });
  const { visitAndKeep, state, store } = crawlerFor(site);
  const isPrivate = () => store.head(pageId(site.url('/a')))?.isPrivate;
  state.isHere = false;
  await visitAndKeep(site.url('/a'));
  expect(isPrivate()).toBeUndefined();
  state.isHere = true;
  await visitAndKeep(site.url('/a'));
  expect(isPrivate()).toBe(true);
  expect((await visitAndKeep(site.url('/a'))).visit.kind).toBe('unchanged');
  expect(isPrivate()).toBe(true);
});

test('a page for everybody that says the same as a private one is no copy of it', async () => {
  const site = await openSite({ '/in/a': closed(htmlPage('Oaks')), '/b': htmlPage('Oaks') });
  const { visitAndKeep, store } = crawlerFor(site, '/in');
  for (const path of ['/in/a', '/b']) await visitAndKeep(site.url(path));
  expect([...store.heads()].map(({ copyOf }) => copyOf)).toEqual([undefined, undefined]);
});

test('a page that another search service names is visited without', async () => {
  const site = await openSite({ '/a': htmlPage('Oaks') });
  const file = join(temporaryFolder(), 'credentials');
  writeFileSync(file, `${site.origin} Authorization: env:DOCS\n`);
  const app = openApp({
    config: {
      dataFolder: temporaryFolder(),
      allowPrivate: true,
      credentials: { file, variable: () => secret },
    },
    log: silentLog,
    learns: true,
    openPool: async () => stubProviderPool({ one: [webResult(site.url('/a'))] }),
  });
  onTestFinished(() => app.close());
  await app.engine.search({ q: 'oaks', limit: 10, offset: 0 } as Parameters<typeof app.engine.search>[0]);
  await app.web.settled();
  expect([site.timesAsked('/a'), shown(site)]).toEqual([1, []]);
  // The operator's own visit has them.
  const { visitAndKeep } = await app.web.crawler();
  await visitAndKeep(site.url('/a'));
  expect(shown(site)).toContain('/a');
  expect(app.store.head(pageId(site.url('/a')))?.isPrivate).toBe(true);
});
