import { describe, expect, test } from 'vitest';
import { recrawlInBackground } from '../../src/crawl/background-recrawl.ts';
import { recrawl } from '../../src/crawl/recrawl.ts';
import { createSchedule } from '../../src/crawl/schedule.ts';
import { silentLog } from '../../src/runtime.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { htmlPage, openSite, type PageOfSite } from '../site.ts';
import { openCrawler } from './rig.ts';

const day = 24 * 3_600_000;

/** A page with a validator: asked with it, it says "not modified". */
const fixed =
  (title: string, links: readonly string[] = []): PageOfSite =>
  ({ headers }) =>
    headers['if-none-match'] === `"${title}"`
      ? { status: 304 }
      : { body: htmlPage(title, links), headers: { etag: `"${title}"` } };

/** A site that has been crawled, `daysAgo` days ago. */
async function crawledSite(pages: Record<string, PageOfSite>, daysAgo: number) {
  const site = await openSite(pages);
  const crawler = openCrawler();
  await crawler.crawl([site.url('/')]);
  crawler.clock.ms += daysAgo * day;
  const before = site.hits.length;
  const { store, pageWriter, visitor, clock } = crawler;
  const now = () => clock.ms;
  const sleep = async (ms: number) => {
    clock.ms += ms;
  };
  return {
    site,
    ...crawler,
    askedAgain: () => site.hits.slice(before),
    recrawl: (options = {}) => recrawl({ store, pageWriter, visitor, now, sleep, ...options }),
    /** After how many days the page is due. */
    dueIn: (path: string) => {
      const planned = [...createSchedule(store).due(clock.ms + 400 * day)];
      return ((planned.find(({ url }) => url === site.url(path))?.dueAt ?? Number.NaN) - clock.ms) / day;
    },
  };
}

describe('a recrawl', () => {
  test('visits nothing before its time', async () => {
    const { recrawl, askedAgain } = await crawledSite({ '/': fixed('Root') }, 2);
    expect(await recrawl()).toMatchObject({ stored: 0, unchanged: 0, queued: 0 });
    expect(askedAgain()).toEqual([]);
  });

  test('does with each page what its answer says, and plans its next visit', async () => {
    const links = ['/same', '/changed', '/gone', '/missing', '/moved', '/closed', '/broken'];
    const pages: Record<string, PageOfSite> = { '/': fixed('Root', links) };
    for (const path of links) pages[path] = fixed(path);
    const crawled = await crawledSite(pages, 4);
    const { site, recrawl, storedUrls, store, clock, dueIn } = crawled;
    const crawledAt = (path: string) => store.head(pageId(site.url(path)))?.crawledAt;
    const first = crawledAt('/broken');
    site.pages.set('/changed', fixed('New words', ['/fresh']));
    site.pages.set('/gone', { status: 410 });
    site.pages.set('/missing', { status: 404 });
    site.pages.set('/moved', { status: 301, headers: { location: '/new' } });
    site.pages.set('/new', fixed('/new'));
    site.pages.set('/closed', { body: htmlPage('x'), headers: { 'x-robots-tag': 'noindex' } });
    site.pages.set('/broken', { status: 500 });

    expect(await recrawl()).toMatchObject({
      stored: 2,
      unchanged: 2,
      removed: 4,
      failed: { 'noindex (X-Robots-Tag)': 1, 'status 500': 1 },
      queued: 0,
    });
    expect(storedUrls()).toEqual(['/', '/same', '/changed', '/new', '/broken'].map(site.url).sort());
    expect(store.page(pageId(site.url('/changed')))?.title).toBe('New words');
    expect([crawledAt('/same'), crawledAt('/changed'), crawledAt('/broken')]).toEqual([
      clock.ms,
      clock.ms,
      first,
    ]);
    expect(['/same', '/changed', '/broken', '/new'].map(dueIn)).toEqual([6, 1.5, 0.25, 3]);
  });

  test('asks with the validators of the last visit, and for nothing that is new', async () => {
    const { recrawl, askedAgain, site } = await crawledSite(
      { '/': fixed('Root', ['/a']), '/a': fixed('A') },
      4,
    );
    site.pages.set('/a', fixed('Changed', ['/fresh']));
    site.pages.set('/fresh', htmlPage('Fresh'));
    await recrawl();
    const asked = askedAgain().filter(({ path }) => path !== '/robots.txt');
    expect(asked.map(({ path, headers }) => [path, headers['if-none-match']]).sort()).toEqual([
      ['/', '"Root"'],
      ['/a', '"A"'],
    ]);
  });

  test('with a limit of pages, or of some hosts, leaves the others due', async () => {
    const { recrawl, askedAgain, site } = await crawledSite(
      { '/': fixed('Root', ['/a']), '/a': fixed('A') },
      4,
    );
    expect(await recrawl({ hosts: new Set(['elsewhere.example']) })).toMatchObject({ unchanged: 0 });
    expect(askedAgain()).toEqual([]);
    expect(await recrawl({ maxPages: 1, hosts: new Set([site.host]) })).toMatchObject({ unchanged: 1 });
    expect(await recrawl()).toMatchObject({ unchanged: 1 });
  });

  test('leaves a host that wants a pause, and its pages stay due', async () => {
    const { recrawl, site, askedAgain, clock } = await crawledSite(
      { '/': fixed('Root', ['/a']), '/a': fixed('A') },
      4,
    );
    for (const path of ['/', '/a']) site.pages.set(path, { status: 429, headers: { 'retry-after': '3600' } });
    expect(await recrawl()).toMatchObject({ left: [{ host: site.host, why: 'status 429' }], queued: 2 });
    await recrawl();
    expect(askedAgain().filter(({ path }) => path !== '/robots.txt')).toHaveLength(1);
    clock.ms += 3_600_000;
    site.pages.set('/', fixed('Root', ['/a']));
    site.pages.set('/a', fixed('A'));
    expect(await recrawl()).toMatchObject({ unchanged: 2, left: [] });
  });
});

describe('in the background', () => {
  test('pages are visited one after another with a pause, until the signal', async () => {
    const stop = new AbortController();
    const { store, pageWriter, visitor, clock, site } = await crawledSite(
      { '/': fixed('Root', ['/a']), '/a': fixed('A') },
      4,
    );
    const pauses: number[] = [];
    const sleep = async (ms: number) => {
      pauses.push(ms);
      if (pauses.length === 4) stop.abort();
    };
    await recrawlInBackground({
      recrawl: (options) => recrawl({ store, pageWriter, visitor, now: () => clock.ms, sleep, ...options }),
      log: silentLog,
      signal: stop.signal,
      sleep,
    });
    expect(pauses).toEqual([1000, 1000, 60_000, 60_000]);
    expect([site.timesAsked('/'), site.timesAsked('/a')]).toEqual([2, 2]);
  });

  test('what goes wrong is logged, and tried again', async () => {
    const stop = new AbortController();
    const warnings: string[] = [];
    let tries = 0;
    await recrawlInBackground({
      recrawl: () => {
        tries += 1;
        if (tries === 3) stop.abort();
        return Promise.reject(new Error('another process is writing'));
      },
      log: { ...silentLog, warn: (_, message) => void warnings.push(message) },
      signal: stop.signal,
      sleep: async () => {},
    });
    expect([tries, warnings.length]).toEqual([3, 2]);
  });
});
