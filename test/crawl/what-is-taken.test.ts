import { describe, expect, test } from 'vitest';
import { pageId } from '../../src/store/page/page-id.ts';
import { htmlPage, openSite, type PageOfSite } from '../site.ts';
import { openCrawler } from './rig.ts';

const etagged =
  (body: string, etag = '"1"'): PageOfSite =>
  ({ headers }) =>
    headers['if-none-match'] === etag ? { status: 304 } : { body, headers: { etag } };
const xml = (body: string) => ({ body, headers: { 'content-type': 'application/xml' } });
const dayMs = 24 * 60 * 60 * 1000;

describe('the scope of a crawl', () => {
  const pages = {
    '/': htmlPage('Root', ['/docs/', '/docs/a', '/docs/a.pdf', '/blog/1', '/docs/old/x']),
    '/docs/': htmlPage('Docs', ['/docs/b', '/blog/2']),
    '/docs/a': htmlPage('A'),
    '/docs/b': htmlPage('B'),
    '/docs/old/x': htmlPage('Old'),
    '/blog/1': htmlPage('One'),
    '/blog/2': htmlPage('Two'),
  };

  test('is narrowed by globs; what they refuse is not asked for, and the seeds always are', async () => {
    const site = await openSite(pages);
    const options = { include: ['/docs/*'], exclude: ['*.pdf', '/docs/old/*'] };
    await openCrawler().crawl([site.url('/')], options);
    expect(site.pagesAsked()).toEqual(['/', '/docs/', '/docs/a', '/docs/b']);
  });

  test('is narrowed to the folders of the seeds', async () => {
    const site = await openSite(pages);
    await openCrawler().crawl([site.url('/docs/')], { samePath: true });
    expect(site.pagesAsked()).toEqual(['/docs/', '/docs/b']);
  });

  test('moves with a seed that has moved, also when the crawl is cut short after that', async () => {
    const site = await openSite({
      '/start': { status: 301, headers: { location: '/en/latest/' } },
      '/en/latest/': htmlPage('Latest', ['/en/latest/a', '/en/old/']),
      '/en/latest/a': htmlPage('A', ['/en/latest/b', '/']),
      '/en/latest/b': htmlPage('B'),
    });
    const crawler = openCrawler();
    await crawler.crawl([site.url('/start')], { samePath: true, maxPages: 1 });
    await crawler.crawl([site.url('/start')], { samePath: true });
    expect(site.pagesAsked()).toEqual(['/start', '/en/latest/', '/en/latest/a', '/en/latest/b']);
  });

  test('holds for where pages move to, too', async () => {
    const site = await openSite({
      '/': htmlPage('Root', ['/docs/moved', '/docs/copy']),
      '/docs/moved': { status: 301, headers: { location: '/blog/1' } },
      '/docs/copy': htmlPage('Copy', [], '<link rel="canonical" href="/blog/2">'),
      '/blog/1': htmlPage('One'),
      '/blog/2': htmlPage('Two'),
    });
    const { crawl, storedUrls } = openCrawler();
    await crawl([site.url('/')], { include: ['/docs/*'] });
    expect(site.pagesAsked()).toEqual(['/', '/docs/moved', '/docs/copy']);
    expect(storedUrls()).toEqual(['/', '/docs/copy'].map(site.url));
  });

  test('holds for what an earlier run has queued, and a later run without it has the rest', async () => {
    const site = await openSite(pages);
    const { crawl, storedUrls } = openCrawler();
    await crawl([site.url('/')], { maxPages: 1 });
    expect(await crawl([site.url('/')], { exclude: ['/blog/*', '*.pdf'] })).toMatchObject({ queued: 0 });
    expect(storedUrls().filter((url) => url.includes('/blog/'))).toEqual([]);
    await crawl([site.url('/')]);
    expect(storedUrls()).toEqual(Object.keys(pages).map(site.url).sort());
  });

  test('holds for sitemaps, and for the links of pages that have not changed', async () => {
    const site = await openSite({
      '/': etagged(htmlPage('Root', ['/a', '/b'])),
      '/a': htmlPage('A'),
      '/b': htmlPage('B'),
      '/sitemap.xml': xml('<urlset><url><loc>/c</loc></url><url><loc>/d</loc></url></urlset>'),
      '/c': htmlPage('C'),
      '/d': htmlPage('D'),
    });
    const { crawl, sitemapUrls, storedUrls } = openCrawler();
    await crawl([site.url('/')], { sitemapUrls, exclude: ['/b', '/d'] });
    expect(storedUrls()).toEqual(['/', '/a', '/c'].map(site.url));
    await crawl([site.url('/')], { sitemapUrls });
    expect(storedUrls()).toEqual(['/', '/a', '/b', '/c', '/d'].map(site.url));
  });
});

describe('lists of pages', () => {
  test('feeds that a seed names are read, and their entries are followed', async () => {
    const site = await openSite({
      '/': htmlPage(
        'Blog',
        ['/about'],
        '<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" type="application/atom+xml" href="/atom">',
      ),
      '/about': htmlPage('About', [], '<link rel="alternate" type="application/rss+xml" href="/comments">'),
      '/feed': xml('<rss><channel><item><link>/post/1</link></item></channel></rss>'),
      '/atom': xml('<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="/post/2"/></entry></feed>'),
      '/post/1': htmlPage('One'),
      '/post/2': htmlPage('Two'),
    });
    const { crawl, storedUrls } = openCrawler();
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 4, failed: {} });
    expect(storedUrls()).toEqual(['/', '/about', '/post/1', '/post/2'].map(site.url));
    expect(site.timesAsked('/comments')).toBe(0);
  });

  test('a feed, a sitemap or an index of sitemaps may be the seed', async () => {
    const site = await openSite({
      '/feed.xml': xml('<rss><channel><item><link>/post/1</link></item></channel></rss>'),
      '/index.xml': xml('<sitemapindex><sitemap><loc>/map.xml</loc></sitemap></sitemapindex>'),
      '/map.xml': xml(
        '<urlset><url><loc>/a</loc></url><url><loc>https://elsewhere.example/</loc></url></urlset>',
      ),
      '/post/1': htmlPage('One'),
      '/a': htmlPage('A'),
    });
    const { crawl, storedUrls } = openCrawler();
    const summary = await crawl([site.url('/feed.xml'), site.url('/index.xml')]);
    expect(summary).toMatchObject({ stored: 2, failed: {} });
    expect(storedUrls()).toEqual([site.url('/a'), site.url('/post/1')]);
  });

  test('what llms.txt links to is followed, in later runs too, though it is not asked for again', async () => {
    const site = await openSite({
      '/': etagged(htmlPage('Root')),
      '/llms.txt': {
        body: '# Owls\n\n- [Guide](/guide.md): all of it\n- [Other](https://elsewhere.example/)\nSee <http://HOST/faq>.',
        headers: { 'content-type': 'text/plain' },
      },
      '/guide.md': { body: '# Guide\n\nOf owls.', headers: { 'content-type': 'text/markdown' } },
      '/faq': htmlPage('Questions'),
    });
    site.pages.set('/llms.txt', {
      body: `# Owls\n\n- [Guide](/guide.md): all of it\n- [Other](https://elsewhere.example/)\nSee <${site.url('/faq')}>.`,
      headers: { 'content-type': 'text/plain' },
    });
    const { crawl, checkLlmsTxt, storedUrls } = openCrawler();
    await crawl([site.url('/')], { checkLlmsTxt });
    expect(storedUrls()).toEqual(['/', '/faq', '/guide.md'].map(site.url));
    await crawl([site.url('/')], { checkLlmsTxt });
    expect(site.timesAsked('/faq')).toBe(2);
    expect(site.timesAsked('/llms.txt')).toBe(1);
  });
});

describe('the dates of a sitemap', () => {
  const sitemap = (date: string) =>
    xml(
      `<urlset><url><loc>/a</loc><lastmod>${date}</lastmod></url><url><loc>/b</loc></url><url><loc>/</loc><lastmod>${date}</lastmod></url></urlset>`,
    );
  const openDated = async (date: string) => {
    const site = await openSite({
      '/': htmlPage('Root'),
      '/a': htmlPage('A', ['/c']),
      '/b': htmlPage('B'),
      '/c': htmlPage('C'),
      '/sitemap.xml': sitemap(date),
    });
    return { site, ...openCrawler() };
  };

  test('spare pages that were read since, but not their links', async () => {
    const { site, crawl, sitemapUrls, clock, store } = await openDated('2026-01-10');
    await crawl([site.url('/')], { sitemapUrls });
    const crawledAt = store.head(pageId(site.url('/a')))?.crawledAt;
    clock.ms += dayMs;
    expect(await crawl([site.url('/')], { sitemapUrls })).toMatchObject({ unchanged: 4, stored: 0 });
    expect(['/', '/a', '/b', '/c'].map(site.timesAsked)).toEqual([2, 1, 2, 2]);
    expect(store.head(pageId(site.url('/a')))?.crawledAt).toBe(crawledAt);
  });

  test('are not believed for ever, and a new one has the page asked for', async () => {
    const { site, crawl, sitemapUrls, clock } = await openDated('2026-01-10');
    await crawl([site.url('/')], { sitemapUrls });
    clock.ms += 10 * dayMs;
    site.pages.set('/sitemap.xml', sitemap('2026-03-09T00:00:00Z'));
    await crawl([site.url('/')], { sitemapUrls });
    expect(site.timesAsked('/a')).toBe(2);
    site.pages.set('/sitemap.xml', sitemap('2026-01-10'));
    await crawl([site.url('/')], { sitemapUrls });
    expect(site.timesAsked('/a')).toBe(2);
    clock.ms += 31 * dayMs;
    await crawl([site.url('/')], { sitemapUrls });
    expect(site.timesAsked('/a')).toBe(3);
  });
});

describe('a page with several spellings of its path', () => {
  test('is kept under the one that the site links to first', async () => {
    const site = await openSite({
      '/': htmlPage('Root', ['/a/', '/b/index.html', '/list']),
      '/a/': htmlPage('A', ['/a', '/a/index.html']),
      '/a': htmlPage('A', ['/a', '/a/index.html']),
      '/a/index.html': htmlPage('A', ['/a', '/a/index.html']),
      '/b/index.html': htmlPage('B', ['/b/', '/']),
      '/b/': htmlPage('B', ['/b/', '/']),
      '/list': htmlPage('List', ['/list/']),
      '/list/': htmlPage('Another list'),
    });
    const { crawl, storedUrls } = openCrawler();
    const expected = ['/', '/a/', '/b/index.html', '/list', '/list/'].map(site.url);
    expect(await crawl([site.url('/')])).toMatchObject({
      stored: 5,
      moved: { 'another address of another page': 3 },
    });
    expect(storedUrls()).toEqual(expected);
    await crawl([site.url('/')]);
    expect(storedUrls()).toEqual(expected);
  });

  test('that is the seed gives way to what the site links to', async () => {
    const root = htmlPage('Root', ['/index.html', '/a']);
    const site = await openSite({ '/': root, '/index.html': root, '/a': htmlPage('A', ['/index.html']) });
    const { crawl, storedUrls } = openCrawler();
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 2, removed: 0 });
    expect(storedUrls()).toEqual([site.url('/a'), site.url('/index.html')]);
    expect(await crawl([site.url('/')])).toMatchObject({ stored: 0, unchanged: 2 });
    expect(storedUrls()).toEqual([site.url('/a'), site.url('/index.html')]);
  });

  test('that is the seed stays where the site links to it, whenever the crawl is cut', async () => {
    const root = htmlPage('Root', ['/', '/index.html']);
    const site = await openSite({ '/': root, '/index.html': root });
    const { crawl, storedUrls } = openCrawler();
    await crawl([site.url('/')], { maxPages: 1 });
    await crawl([site.url('/')]);
    expect(storedUrls()).toEqual([site.url('/')]);
  });
});

describe('a trap ends', () => {
  /** A page whose text does not tell where its links lead. */
  const page = (title: string, links: readonly string[]) => {
    const list = links.map((link, n) => `<li><a href="${link}">Link ${n}</a></li>`).join('');
    return `<html><head><title>${title}</title></head><body><h1>${title}</h1><p>Of herons.</p><ul>${list}</ul></body></html>`;
  };

  const trap = async (fallback: PageOfSite, seeds = ['/']) => {
    const site = await openSite({ '/robots.txt': '' }, { fallback });
    const crawler = openCrawler();
    const summary = await crawler.crawl(seeds.map(site.url), { maxPages: 5000 });
    expect(summary.queued).toBe(0);
    return { site, summary, ...crawler };
  };

  test('where a calendar has a next month for ever', async () => {
    const { summary } = await trap(({ path }) => {
      const [, year = 2026, month = 3] = /(\d{4})-(\d\d)/.exec(path)?.map(Number) ?? [];
      const next = month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
      return htmlPage(`Month ${month} of ${year}`, [`/calendar?month=${next}`]);
    });
    expect(summary.stored).toBeLessThan(30);
    expect(summary.failed).toEqual({ 'trap: a date far in the future': 1 });
  });

  test('where a calendar only counts', async () => {
    const { summary } = await trap(({ path }) => {
      const day = Number(/\d+$/.exec(path)?.[0] ?? 0);
      return htmlPage(`Day ${day}`, [`/day/${day + 1}`]);
    });
    expect(summary.stored).toBeLessThan(250);
    expect(summary.failed).toEqual({ 'trap: a chain of pages of one kind': 1 });
  });

  test('where every link has a new session in it', async () => {
    let sessions = 0;
    const names = ['a', 'b', 'c', 'd'];
    const { summary } = await trap(({ path }) => {
      const name = /^\/(\w*)/.exec(path)?.[1] ?? '';
      return page(
        `Page ${name}`,
        names.map((each) => `/${each}?visit=${sessions++}`),
      );
    });
    expect(summary.stored).toBeLessThan(100);
  });

  test('where the session has a name that is known, at once', async () => {
    let sessions = 0;
    const { summary } = await trap(({ path }) => {
      const name = /^\/(\w*)/.exec(path)?.[1] ?? '';
      const session = `0123456789abcdef${sessions++}`;
      return page(`Page ${name}`, [`/a?sid=${session}`, `/b;jsessionid=${session}`]);
    });
    expect(summary.stored).toBe(3);
  });

  test('where relative links go ever deeper', async () => {
    const deeper = await trap(({ path }) => page(`Page ${path}`, ['more/']));
    expect(deeper.summary).toMatchObject({ stored: 3, failed: { 'trap: folders that repeat': 1 } });
    const forked = await trap(() => page('Any', ['more/', 'other/']));
    expect(forked.summary.stored).toBeLessThan(20);
  });

  test('where any path gives the same page', async () => {
    const { summary } = await trap(({ path }) => page('Same', [`${path}${path.length}/`]));
    expect(summary.stored).toBeLessThan(10);
  });
});
