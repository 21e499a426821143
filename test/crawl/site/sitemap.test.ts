import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ListedUrl } from '../../../src/crawl/site/feed.ts';
import { maxUrls, parseSitemap, type SitemapGap } from '../../../src/crawl/site/sitemap.ts';
import { dataSets } from '../../data-sets.ts';
import { openSite } from '../../site.ts';
import { openCrawler } from '../rig.ts';

const urlset = (...urls: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
const index = (...urls: string[]) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;
const parse = (text: string) => parseSitemap(Buffer.from(text));
const addresses = (listed: readonly ListedUrl[]) => listed.map(({ url }) => url);

describe('a sitemap', () => {
  test('names pages; the address of a picture is none', async () => {
    const text = `<urlset><url><loc>
      https://a.example/?x=1&amp;y=2 </loc><image:image><image:loc>https://a.example/i.jpg</image:loc></image:image></url></urlset>`;
    expect(await parse(text)).toEqual({ pages: [{ url: 'https://a.example/?x=1&y=2' }], sitemaps: [] });
  });

  test('that is an index names sitemaps', async () => {
    expect(await parse(index('https://a.example/1.xml'))).toEqual({
      pages: [],
      sitemaps: ['https://a.example/1.xml'],
    });
  });

  test('may be a list of lines', async () => {
    expect(
      addresses((await parse('\uFEFFhttps://a.example/1\r\nnot a page\nhttps://a.example/2\n')).pages),
    ).toEqual(['https://a.example/1', 'https://a.example/2']);
  });

  test('may be a feed', async () => {
    const rss = '<rss><channel><link>/</link><item><link>https://a.example/1</link></item></channel></rss>';
    expect(addresses((await parse(rss)).pages)).toEqual(['https://a.example/1']);
  });

  test('may be gzipped, whatever its name', async () => {
    expect(addresses((await parseSitemap(gzipSync(urlset('https://a.example/1')))).pages)).toEqual([
      'https://a.example/1',
    ]);
  });

  test('that is broken gives what can be read', async () => {
    expect(
      (await parse('<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://a.exa')).pages[0]?.url,
    ).toBe('https://a.example/1');
    expect(await parseSitemap(gzipSync('x').subarray(0, 5))).toEqual({ pages: [], sitemaps: [] });
  });

  test('expands no entities of its own', async () => {
    const text = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${urlset('https://a.example/&b;')}`;
    expect(addresses((await parse(text)).pages)).toEqual(['https://a.example/&b;']);
  });

  test('that unpacks without end is read up to 50 MB, packed or not, and says so', async () => {
    const more = Buffer.alloc(60 * 1024 * 1024, 0x20);
    const text = Buffer.concat([Buffer.from('<urlset><url><loc>https://a.example/1</loc></url>'), more]);
    const cut = {
      pages: [{ url: 'https://a.example/1' }],
      sitemaps: [],
      cut: 'only its first 50 MB were read',
    };
    expect(await parseSitemap(gzipSync(text))).toEqual(cut);
    expect(await parseSitemap(text)).toEqual(cut);
  });

  test('is read up to the limit of the protocol', async () => {
    const urls = Array.from({ length: maxUrls + 10 }, (_, i) => `https://a.example/${i}`);
    for (const { pages, cut } of [await parse(urlset(...urls)), await parse(urls.join('\n'))]) {
      expect(pages).toHaveLength(maxUrls);
      expect(cut).toBe('only the first 50,000 URLs were taken');
    }
  });
});

describe('when pages were changed', () => {
  test('comes from a sitemap, as a day or a time, and is absent where it cannot be parsed', async () => {
    const text = `<urlset><url><lastmod>2026-01-02</lastmod><loc>https://a.example/1</loc></url>
      <url><loc>https://a.example/2</loc><lastmod>2026-01-02T03:04:05+02:00</lastmod></url>
      <url><loc>https://a.example/3</loc><lastmod>yesterday</lastmod></url></urlset>`;
    expect((await parse(text)).pages).toEqual([
      { url: 'https://a.example/1', lastModified: Date.UTC(2026, 0, 2) },
      { url: 'https://a.example/2', lastModified: Date.UTC(2026, 0, 2, 1, 4, 5) },
      { url: 'https://a.example/3' },
    ]);
  });
});

describe('the sitemaps of a site', () => {
  test('are those that robots.txt names, read through their indexes, each once', async () => {
    const site = await openSite({});
    site.pages.set('/robots.txt', `Sitemap: ${site.url('/index.xml')}\nUser-agent: *\nDisallow: /closed.xml`);
    site.pages.set(
      '/index.xml',
      index('/1.xml', site.url('/2.xml.gz'), '/closed.xml', '/index.xml', '/gone.xml'),
    );
    site.pages.set('/1.xml', urlset('/a?utm_source=x', '/b'));
    site.pages.set('/2.xml.gz', {
      body: gzipSync(urlset('/b', 'https://elsewhere.example/')),
      headers: { 'content-type': 'application/gzip' },
    });
    const gaps: SitemapGap[] = [];
    const urls = await openCrawler().sitemapUrls(site.url('/some/page'), undefined, (gap) => gaps.push(gap));
    expect(gaps).toEqual([
      { url: site.url('/closed.xml'), why: 'refused by robots.txt' },
      { url: site.url('/gone.xml'), why: 'not found' },
    ]);
    expect(addresses(urls)).toEqual([site.url('/a'), site.url('/b'), 'https://elsewhere.example/']);
    expect(site.timesAsked('/index.xml')).toBe(1);
    expect(site.timesAsked('/closed.xml')).toBe(0);
    expect(site.timesAsked('/sitemap.xml')).toBe(0);
  });

  test('are looked for in the usual place when robots.txt names none', async () => {
    const site = await openSite({ '/sitemap.xml': urlset('/a') });
    expect(addresses(await openCrawler().sitemapUrls(site.url('/')))).toEqual([site.url('/a')]);
  });

  test('that are not there need no word when nothing names them', async () => {
    const site = await openSite({});
    const gaps: SitemapGap[] = [];
    expect(await openCrawler().sitemapUrls(site.url('/'), undefined, (gap) => gaps.push(gap))).toEqual([]);
    expect(gaps).toEqual([]);
  });

  test.each(['identity', 'gzip', 'br'])(
    'that hold a million entries (%s) are read as far as may be, and named',
    async (coding) => {
      const entry = '<url><loc>https://a.example/a-rather-long-name-of-a-page/';
      const million = Buffer.from(
        `<urlset>${Array.from({ length: 800_000 }, (_, n) => `${entry}${n}</loc></url>`).join('')}</urlset>`,
      );
      expect(million.length).toBeGreaterThan(50 * 1024 * 1024);
      const pack = {
        identity: (bytes: Buffer) => bytes,
        gzip: gzipSync,
        br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      }[coding];
      const headers = {
        'content-type': 'text/xml',
        ...(coding !== 'identity' && { 'content-encoding': coding }),
      };
      const site = await openSite({});
      site.pages.set('/sitemap.xml', { body: pack?.(million) ?? '', headers });
      const gaps: SitemapGap[] = [];
      const urls = await openCrawler().sitemapUrls(site.url('/'), undefined, (gap) => gaps.push(gap));
      expect(urls).toHaveLength(maxUrls);
      expect(gaps).toEqual([{ url: site.url('/sitemap.xml'), why: 'only the first 50,000 URLs were taken' }]);
    },
  );

  test('that are more than a hundred are named', async () => {
    const names = Array.from({ length: 120 }, (_, n) => `/${n}.xml`);
    const site = await openSite({ '/sitemap.xml': index(...names) });
    for (const name of names) site.pages.set(name, urlset(`/of${name}`));
    const gaps: SitemapGap[] = [];
    const crawler = openCrawler();
    expect(await crawler.sitemapUrls(site.url('/'), undefined, (gap) => gaps.push(gap))).toHaveLength(99);
    expect(gaps).toEqual([{ url: site.url('/99.xml'), why: 'only 100 sitemaps of a site are read' }]);
  });
});

const sitemapFiles = {
  samples: {
    exact: ['prefixed.xml', 'wrong-namespace.xml'],
    pages: ['https://birds.example/owl', 'https://birds.example/kite'],
    others: ['media.xml', 'news-and-languages.xml', 'list.txt.gz'],
  },
  outside: {
    exact: ['sitemap.ns.xml', 'sitemap.badns.xml'],
    pages: ['http://www.example.com/1', 'http://www.example.com/2'],
    others: [
      'hebdenbridgetimes-articles-sitemap.xml',
      'shinpaideshou-news-sitemap.xml',
      'sitemap-links.xml',
      'sitemap-videos.xml',
      'sitemap.txt.gz',
    ],
  },
} as const;

describe.each(dataSets('sitemaps'))('sitemaps: $name', ({ name, folder }) => {
  const { exact, pages, others } = sitemapFiles[name];
  const read = async (file: string) =>
    addresses((await parseSitemap(readFileSync(new URL(file, folder)))).pages);

  test.each(exact)('%s', async (file) => {
    expect(await read(file)).toEqual(pages);
  });

  test.each(others)('%s names pages and no pictures', async (file) => {
    const urls = await read(file);
    expect(urls.length).toBeGreaterThan(1);
    expect(urls.filter((url) => !/^https?:\/\//.test(url) || /\.(jpg|flv)/.test(url))).toEqual([]);
  });
});
