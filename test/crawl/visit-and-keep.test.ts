import { expect, test } from 'vitest';
import { createLinkStore } from '../../src/crawl/link-store.ts';
import { createVisitAndKeep } from '../../src/crawl/visit-and-keep.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { htmlPage, openSite } from '../site.ts';
import { openCrawler } from './rig.ts';

function rig() {
  const crawler = openCrawler();
  return { ...crawler, visit: createVisitAndKeep(crawler) };
}

test('a page is stored with its links; the next visit asks whether it changed', async () => {
  const site = await openSite({
    '/a': ({ headers }) =>
      headers['if-none-match'] === '"1"'
        ? { status: 304 }
        : { headers: { etag: '"1"' }, body: htmlPage('Herons', ['/b']) },
  });
  const { visit, store, clock } = rig();
  const first = await visit(site.url('/a'));
  expect(first).toMatchObject({
    kind: 'page',
    url: site.url('/a'),
    isStored: true,
    page: { title: 'Herons' },
  });
  const id = pageId(site.url('/a'));
  expect(store.page(id)?.title).toBe('Herons');
  expect(createLinkStore(store).get(id)).toEqual([site.url('/b')]);
  clock.ms += 1000;
  const second = await visit(site.url('/a'));
  expect(second).toMatchObject({ kind: 'page', isStored: true, page: { title: 'Herons' } });
  expect(store.head(id)?.crawledAt).toBe(clock.ms);
  expect(
    site.hits.filter(({ path }) => path === '/a').map(({ headers }) => headers['if-none-match']),
  ).toEqual([undefined, '"1"']);
});

test('what robots.txt closes is not asked for', async () => {
  const site = await openSite({ '/robots.txt': 'User-agent: *\nDisallow: /', '/a': htmlPage('A') });
  expect(await rig().visit(site.url('/a'))).toMatchObject({ kind: 'never', why: 'refused by robots.txt' });
  expect(site.pagesAsked()).toEqual([]);
});

test('a page that has gone, or asks to be in no index, leaves it; one that moved is kept where it is now', async () => {
  const site = await openSite({ '/a': htmlPage('A'), '/b': htmlPage('B'), '/c': htmlPage('C') });
  const { visit, storedUrls } = rig();
  for (const path of ['/a', '/b', '/c']) await visit(site.url(path));
  expect(storedUrls()).toHaveLength(3);
  site.pages.set('/a', { status: 410 });
  site.pages.set('/b', { headers: { 'x-robots-tag': 'noindex' }, body: htmlPage('B') });
  site.pages.set('/c', { status: 301, headers: { location: '/d' } });
  site.pages.set('/d', htmlPage('D'));
  expect(await visit(site.url('/a'))).toEqual({ kind: 'gone', url: site.url('/a') });
  expect(await visit(site.url('/b'))).toMatchObject({ kind: 'never', why: expect.stringMatching(/noindex/) });
  expect(await visit(site.url('/c'))).toMatchObject({ kind: 'page', url: site.url('/d') });
  expect(storedUrls()).toEqual([site.url('/d')]);
});

test('a site that is busy is named with the time to wait', async () => {
  const site = await openSite({ '/a': { status: 503, headers: { 'retry-after': '77' } } });
  expect(await rig().visit(site.url('/a'))).toEqual({
    kind: 'later',
    url: site.url('/a'),
    why: 'status 503',
    seconds: 77,
  });
});
