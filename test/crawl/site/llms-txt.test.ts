import { describe, expect, test } from 'vitest';
import { type SiteRecord, sitesTable } from '../../../src/store/host/site-record.ts';
import { openSite, type PageOfSite, type Site } from '../../site.ts';
import { openCrawler } from '../rig.ts';

const plain = { 'content-type': 'text/plain' };
const text = '# Owls\n\n> All about owls.\n\n## Docs\n\n- [Barn owl](/barn.md)\n';
const day = 24 * 3_600_000;

async function check(llmsTxt: PageOfSite, more: Record<string, PageOfSite> = {}, fallback?: PageOfSite) {
  const site = await openSite({ '/llms.txt': llmsTxt, ...more }, fallback === undefined ? {} : { fallback });
  const crawler = openCrawler();
  const record = () => crawler.store.table<SiteRecord>(sitesTable).get(site.host);
  await crawler.checkLlmsTxt(site.url('/some/page'));
  return { site, crawler, record };
}

const asked = (site: Site) => site.hits.map(({ path }) => path.replace(/[0-9a-f]{8}/, 'random'));

test('a site with an llms.txt is known by its host, and a random sibling was asked for', async () => {
  const { site, record, crawler } = await check({ body: text, headers: plain });
  expect(record()).toMatchObject({ hasLlmsTxt: true, checkedAt: crawler.clock.ms });
  expect(asked(site)).toEqual(['/robots.txt', '/llms.txt', '/llms-random.txt']);
  expect(site.hits[1]?.headers.accept).toMatch(/^text\/markdown, text\/plain/);
});

describe('counts', () => {
  test.each([
    ['Markdown', { body: text, headers: { 'content-type': 'text/markdown; charset=utf-8' } }],
    ['a byte order mark', { body: `\uFEFF${text}`, headers: plain }],
    ['front matter', { body: `---\ntitle: x\n---\n\n${text}`, headers: plain }],
    ['a very long file', { body: text + '日本語 '.repeat(20_000), headers: plain }],
    ['a redirect to another llms.txt of the site', { status: 302, headers: { location: '/docs/llms.txt' } }],
  ])('%s', async (_, answer) => {
    const { record } = await check(answer, { '/docs/llms.txt': { body: text, headers: plain } });
    expect(record()?.hasLlmsTxt).toBe(true);
  });
});

describe('does not count', () => {
  test.each<[string, PageOfSite]>([
    ['nothing', { status: 404 }],
    ['HTML by its type', { body: text, headers: { 'content-type': 'text/html' } }],
    ['HTML by its content', { body: '<!doctype html>\n# not found, but long enough', headers: plain }],
    ['HTML further down', { body: '# Page\n<html><body>not found</body></html>', headers: plain }],
    ['text without a heading', { body: 'All about owls, and nothing else at all.', headers: plain }],
    ['a heading of the second level', { body: '## Owls and all about them', headers: plain }],
    ['a file of a few bytes', { body: '# Owls', headers: plain }],
    ['bytes that are not UTF-8', { body: Buffer.from(`${text}\xff\xfe`, 'latin1'), headers: plain }],
    ['a NUL', { body: `${text}\0`, headers: plain }],
    ['a redirect to something else', { status: 302, headers: { location: '/home' } }],
    [
      'a redirect to another site',
      { status: 302, headers: { location: 'http://elsewhere.example/llms.txt' } },
    ],
  ])('%s', async (_, answer) => {
    const { record } = await check(answer, { '/home': { body: text, headers: plain } });
    expect(record()?.hasLlmsTxt).toBe(false);
  });

  test('a site that answers every path with the same text', async () => {
    const { record } = await check({ body: text, headers: plain }, {}, { body: text, headers: plain });
    expect(record()?.hasLlmsTxt).toBe(false);
  });
});

test('a site that robots.txt closes is not asked, and stays unknown', async () => {
  const { site, record } = await check(
    { body: text, headers: plain },
    { '/robots.txt': 'User-agent: *\nDisallow: /' },
  );
  expect(asked(site)).toEqual(['/robots.txt']);
  expect(record()?.hasLlmsTxt).toBe(false);
});

describe('later', () => {
  test('a known site is not asked again for a week, then with its validator', async () => {
    const { site, crawler, record } = await check({ body: text, headers: { ...plain, etag: '"1"' } });
    crawler.clock.ms += 6 * day;
    await crawler.checkLlmsTxt(site.url('/'));
    expect(site.timesAsked('/llms.txt')).toBe(1);
    site.pages.set('/llms.txt', { status: 304 });
    crawler.clock.ms += 2 * day;
    await crawler.checkLlmsTxt(site.url('/'));
    expect(site.timesAsked('/llms.txt')).toBe(2);
    expect(site.hits.at(-1)?.headers['if-none-match']).toBe('"1"');
    expect(record()).toMatchObject({ hasLlmsTxt: true, etag: '"1"', checkedAt: crawler.clock.ms });
  });

  test.each([403, 429, 500])('status %d decides nothing, and is asked again after a day', async (status) => {
    const { site, crawler, record } = await check({ body: text, headers: plain });
    site.pages.set('/llms.txt', { status });
    crawler.clock.ms += 8 * day;
    await crawler.checkLlmsTxt(site.url('/'));
    expect(record()).toMatchObject({ hasLlmsTxt: true, checkedAt: crawler.clock.ms });
    site.pages.set('/llms.txt', { status: 404 });
    crawler.clock.ms += 1.5 * day;
    await crawler.checkLlmsTxt(site.url('/'));
    expect(record()?.hasLlmsTxt).toBe(false);
  });
});
