import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ListedUrl } from '../../src/crawl/feed.ts';
import { maxUrls, parseSitemap } from '../../src/crawl/sitemap.ts';
import { openSite } from '../site.ts';
import { openCrawler } from './rig.ts';

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

  test('that unpacks without end is empty', async () => {
    expect(await parseSitemap(gzipSync(Buffer.alloc(60 * 1024 * 1024, 0x20)))).toEqual({
      pages: [],
      sitemaps: [],
    });
  });

  test('is read up to the limit of the protocol', async () => {
    const urls = Array.from({ length: maxUrls + 10 }, (_, i) => `https://a.example/${i}`);
    expect((await parse(urlset(...urls))).pages).toHaveLength(maxUrls);
  });
});

describe('when pages were changed', () => {
  test('is told by a sitemap, as days or as times, and left out where it cannot be read', async () => {
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
    const urls = await openCrawler().sitemapUrls(site.url('/some/page'));
    expect(addresses(urls)).toEqual([site.url('/a'), site.url('/b'), 'https://elsewhere.example/']);
    expect(site.timesAsked('/index.xml')).toBe(1);
    expect(site.timesAsked('/closed.xml')).toBe(0);
    expect(site.timesAsked('/sitemap.xml')).toBe(0);
  });

  test('are looked for in the usual place when robots.txt names none', async () => {
    const site = await openSite({ '/sitemap.xml': urlset('/a') });
    expect(addresses(await openCrawler().sitemapUrls(site.url('/')))).toEqual([site.url('/a')]);
  });
});

const data = new URL('../../../shared/data/sitemaps/', import.meta.url);
describe.skipIf(!existsSync(data))("others' sitemaps (needs ../shared/data)", () => {
  const read = async (file: string) =>
    addresses((await parseSitemap(readFileSync(new URL(file, data)))).pages);

  test.each([
    ['sitemap.badns.xml', ['http://www.example.com/1', 'http://www.example.com/2']],
    ['sitemap.ns.xml', ['http://www.example.com/1', 'http://www.example.com/2']],
  ])('%s', async (file, urls) => {
    expect(await read(file)).toEqual(urls);
  });

  test.each([
    'hebdenbridgetimes-articles-sitemap.xml',
    'shinpaideshou-news-sitemap.xml',
    'sitemap-links.xml',
    'sitemap-videos.xml',
    'sitemap.txt.gz',
  ])('%s names pages and no pictures', async (file) => {
    const urls = await read(file);
    expect(urls.length).toBeGreaterThan(1);
    expect(urls.filter((url) => !/^https?:\/\//.test(url) || /\.(jpg|flv)/.test(url))).toEqual([]);
  });
});
