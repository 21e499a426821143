import { describe, expect, test } from 'vitest';
import { pageId } from '../../src/store/page/page-id.ts';
import { htmlPage, openSite } from '../site.ts';
import { openCrawler } from './rig.ts';

describe('a page', () => {
  test('is read under its canonical URL, with its links', async () => {
    const links = [
      '/b?utm_source=x#top',
      'c',
      '/b',
      'https://elsewhere.example/',
      '/film.mp4',
      'mailto:a@b.example',
    ];
    const site = await openSite({ '/a': htmlPage('Owls', links) });
    const { visitor, clock } = openCrawler();
    const { visit, url } = await visitor.visit(`${site.origin}/a?utm_medium=y#part`);
    expect(url).toBe(site.url('/a'));
    expect(visit).toMatchObject({
      kind: 'page',
      links: [site.url('/b'), site.url('/c'), 'https://elsewhere.example/'],
      page: { id: pageId(site.url('/a')), url: site.url('/a'), title: 'Owls', lang: 'en', fileType: 'html' },
    });
    expect(visit.kind === 'page' && visit.page.crawledAt).toBe(clock.ms);
    expect(visit.kind === 'page' && visit.page.body).toContain('about Owls');
  });

  test('that robots.txt refuses is not asked for', async () => {
    const site = await openSite({
      '/robots.txt': 'User-agent: Gleaner\nDisallow: /private',
      '/private': htmlPage('Secret'),
    });
    const { visit } = await openCrawler().visitor.visit(site.url('/private'));
    expect(visit).toMatchObject({ kind: 'never', why: 'refused by robots.txt', links: [] });
    expect(site.pagesAsked()).toEqual([]);
  });

  test("is asked for at the pace that the site's robots.txt wants", async () => {
    const site = await openSite({ '/robots.txt': 'User-agent: *\nCrawl-delay: 12', '/': htmlPage('Slow') });
    const { visitor, clock } = openCrawler();
    await visitor.visit(site.url('/'));
    expect(clock.slept).toEqual([12_000]);
  });

  test.each(['mailto:a@b.example', 'ftp://a.example/', 'nonsense', 'https://user:secret@a.example/'])(
    '%s is none',
    async (url) => {
      const { visit } = await openCrawler().visitor.visit(url);
      expect(visit).toMatchObject({ kind: 'never', why: 'not the address of a page' });
    },
  );

  test.each([
    [404, { kind: 'gone' }],
    [410, { kind: 'gone' }],
    [403, { kind: 'never', why: 'status 403', links: [] }],
    [500, { kind: 'later', why: 'status 500', wholeHost: false }],
    [503, { kind: 'later', why: 'status 503', wholeHost: true }],
  ])('that answers %d is told by what happens next', async (status, expected) => {
    const site = await openSite({ '/a': { status } });
    expect((await openCrawler().visitor.visit(site.url('/a'))).visit).toMatchObject(expected);
  });

  test('that cannot be read says why', async () => {
    const site = await openSite({
      '/a': { body: 'PK\u0003\u0004', headers: { 'content-type': 'application/zip' } },
    });
    expect((await openCrawler().visitor.visit(site.url('/a'))).visit).toMatchObject({
      kind: 'never',
      why: 'unsupported type',
    });
  });
});

describe('a second visit', () => {
  test('sends the validators, and "not modified" means unchanged', async () => {
    const site = await openSite({
      '/a': ({ headers }) =>
        headers['if-none-match'] === '"v1"'
          ? { status: 304 }
          : {
              body: htmlPage('Owls'),
              headers: { etag: '"v1"', 'last-modified': 'Sun, 01 Mar 2026 10:00:00 GMT' },
            },
    });
    const { visitAndKeep, clock, store } = openCrawler();
    await visitAndKeep(site.url('/a'));
    clock.ms += 60_000;
    const { visit } = await visitAndKeep(site.url('/a'));
    expect(visit).toMatchObject({ kind: 'unchanged', id: pageId(site.url('/a')), links: null });
    expect(site.hits.at(-1)?.headers['if-modified-since']).toBe('Sun, 01 Mar 2026 10:00:00 GMT');
    expect(store.head(pageId(site.url('/a')))?.crawledAt).toBe(clock.ms);
    clock.ms += 60_000;
    expect((await visitAndKeep(site.url('/a'))).visit.kind).toBe('unchanged');
  });

  test('finds a page unchanged by what it says, whatever else is in its bytes', async () => {
    let token = 0;
    const site = await openSite({
      '/a': () => htmlPage('Owls', ['/b'], `<meta name="csrf" content="${token++}">`),
    });
    const { visitAndKeep } = openCrawler();
    expect((await visitAndKeep(site.url('/a'))).visit.kind).toBe('page');
    expect((await visitAndKeep(site.url('/a'))).visit).toMatchObject({
      kind: 'unchanged',
      links: [site.url('/b')],
    });
    site.pages.set('/a', htmlPage('Owls and mice'));
    expect((await visitAndKeep(site.url('/a'))).visit.kind).toBe('page');
  });

  test('asks without validators when the page is not in the store any more', async () => {
    const site = await openSite({ '/a': { body: htmlPage('Owls'), headers: { etag: '"v1"' } } });
    const { visitAndKeep, pageWriter, visitor } = openCrawler();
    await visitAndKeep(site.url('/a'));
    await pageWriter.remove(pageId(site.url('/a')));
    expect((await visitor.visit(site.url('/a'))).visit.kind).toBe('page');
    expect(site.hits.at(-1)?.headers['if-none-match']).toBeUndefined();
  });

  test('asks without validators when the caller needs the links', async () => {
    const site = await openSite({ '/a': { body: htmlPage('Owls', ['/b']), headers: { etag: '"v1"' } } });
    const { visitAndKeep, visitor } = openCrawler();
    await visitAndKeep(site.url('/a'));
    const { visit } = await visitor.visit(site.url('/a'), { conditional: () => false });
    expect(visit).toMatchObject({ kind: 'unchanged', links: [site.url('/b')] });
    expect(site.hits.at(-1)?.headers['if-none-match']).toBeUndefined();
  });
});

describe('redirects', () => {
  test('lead to the page, and permanent ones leave their place for good', async () => {
    const site = await openSite({
      '/old': { status: 301, headers: { location: '/tmp' } },
      '/tmp': { status: 302, headers: { location: '/new' } },
      '/new': htmlPage('Here'),
    });
    const followed = await openCrawler().visitor.visit(site.url('/old'));
    expect(followed).toMatchObject({
      url: site.url('/new'),
      visit: { kind: 'page' },
      formerUrls: [site.url('/old')],
    });
  });

  test('are followed five times and no more', async () => {
    const site = await openSite({
      '/': ({ path }) => {
        const n = Number(new URL(path, 'http://x').searchParams.get('n'));
        return n === 0 ? htmlPage('End') : { status: 302, headers: { location: `/?n=${n - 1}` } };
      },
    });
    const { visitor } = openCrawler();
    expect((await visitor.visit(site.url('/?n=5'))).visit.kind).toBe('page');
    expect((await visitor.visit(site.url('/?n=6'))).visit).toMatchObject({
      kind: 'never',
      why: 'too many redirects',
    });
    expect(site.pagesAsked()).toHaveLength(12);
  });

  test('ask robots.txt at every hop', async () => {
    const site = await openSite({
      '/robots.txt': 'User-agent: *\nDisallow: /private',
      '/a': { status: 302, headers: { location: '/private' } },
      '/private': htmlPage('Secret'),
    });
    const { visit } = await openCrawler().visitor.visit(site.url('/a'));
    expect(visit).toMatchObject({ kind: 'never', why: 'refused by robots.txt' });
    expect(site.pagesAsked()).toEqual(['/a']);
  });

  test('pass the address guard at every hop', async () => {
    const site = await openSite({
      '/a': { status: 302, headers: { location: 'http://169.254.169.254/latest/' } },
    });
    const { visit } = await openCrawler().visitor.visit(site.url('/a'));
    expect(visit).toMatchObject({ kind: 'never', why: 'the host is not on the public internet' });
  });

  test('out of scope, or to a page with its own visit, are handed back', async () => {
    const site = await openSite({ '/a': { status: 301, headers: { location: '/b' } } });
    const { visitor } = openCrawler();
    const moved = { kind: 'moved', to: site.url('/b'), permanent: true };
    expect((await visitor.visit(site.url('/a'), { within: () => false })).visit).toMatchObject(moved);
    expect((await visitor.visit(site.url('/a'), { claim: () => false })).visit).toMatchObject(moved);
    expect(site.timesAsked('/b')).toBe(0);
  });

  test('to the same page are refused', async () => {
    const site = await openSite({ '/a': { status: 302, headers: { location: '/a?utm_source=x' } } });
    expect((await openCrawler().visitor.visit(site.url('/a'))).visit).toMatchObject({
      kind: 'never',
      why: 'redirect to itself',
    });
  });
});

describe('rel=canonical', () => {
  const canonical = (href: string) => `<link rel="canonical" href="${href}">`;

  test('elsewhere on the host is where the page is', async () => {
    const site = await openSite({
      '/print': htmlPage('Owls', [], canonical('/owls')),
      '/owls': htmlPage('Owls', [], canonical('/owls')),
    });
    const followed = await openCrawler().visitor.visit(site.url('/print'));
    expect(followed).toMatchObject({
      url: site.url('/owls'),
      visit: { kind: 'page' },
      formerUrls: [site.url('/print')],
    });
  });

  test('on another host, or out of scope, is ignored', async () => {
    const site = await openSite({
      '/a': htmlPage('A', [], canonical('https://elsewhere.example/a')),
      '/b': htmlPage('B', [], canonical('/c')),
    });
    const { visitor } = openCrawler();
    expect((await visitor.visit(site.url('/a'))).visit.kind).toBe('page');
    expect((await visitor.visit(site.url('/b'), { within: () => false })).visit.kind).toBe('page');
  });

  test('of two pages that point at each other loses neither', async () => {
    const site = await openSite({
      '/a': htmlPage('A', [], canonical('/b')),
      '/b': htmlPage('B', [], canonical('/a')),
    });
    expect(await openCrawler().visitor.visit(site.url('/a'))).toMatchObject({
      url: site.url('/b'),
      visit: { kind: 'page' },
    });
  });
});

describe('a page that sends its readers on', () => {
  const redirection = (to: string) =>
    `<title>Redirection</title><meta http-equiv="refresh" content="0;URL=${to}"><p>Redirecting to ${to}...</p>`;

  test('is where it sends them', async () => {
    const site = await openSite({
      '/os/fd/struct.Owned.html': redirection('../../struct.Owned.html'),
      '/struct.Owned.html': htmlPage('Owned'),
    });
    expect(await openCrawler().visitor.visit(site.url('/os/fd/struct.Owned.html'))).toMatchObject({
      url: site.url('/struct.Owned.html'),
      visit: { kind: 'page', page: { title: 'Owned' } },
      formerUrls: [site.url('/os/fd/struct.Owned.html')],
    });
  });

  test('in a circle is none', async () => {
    const site = await openSite({ '/a': redirection('/b'), '/b': redirection('/a') });
    const { visit } = await openCrawler().visitor.visit(site.url('/a'));
    expect(visit).toMatchObject({ kind: 'never', why: 'redirect loop' });
  });
});

describe('a page that does not want to be kept', () => {
  test.each([
    ['meta robots', { body: htmlPage('A', ['/b'], '<meta name="robots" content="noindex">') }],
    [
      'X-Robots-Tag',
      { body: htmlPage('A', ['/b']), headers: { 'x-robots-tag': ['otherbot: nofollow', 'noindex'] } },
    ],
  ])('by %s is not, but its links are followed', async (how, page) => {
    const site = await openSite({ '/a': page });
    const { visit } = await openCrawler().visitor.visit(site.url('/a'));
    expect(visit).toMatchObject({ kind: 'never', why: `noindex (${how})`, links: [site.url('/b')] });
  });

  test.each([
    ['meta robots', { body: htmlPage('A', ['/b'], '<meta name="robots" content="nofollow">') }],
    ['X-Robots-Tag', { body: htmlPage('A', ['/b']), headers: { 'x-robots-tag': 'nofollow' } }],
  ])('or whose links by %s are not to be followed, is kept without them', async (_, page) => {
    const site = await openSite({ '/a': page });
    expect((await openCrawler().visitor.visit(site.url('/a'))).visit).toMatchObject({
      kind: 'page',
      links: [],
    });
  });
});

test('an aborted signal rejects with its reason', async () => {
  const stop = new AbortController();
  const site = await openSite({
    '/a': () => {
      stop.abort(new Error('stopped'));
      return new Promise<null>(() => {});
    },
  });
  await expect(openCrawler().visitor.visit(site.url('/a'), { signal: stop.signal })).rejects.toThrow(
    'stopped',
  );
});
