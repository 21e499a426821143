import { expect, test } from 'vitest';
import { runGleaner } from '../../process.ts';
import { htmlPage, openSite } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const sitemap = (urls: readonly string[]) => ({
  headers: { 'content-type': 'application/xml' },
  body: `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
});

async function preview(url: string, ...options: string[]) {
  const data = temporaryFolder();
  const own = ['--allow-private', '--delay', '0', '--data', data];
  const run = await runGleaner('crawl', url, '--dry-run', '--json', ...own, ...options);
  const status = await runGleaner('status', '--json', '--data', data);
  return { ...run, found: run.stdout === '' ? undefined : JSON.parse(run.stdout), status: status.stdout };
}

test('a dry run says what robots.txt, the sitemaps and the first page have, and stores nothing', async () => {
  const site = await openSite({
    '/robots.txt': 'User-agent: *\nDisallow: /secret\nCrawl-delay: 2\n',
    '/': htmlPage('Herons', ['/a', '/b', '/secret', '/c.png', 'https://elsewhere.example/']),
  });
  site.pages.set('/sitemap.xml', sitemap([site.url('/a'), site.url('/d'), site.url('/secret')]));
  const { code, found, status } = await preview(site.url('/'));
  expect(code).toBe(0);
  expect(found).toEqual({
    kind: 'preview',
    url: site.url('/'),
    firstPage: 'a page',
    robots: 'allowed',
    crawlDelaySeconds: 2,
    sitemapUrls: 2,
    sitemaps: [],
    links: 2,
    examples: [site.url('/a'), site.url('/b'), site.url('/d')],
  });
  expect(JSON.parse(status).pages).toBe(0);
  expect([site.timesAsked('/a'), site.timesAsked('/secret')]).toEqual([0, 0]);
});

test('a dry run keeps to the scope, and says why a first page is none', async () => {
  const site = await openSite({
    '/robots.txt': 'User-agent: *\nDisallow: /secret\n',
    '/docs/': htmlPage('Docs', ['/docs/a', '/blog/b']),
  });
  expect((await preview(site.url('/docs/'), '--same-path')).found).toMatchObject({
    examples: [site.url('/docs/a')],
  });
  expect((await preview(site.url('/secret'))).found).toMatchObject({
    robots: 'refused by robots.txt',
    firstPage: 'refused by robots.txt',
  });
  expect((await preview(site.url('/none'))).found).toMatchObject({ firstPage: 'not found', examples: [] });
  const wrong = await preview('ftp://example.com/');
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('not an http(s) URL')]);
});
