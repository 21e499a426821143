import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { CrawlProgress } from '../../src/crawl/crawl-tally.ts';
import { createOutcomeStore } from '../../src/crawl/outcomes.ts';
import type { Visitor } from '../../src/crawl/visit.ts';
import { type SiteRecord, sitesTable } from '../../src/store/host/site-record.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { htmlPage, openSite, type PageOfSite } from '../site.ts';
import { openCrawler } from './rig.ts';

/** Three levels: `/` -> `/a` to `/d` -> `/a/1` to `/d/4`, with links back and across. */
function tree(): Record<string, PageOfSite> {
  const letters = ['a', 'b', 'c', 'd'];
  const pages: Record<string, PageOfSite> = {
    '/': htmlPage(
      'Root',
      letters.map((letter) => `/${letter}`),
    ),
  };
  for (const letter of letters) {
    const children = [1, 2, 3, 4].map((n) => `/${letter}/${n}`);
    pages[`/${letter}`] = htmlPage(letter, ['/', '/a', ...children]);
    for (const child of children) pages[child] = htmlPage(child, ['/', '/d']);
  }
  return pages;
}
const breadthFirst = [
  '/',
  '/a',
  '/b',
  '/c',
  '/d',
  ...['a', 'b', 'c', 'd'].flatMap((x) => [1, 2, 3, 4].map((n) => `/${x}/${n}`)),
];

describe('a crawl', () => {
  test('reads a site breadth first, each page once, and keeps it all', async () => {
    const site = await openSite(tree());
    const { crawl, store, storedUrls } = openCrawler();
    const summary = await crawl([site.url('/')]);
    expect(summary).toEqual({
      stored: 21,
      unchanged: 0,
      removed: 0,
      refusedByRobots: 0,
      moved: {},
      failed: {},
      examples: {},
      nofollowed: 0,
      rendered: 0,
      left: [],
      sitemaps: [],
      queued: 0,
      before: 0,
      stopped: false,
      atMaxPages: false,
    });
    expect(site.pagesAsked()).toEqual(breadthFirst);
    expect(storedUrls()).toEqual(breadthFirst.map(site.url).sort());
    expect(store.page(pageId(site.url('/a/1')))?.title).toBe('/a/1');
    expect(Math.max(...site.hits.map(({ open }) => open))).toBe(1);
  });

  test('with a limit of pages has the first ones of the whole', async () => {
    for (const maxPages of [1, 7]) {
      const site = await openSite(tree());
      const { crawl, storedUrls } = openCrawler();
      const summary = await crawl([site.url('/')], { maxPages });
      expect(summary).toMatchObject({ stored: maxPages });
      expect(site.pagesAsked()).toEqual(breadthFirst.slice(0, maxPages));
      expect(storedUrls()).toHaveLength(maxPages);
    }
  });

  test('of some depth follows no links further', async () => {
    const site = await openSite(tree());
    const { crawl } = openCrawler();
    expect(await crawl([site.url('/')], { maxDepth: 1 })).toMatchObject({ stored: 5, queued: 0 });
    expect(site.pagesAsked()).toEqual(breadthFirst.slice(0, 5));
  });

  test('stays on the hosts of its seeds', async () => {
    const other = await openSite({ '/': htmlPage('Other') });
    const site = await openSite({
      '/': htmlPage('Root', [other.url('/'), 'https://elsewhere.example/', '/in']),
      '/in': htmlPage('In'),
    });
    expect(await openCrawler().crawl([site.url('/')])).toMatchObject({ stored: 2 });
    expect(other.hits).toEqual([]);
  });

  test('keeps the pace and never has two requests open at one host', async () => {
    const site = await openSite(tree());
    const { crawl, clock } = openCrawler({ delaySeconds: 1 });
    await crawl([site.url('/')]);
    expect(clock.slept).toEqual(Array(21).fill(1000));
    expect(Math.max(...site.hits.map(({ open }) => open))).toBe(1);
  });

  test('asks several hosts side by side', async () => {
    const waiting = new Map<string, () => void>();
    const site = await openSite(
      { '/robots.txt': '' },
      {
        fallback: ({ host }) =>
          new Promise((answer) => {
            waiting.set(host, () => answer(htmlPage(host)));
            // Nobody is answered until all three are here.
            if (waiting.size === 3) for (const release of waiting.values()) release();
          }),
      },
    );
    const { crawl } = openCrawler({ resolve: async () => ['127.0.0.1'] });
    const seeds = ['one', 'two', 'three'].map((name) => `http://${name}.test:${site.port}/`);
    expect(await crawl(seeds)).toMatchObject({ stored: 3 });
  });

  test('of several hosts has exactly as many pages as were asked for', async () => {
    const site = await openSite(tree());
    const { crawl, store } = openCrawler({ resolve: async () => ['127.0.0.1'] });
    const seeds = ['one', 'two', 'three'].map((name) => `http://${name}.test:${site.port}/`);
    expect(await crawl(seeds, { maxPages: 10 })).toMatchObject({ stored: 10 });
    expect(store.pageCount()).toBe(10);
  });

  test('looks for the llms.txt of each site, and takes sitemaps as further seeds', async () => {
    const site = await openSite({
      '/': htmlPage('Root', ['/a']),
      '/a': htmlPage('A'),
      '/hidden': htmlPage('Hidden'),
      '/llms.txt': {
        body: '# Owls\n\nAll about owls, in one file.',
        headers: { 'content-type': 'text/plain' },
      },
      '/sitemap.xml':
        '<urlset><url><loc>/hidden</loc></url><url><loc>https://elsewhere.example/</loc></url></urlset>',
    });
    const { crawl, checkLlmsTxt, sitemapUrls, store } = openCrawler();
    expect(await crawl([site.url('/')], { checkLlmsTxt, sitemapUrls })).toMatchObject({ stored: 3 });
    expect(site.pagesAsked()).toEqual(['/', '/hidden', '/a']);
    expect(store.table<SiteRecord>(sitesTable).get(site.host)?.hasLlmsTxt).toBe(true);
  });

  test.each([[[]], [['ftp://a.example/']], [['https://a.example/', 'nonsense']]])(
    'of %j is refused',
    async (seeds) => {
      await expect(openCrawler().crawl(seeds)).rejects.toMatchObject({ code: 'invalid_parameters' });
    },
  );
});

describe('what a crawl cannot have', () => {
  test('is counted by its reason', async () => {
    const site = await openSite({
      '/robots.txt': 'User-agent: *\nDisallow: /private',
      '/': htmlPage('Root', [
        '/private/1',
        '/private/2',
        '/missing',
        '/forbidden',
        '/noindex',
        '/slow',
        '/ok',
      ]),
      '/forbidden': { status: 403 },
      '/noindex': htmlPage('No', ['/below'], '<meta name="robots" content="noindex">'),
      '/below': htmlPage('Below'),
      '/slow': { status: 500 },
      '/ok': htmlPage('OK'),
    });
    const { crawl, storedUrls } = openCrawler();
    expect(await crawl([site.url('/')])).toMatchObject({
      stored: 3,
      refusedByRobots: 2,
      failed: { 'not found': 1, 'status 403': 1, 'noindex (meta robots)': 1, 'status 500': 1 },
    });
    expect(storedUrls()).toEqual(['/', '/below', '/ok'].map(site.url));
    expect(site.timesAsked('/slow')).toBe(3);
    expect(site.pagesAsked().filter((path) => path.startsWith('/private'))).toEqual([]);
  });

  test('a host that asks for a pause gets it, and the page is requested again', async () => {
    let refusals = 0;
    const site = await openSite({
      '/': htmlPage('Root', ['/busy']),
      '/busy': () =>
        refusals++ === 0 ? { status: 429, headers: { 'retry-after': '77' } } : htmlPage('Busy'),
    });
    const { crawl, clock } = openCrawler();
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 2, failed: {} });
    expect(clock.slept).toEqual([77_000]);
  });

  test('a host that asks for a long pause is left, and its frontier is kept', async () => {
    const site = await openSite({
      '/': htmlPage('Root', ['/busy', '/next']),
      '/busy': { status: 503, headers: { 'retry-after': '7200' } },
      '/next': htmlPage('Next'),
    });
    const { crawl, clock } = openCrawler();
    expect(await crawl([site.url('/')])).toMatchObject({
      stored: 1,
      failed: {},
      left: [{ host: site.host, why: 'status 503', until: clock.ms + 7_200_000 }],
      queued: 2,
    });
    expect(clock.slept).toEqual([]);
    site.pages.set('/busy', htmlPage('Busy'));
    clock.ms += 7_200_000;
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 2, queued: 0 });
    expect(site.timesAsked('/')).toBe(1);
  });

  test('a host whose robots.txt cannot be read is not asked for a page', async () => {
    const site = await openSite({ '/robots.txt': { status: 500 }, '/': htmlPage('Root') });
    expect(await openCrawler().crawl([site.url('/')])).toMatchObject({
      stored: 0,
      left: [{ host: site.host, why: 'robots.txt: status 500' }],
      queued: 1,
    });
    expect(site.pagesAsked()).toEqual([]);
  });

  test('a host that goes down is asked less and less often, and left after five pages without an answer', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `/${i}`);
    const hangUp: PageOfSite = (_, response) => {
      response.destroy();
      return null;
    };
    const site = await openSite({ '/robots.txt': '', '/': htmlPage('Root', names) }, { fallback: hangUp });
    const { crawl, clock } = openCrawler();
    const pauses: number[] = [];
    const onPause = ({ seconds }: { seconds: number }) => void pauses.push(seconds);
    const summary = await crawl([site.url('/')], { onPause });
    expect(site.pagesAsked()).toEqual(['/', '/0', '/1', '/2', '/3', '/4']);
    expect(pauses).toEqual([5, 10, 20]);
    expect(summary).toMatchObject({
      stored: 1,
      failed: {},
      left: [{ host: site.host, why: 'connection reset', until: clock.ms + 40_000 }],
      queued: 20,
    });
  });

  /** A site whose pages `/0` to `/2` end every connection without an answer. */
  const resetting = () => {
    const reset: PageOfSite = (_, response) => {
      response.destroy();
      return null;
    };
    return openSite({
      '/robots.txt': '',
      '/': htmlPage('Root', ['/good', '/0', '/1', '/2']),
      '/0': reset,
      '/1': reset,
      '/2': reset,
      '/good': htmlPage('Good'),
    });
  };

  test('a host that resets its connections is left within three minutes', async () => {
    const site = await resetting();
    const { crawl, clock } = openCrawler();
    const startedAt = clock.ms;
    expect(await crawl([site.url('/')])).toMatchObject({
      stored: 2,
      left: [{ host: site.host, why: 'connection reset' }],
      queued: 3,
    });
    expect(clock.ms - startedAt).toBeLessThan(180_000);
    expect(site.timesAsked('/0')).toBeGreaterThanOrEqual(2);
  });

  test('pages without an answer in two runs count as failed, and the third run starts over', async () => {
    const site = await resetting();
    const { crawl, clock, store, politeFetch } = openCrawler();
    await crawl([site.url('/')]);
    const noted = [...createOutcomeStore(store).ofHost(site.host)].map(({ outcome }) => outcome);
    expect(noted).toEqual(Array(3).fill('connection reset'));
    clock.ms += 3_600_000;
    // As the crawler does for the host of a seed.
    politeFetch.wake(site.host);
    expect(await crawl([site.url('/')])).toMatchObject({ failed: { 'connection reset': 3 }, queued: 0 });
    expect(site.timesAsked('/')).toBe(1);
    clock.ms += 3_600_000;
    expect(await crawl([site.url('/')])).toMatchObject({ unchanged: 2, before: 0 });
  });

  test('a host that is down loses none of its pages, however often it is tried', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `/${i}`);
    let isDown = true;
    const site = await openSite(
      { '/robots.txt': '', '/': htmlPage('Root', names) },
      {
        fallback: ({ path }, response) => {
          if (!isDown) return htmlPage(path);
          response.destroy();
          return null;
        },
      },
    );
    const { crawl, clock, politeFetch } = openCrawler();
    for (let run = 0; run < 4; run++) {
      politeFetch.wake(site.host);
      expect(await crawl([site.url('/')])).toMatchObject({ queued: 20 });
      clock.ms += 3_600_000;
    }
    isDown = false;
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 20, queued: 0 });
  });

  test('a host that never answers in time is left within three minutes', async () => {
    const site = await openSite({
      '/robots.txt': '',
      '/': htmlPage('Root', ['/a', '/b', '/c', '/d', '/e']),
    });
    const { crawl, clock, visitor } = openCrawler();
    const slow: Visitor = {
      ...visitor,
      async visit(url, options) {
        if (url === site.url('/')) return visitor.visit(url, options);
        clock.ms += 30_000;
        const visit = { kind: 'later', seconds: 5, why: 'no answer in time', wholeHost: false } as const;
        return { url, formerUrls: [], visit: { ...visit, answered: false } };
      },
    };
    const startedAt = clock.ms;
    await crawl([site.url('/')], { visitor: slow });
    expect(clock.ms - startedAt).toBeLessThan(180_000);
  });

  test('a page that is slow or broken is put off until the others are done, and asked for three times', async () => {
    let failing = 2;
    const site = await openSite({
      '/': htmlPage('Root', ['/broken', '/flaky', '/a', '/b']),
      '/broken': { status: 500 },
      '/flaky': () => (failing-- > 0 ? { status: 500 } : htmlPage('Flaky')),
      '/a': htmlPage('A'),
      '/b': htmlPage('B'),
    });
    const { crawl } = openCrawler();
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 4, failed: { 'status 500': 1 }, queued: 0 });
    const putOff = ['/broken', '/flaky', '/broken', '/flaky'];
    expect(site.pagesAsked()).toEqual(['/', '/broken', '/flaky', '/a', '/b', ...putOff]);
  });

  test('many pages that are broken do not keep a crawl from its end', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `/${i}`);
    const site = await openSite(
      { '/': htmlPage('Root', [...names, '/last']) },
      { fallback: { status: 500 } },
    );
    site.pages.set('/last', htmlPage('Last'));
    site.pages.set('/robots.txt', '');
    const { crawl } = openCrawler();
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 2, failed: { 'status 500': 30 }, left: [] });
  });

  test('a pause that a host asked for holds over the end of the process, one for its silence does not', async () => {
    const site = await openSite({ '/': { status: 429, headers: { 'retry-after': '3600' } } });
    const first = openCrawler();
    await first.crawl([site.url('/')]);
    await first.close();
    const second = openCrawler({ folder: first.folder });
    second.clock.ms = first.clock.ms + 1_800_000;
    second.politeFetch.wake(site.host);
    expect(await second.crawl([site.url('/')])).toMatchObject({
      left: [{ why: 'the host asked for a pause', until: first.clock.ms + 3_600_000 }],
    });
    expect(site.timesAsked('/')).toBe(1);
  });

  test('leaves its outcome and its address, until it can be had', async () => {
    const site = await openSite({
      '/robots.txt': 'User-agent: *\nDisallow: /private',
      '/': htmlPage('Root', ['/private', '/missing', '/print', '/new', '/old']),
      '/print': htmlPage('Print', [], '<link rel="canonical" href="/new">'),
      '/old': { status: 302, headers: { location: '/new' } },
      '/new': htmlPage('New'),
    });
    const { crawl, store } = openCrawler();
    const known = () =>
      Object.fromEntries(
        [...createOutcomeStore(store).ofHost(site.host)].map(({ url, outcome }) => [
          new URL(url).pathname,
          outcome,
        ]),
      );
    const summary = await crawl([site.url('/')]);
    expect(known()).toEqual({
      '/private': 'refused by robots.txt',
      '/missing': 'not found',
      '/print': 'canonical is another page',
      '/old': 'redirects to another page',
    });
    expect(summary.moved).toEqual({ 'canonical is another page': 1, 'redirects to another page': 1 });
    expect(summary.examples['not found']).toEqual([site.url('/missing')]);
    site.pages.set('/missing', htmlPage('Found'));
    await crawl([site.url('/')]);
    expect(known()).not.toHaveProperty('/missing');
  });
});

describe('pages that move', () => {
  test('are read where they are, once', async () => {
    const site = await openSite({
      '/': htmlPage('Root', ['/old', '/new', '/print']),
      '/old': { status: 301, headers: { location: '/new' } },
      '/new': htmlPage('New'),
      '/print': htmlPage('New', [], '<link rel="canonical" href="/new">'),
    });
    const { crawl, storedUrls } = openCrawler();
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 2, failed: {} });
    expect(site.pagesAsked()).toEqual(['/', '/old', '/new', '/print']);
    expect(storedUrls()).toEqual([site.url('/'), site.url('/new')]);
  });

  test('a seed takes its crawl along to another host', async () => {
    const site = await openSite({
      '/': ({ host }) =>
        host.startsWith('www.')
          ? htmlPage('Root', ['/a', 'http://other.test/'])
          : { status: 301, headers: { location: `http://www.owls.test:${site.port}/` } },
      '/a': htmlPage('A'),
      '/llms.txt': ({ host }) =>
        host.startsWith('www.')
          ? { body: '# Owls\n\nAll about owls, in one file.', headers: { 'content-type': 'text/plain' } }
          : { status: 404 },
    });
    const resolve = async () => ['127.0.0.1'];
    const { crawl, storedUrls, checkLlmsTxt, store } = openCrawler({ resolve });
    expect(await crawl([`http://owls.test:${site.port}/`], { checkLlmsTxt })).toMatchObject({ stored: 2 });
    expect(store.table<SiteRecord>(sitesTable).get(`www.owls.test:${site.port}`)?.hasLlmsTxt).toBe(true);
    expect(storedUrls()).toEqual([
      `http://www.owls.test:${site.port}/`,
      `http://www.owls.test:${site.port}/a`,
    ]);
  });

  test('other pages do not', async () => {
    const other = await openSite({ '/': htmlPage('Other') });
    const site = await openSite({
      '/': htmlPage('Root', ['/out']),
      '/out': { status: 301, headers: { location: other.url('/') } },
    });
    expect(await openCrawler().crawl([site.url('/')])).toMatchObject({ stored: 1, failed: {} });
    expect(other.pagesAsked()).toEqual([]);
  });

  test('a page that was busy at the end of a redirect is requested again', async () => {
    let refusals = 0;
    const site = await openSite({
      '/': { status: 302, headers: { location: '/there' } },
      '/there': () =>
        refusals++ === 0 ? { status: 503, headers: { 'retry-after': '1' } } : htmlPage('There'),
    });
    expect(await openCrawler().crawl([site.url('/')])).toMatchObject({ stored: 1 });
  });
});

describe('a second crawl', () => {
  test('asks with validators, follows the links of pages that have not changed, and counts them', async () => {
    const pages = Object.fromEntries(
      Object.entries(tree()).map(([path, body]): [string, PageOfSite] => [
        path,
        ({ headers }) =>
          headers['if-none-match'] === '"1"'
            ? { status: 304 }
            : { body: body as string, headers: { etag: '"1"' } },
      ]),
    );
    const site = await openSite(pages);
    const { crawl, store, clock } = openCrawler();
    await crawl([site.url('/')]);
    clock.ms += 60_000;
    site.pages.set('/b/2', htmlPage('Changed'));
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 1, unchanged: 20 });
    expect(site.pagesAsked()).toEqual([...breadthFirst, ...breadthFirst]);
    expect([...store.heads()].map(({ crawledAt }) => crawledAt)).toEqual(Array(21).fill(clock.ms));
  });

  test('removes what is gone, moved for good or not to be indexed any more, and nothing else', async () => {
    const site = await openSite({
      '/': htmlPage('Root', ['/gone', '/moved', '/noindex', '/away', '/broken']),
      '/gone': htmlPage('1'),
      '/moved': htmlPage('2'),
      '/noindex': htmlPage('3'),
      '/away': htmlPage('4'),
      '/broken': htmlPage('5'),
    });
    const { crawl, storedUrls } = openCrawler();
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 6 });
    site.pages.set('/gone', { status: 410 });
    site.pages.set('/moved', { status: 308, headers: { location: '/new' } });
    site.pages.set('/new', htmlPage('2'));
    site.pages.set('/noindex', { body: htmlPage('3'), headers: { 'x-robots-tag': 'noindex' } });
    site.pages.set('/away', { status: 302, headers: { location: 'https://elsewhere.example/' } });
    site.pages.set('/broken', { status: 500 });
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 1, unchanged: 1, removed: 3 });
    expect(storedUrls()).toEqual(['/', '/away', '/broken', '/new'].map(site.url).sort());
  });
});

describe('a crawl that is stopped', () => {
  /** A site whose page `last` stops the crawl before it answers, the first time. */
  async function stoppingSite(last: string) {
    const stop = new AbortController();
    const site = await openSite(tree());
    const answer = site.pages.get(last) ?? '';
    site.pages.set(last, () => {
      stop.abort();
      return typeof answer === 'string' ? answer : null;
    });
    return { site, signal: stop.signal };
  }

  test('ends with its summary, and the next one finishes it without asking twice', async () => {
    const { site, signal } = await stoppingSite('/b/1');
    const { crawl, storedUrls } = openCrawler();
    const first = await crawl([site.url('/')], { signal });
    expect(first).toMatchObject({ stored: 9, stopped: true, queued: 12 });
    expect(storedUrls()).toHaveLength(9);
    const second = await crawl([site.url('/')]);
    expect(second).toMatchObject({ stored: 12, stopped: false, queued: 0 });
    expect(site.pagesAsked()).toEqual([...breadthFirst.slice(0, 10), ...breadthFirst.slice(9)]);
  });

  test('and carried on has the pages that it would have had', async () => {
    const { site, signal } = await stoppingSite('/c');
    const { crawl, storedUrls } = openCrawler();
    expect(await crawl([site.url('/')], { signal, maxPages: 8 })).toMatchObject({ stored: 3 });
    expect(await crawl([site.url('/')], { maxPages: 8 })).toMatchObject({ stored: 5 });
    expect(storedUrls()).toEqual(breadthFirst.slice(0, 8).map(site.url).sort());
  });

  test('at several hosts goes on where it was, and does not restart those that were done', async () => {
    const done = await openSite(tree());
    const { site, signal } = await stoppingSite('/d/4');
    const { crawl, storedUrls, store } = openCrawler();
    const crawls = store.table<{ running: boolean }>('crawls');
    site.pages.set('/b', async () => {
      await expect.poll(() => crawls.get(done.host)?.running).toBe(false);
      return htmlPage('b', ['/b/1', '/b/2', '/b/3', '/b/4']);
    });
    const seeds = [done.url('/'), site.url('/')];
    expect(await crawl(seeds, { signal })).toMatchObject({ stopped: true });
    const asked = done.hits.length;
    expect(await crawl(seeds)).toMatchObject({ before: 41, stored: 1, unchanged: 0, queued: 0 });
    expect(done.hits).toHaveLength(asked);
    expect(storedUrls()).toHaveLength(42);
    await crawl(seeds);
    expect(done.timesAsked('/')).toBe(2);
  });

  test('at its limit says so, and its next runs go on with what is left until nothing is', async () => {
    const site = await openSite(tree());
    const { crawl, clock } = openCrawler();
    const run = () => crawl([site.url('/')], { maxPages: 12 });
    expect(await run()).toMatchObject({ stored: 12, queued: 9, atMaxPages: true });
    expect(await run()).toMatchObject({ stored: 9, queued: 0, atMaxPages: false });
    expect(site.pagesAsked()).toEqual(breadthFirst);
    // The third run starts over, but what was just read is not what its limit is spent on.
    site.pages.set('/d', htmlPage('New', ['/d/new']));
    site.pages.set('/d/new', htmlPage('New'));
    expect(await run()).toMatchObject({ stored: 0, unchanged: 21, queued: 0, atMaxPages: false });
    expect(site.pagesAsked()).toEqual([...breadthFirst, '/']);
    clock.ms += 7 * 3_600_000;
    expect(await run()).toMatchObject({ stored: 1, unchanged: 11, atMaxPages: true });
    expect(await run()).toMatchObject({ stored: 1, unchanged: 5, queued: 0, atMaxPages: false });
  });

  test('of a site that fits into its limit asks for every page again', async () => {
    const site = await openSite(tree());
    const { crawl } = openCrawler();
    await crawl([site.url('/')], { maxPages: 12 });
    await crawl([site.url('/')], { maxPages: 12 });
    expect(await crawl([site.url('/')], { maxPages: 50 })).toMatchObject({ unchanged: 21 });
    expect(site.pagesAsked()).toEqual([...breadthFirst, ...breadthFirst]);
  });

  test('in a round that passes over pages, and was cut short, is carried on in the same way', async () => {
    const site = await openSite(tree());
    const { crawl } = openCrawler();
    await crawl([site.url('/')], { maxPages: 12 });
    await crawl([site.url('/')], { maxPages: 12 });
    await crawl([site.url('/')], { maxPages: 12, signal: AbortSignal.abort() });
    expect(await crawl([site.url('/')], { maxPages: 50 })).toMatchObject({ unchanged: 21, queued: 0 });
    expect(site.timesAsked('/a')).toBe(1);
  });

  test('at its limit of pages is followed by one with the next pages', async () => {
    const site = await openSite(tree());
    const { crawl } = openCrawler();
    expect(await crawl([site.url('/')], { maxPages: 8 })).toMatchObject({ stored: 8 });
    expect(await crawl([site.url('/')], { maxPages: 8 })).toMatchObject({ stored: 8 });
    expect(site.pagesAsked()).toEqual(breadthFirst.slice(0, 16));
  });

  test('does not wait for a page that never comes', async () => {
    const stop = new AbortController();
    const site = await openSite({
      '/': () => {
        stop.abort();
        return new Promise<null>(() => {});
      },
    });
    expect(await openCrawler().crawl([site.url('/')], { signal: stop.signal })).toMatchObject({
      stopped: true,
      queued: 1,
    });
  });

  test('before it began asks for nothing', async () => {
    const site = await openSite(tree());
    expect(await openCrawler().crawl([site.url('/')], { signal: AbortSignal.abort() })).toMatchObject({
      stopped: true,
      stored: 0,
    });
    expect(site.hits).toEqual([]);
  });
});

describe('progress', () => {
  test('estimates the time for the queue by the pace of the slowest host', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `/${n}`);
    const page = async ({ path }: { path: string }) => {
      // Time for the page before to be committed, since progress is told after that.
      await new Promise((later) => setTimeout(later, 20));
      return htmlPage(path);
    };
    const slow = await openSite({ '/': htmlPage('Root', names) }, { fallback: page });
    const small = await openSite({ '/': htmlPage('Alone') });
    const { crawl } = openCrawler({ delaySeconds: 2 });
    const told: CrawlProgress[] = [];
    await crawl([slow.url('/'), small.url('/')], { onProgress: (progress) => void told.push(progress) });
    const known = told.filter(({ secondsLeft }) => secondsLeft !== undefined);
    expect(known.length).toBeGreaterThan(0);
    for (const { secondsLeft = 0, queued } of known)
      expect(Math.abs(secondsLeft - 2 * queued)).toBeLessThan(4);
    expect(told.at(-1)).not.toHaveProperty('secondsLeft');
  });

  test('never reports a page before it is stored and its entry has left the frontier', async () => {
    const site = await openSite(tree());
    const { crawl, pageWriter, store } = openCrawler();
    const kept = new Set<string>();
    const early: string[] = [];
    const put: typeof pageWriter.put = async (page) => {
      await new Promise((later) => setTimeout(later, 1));
      const isStoredHere = await pageWriter.put(page);
      kept.add(page.url);
      return isStoredHere;
    };
    const counts: number[] = [];
    const onProgress = ({ url, stored }: CrawlProgress) => {
      counts.push(stored);
      if (!kept.has(url) || store.head(pageId(url)) === undefined) early.push(url);
      if ([...store.table<string>('frontier').entries()].some(([, queued]) => queued === url))
        early.push(url);
    };
    await crawl([site.url('/')], { pageWriter: { ...pageWriter, put }, onProgress });
    expect(early).toEqual([]);
    expect(counts).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
  });

  test('ends with the error when a page cannot be kept, and the page stays queued', async () => {
    const site = await openSite(tree());
    const { crawl, pageWriter } = openCrawler();
    const put: typeof pageWriter.put = async (page) => {
      if (page.url.endsWith('/c')) throw new Error('the disk is full');
      return pageWriter.put(page);
    };
    await expect(crawl([site.url('/')], { pageWriter: { ...pageWriter, put } })).rejects.toThrow(
      'the disk is full',
    );
    const summary = await crawl([site.url('/')]);
    expect(summary.failed).toEqual({});
    expect(site.timesAsked('/c')).toBe(2);
  });
});

test('the next pages are asked for while earlier ones are still being committed, but not too many', async () => {
  const names = Array.from({ length: 100 }, (_, i) => `/${i}`);
  const site = await openSite({ '/robots.txt': '' }, { fallback: ({ path }) => htmlPage(path, names) });
  const { crawl, pageWriter } = openCrawler();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const put: typeof pageWriter.put = async (page) => {
    await held;
    return pageWriter.put(page);
  };
  const crawled = crawl([site.url('/')], { pageWriter: { ...pageWriter, put } });
  await expect.poll(() => site.pagesAsked().length).toBe(32);
  for (let i = 0; i < 20; i++) await nextTurn();
  expect(site.pagesAsked()).toHaveLength(32);
  release();
  expect(await crawled).toMatchObject({ stored: 101 });
});
