import { expect, test } from 'vitest';
import { failed, webResult } from '../../../external/stub-provider-pool.ts';
import { examplePage } from '../../../pages.ts';
import { databaseNotes, heronAlmanac, owlNotes } from '../../../tools/library.ts';
import { fixedLimits, openEngine, routesOver } from '../../rig.ts';

const birds = [heronAlmanac, owlNotes, databaseNotes];
const asBrowser = { headers: { accept: 'text/html,*/*' } };

async function pageFor(path: string, ...parts: Parameters<typeof openEngine>) {
  const { engine, pool } = await openEngine(...parts);
  const response = await routesOver(engine).request(path, asBrowser);
  return { response, html: await response.text(), pool };
}

test('a search shows what matches marked, in stems and in Chinese', async () => {
  const { html, response } = await pageFor('/search?q=hear', birds);
  expect(response.status).toBe(200);
  expect(html).toContain('<p class="count">1 result</p>');
  expect(html).toContain('An owl <mark>hears</mark> better than a heron.');
  expect((await pageFor('/search?q=数据库优化', birds)).html).toContain(
    '<mark>数据库</mark>的索引如何<mark>优化</mark>。',
  );
});

test('/ is the box with three steps until there is a page, then the box alone', async () => {
  const { html } = await pageFor('/', []);
  expect(html).toContain('<input type="search" name="q"');
  expect(html).toContain('gleaner crawl https://docs.example.com/');
  expect((await pageFor('/', birds)).html).not.toContain('gleaner crawl');
});

test('pages that lack words stand under a heading of their own', async () => {
  const { html } = await pageFor('/search?q=owl+zeppelin', birds);
  const [matches = '', partial = ''] = html.split('<h2 id="partial">Pages that lack some of the words</h2>');
  expect(matches).toContain('No page matches.');
  expect(partial).toContain('<mark>Owl</mark> notes');
  expect(partial).toContain('Without: zeppelin');
  expect(partial).toContain('No page at all has zeppelin.');
});

test('a query that was probably meant is a link that keeps the filters', async () => {
  const { html } = await pageFor('/search?q=almanak&lang=en&type=&ui=en', birds);
  expect(html).toContain('Did you mean <a href="/search?q=almanac&amp;lang=en&amp;ui=en"');
});

test('filters are in the address, and stay in the form', async () => {
  const pages = [
    ...birds,
    examplePage({ url: 'https://birds.example/r.pdf', title: 'Report', body: 'heron', fileType: 'pdf' }),
    examplePage({ url: 'https://other.example/', title: 'Other', body: 'heron', crawledAt: Date.now() }),
  ];
  const shown = async (query: string) => {
    const { html } = await pageFor(`/search?q=heron${query}`, pages);
    const [matches = ''] = html.split('id="partial"');
    const titles = [...matches.matchAll(/<h2><a [^>]*>(.*?)<\/a>/g)].map(([, title = '']) =>
      title.replace(/<[^>]+>/g, ''),
    );
    return { html, titles: titles.sort() };
  };
  expect((await shown('')).titles).toHaveLength(4);
  const typed = await shown('&type=pdf');
  expect(typed.titles).toEqual(['Report']);
  expect(typed.html).toContain('<option value="pdf" selected>');
  expect((await shown('&site=other.example')).titles).toEqual(['Other']);
  expect((await shown('&time_range=day')).titles).toEqual(['Other']);
  expect((await shown('&lang=zh')).titles).toEqual([]);
});

test('ten results a page, with links to the pages before and after', async () => {
  const pages = Array.from({ length: 25 }, (_, number) =>
    examplePage({ url: `https://many.example/${number}`, title: `Elm ${number}`, body: `elm ${number}` }),
  );
  const { engine } = await openEngine(pages);
  const routes = routesOver(engine);
  const titles: string[] = [];
  for (const page of [1, 2, 3]) {
    const html = await (await routes.request(`/search?q=elm&pageno=${page}`)).text();
    titles.push(...[...html.matchAll(/<h2><a href="([^"]*)"/g)].map(([, href = '']) => href));
    expect([page, html.includes('rel="prev"'), html.includes('rel="next"')]).toEqual([
      page,
      page > 1,
      page < 3,
    ]);
  }
  expect(new Set(titles).size).toBe(25);
});

test('what a page or an address says is never markup', async () => {
  const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'&amp; \u202eevil';
  const page = examplePage({
    url: 'https://evil.example/%3Cscript%3Ealert(3)%3C/script%3E?"onload="x',
    title: `heron ${evil}`,
    body: `heron ${evil}`,
    siteName: evil,
    lang: 'en"><b>',
  });
  const query = encodeURIComponent(`heron ${evil}`);
  for (const path of ['/search?q=heron', `/search?q=${query}`, `/search?q=heron&part=1`, `/?q=${query}`]) {
    const { html } = await pageFor(path, [page]);
    expect(html).not.toMatch(/<script>|<img|<b>|onload="|\u202e/);
  }
  const { html } = await pageFor(`/search?q=heron&pageno=${query}&site=${query}`, [page]);
  expect(html).not.toMatch(/<script>|<img/);
});

test('an address that is no web address is no link', async () => {
  const { html } = await pageFor('/search?q=oak', [], {
    one: [{ ...webResult('https://web.example/'), url: 'javascript:alert(1)' }],
  });
  expect(html).not.toContain('href="javascript:');
});

test('who could not be asked is said in words, in both languages', async () => {
  const says = { one: [webResult('https://web.example/')], two: failed };
  const { html } = await pageFor('/search?q=oak', [], says);
  expect(html).toContain('from the web');
  expect(html).toMatch(/<p class="notice">Could not ask two \(.+\)\. There may be more on the web\.<\/p>/);
  expect((await pageFor('/search?q=oak&ui=zh', [], says)).html).toContain('未能查询 two');
});

test('part=1 gives the results alone, asks no other service, and counts as a suggestion', async () => {
  const { html, pool } = await pageFor('/search?q=oak&part=1', [], {
    one: [webResult('https://web.example/')],
  });
  expect(html).not.toContain('<html');
  expect(html).toContain('class="count"');
  expect(pool.requests).toEqual([]);
  const { engine } = await openEngine(birds);
  const routes = routesOver(engine, { rateLimit: fixedLimits(1, 2).rateLimit });
  const statuses: number[] = [];
  for (const path of ['&part=1', '&part=1', '&part=1', '', ''])
    statuses.push((await routes.request(`/search?q=heron${path}`)).status);
  expect(statuses).toEqual([200, 200, 429, 200, 429]);
});

test('parameters of SearXNG mean what they mean there', async () => {
  const pages = ['de', 'en'].map((lang) =>
    examplePage({ url: `https://${lang}.example/`, title: 'Oak', body: `oak tree ${lang}`, lang }),
  );
  for (const lang of ['de', 'en']) {
    const { html } = await pageFor(
      `/search?q=oak&language=${lang}-CH&categories=general&safesearch=1`,
      pages,
    );
    expect(/<h2><a href="https:\/\/(..)/.exec(html)?.[1]).toBe(lang);
  }
  for (const wrong of [
    'language=english',
    'safesearch=3',
    'pageno=0',
    'q=a&q=b',
    'type=html',
    'time_range=2d',
  ])
    expect([wrong, (await pageFor(`/search?${wrong}`, [])).response.status]).toEqual([wrong, 400]);
});

test('what is refused is a page for browsers, and problem details for programs', async () => {
  const { engine } = await openEngine(birds);
  const routes = routesOver(engine, { rateLimit: fixedLimits(1, 1).rateLimit });
  const wrong = await routes.request('/search?q=heron&lang=english', asBrowser);
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain('lang: must be a language code');
  await routes.request('/search?q=heron');
  const limited = await routes.request('/search?q=heron', asBrowser);
  expect([limited.status, limited.headers.get('content-type')]).toEqual([429, 'text/html; charset=UTF-8']);
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
  const program = await routes.request('/search?q=heron');
  expect(program.headers.get('content-type')).toBe('application/problem+json');
});

test.each([
  [{}, '', 'en'],
  [{ 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' }, '', 'zh'],
  [{ 'accept-language': 'de,en;q=0.5,zh;q=0.9' }, '', 'zh'],
  [{ 'accept-language': 'zh;q=0' }, '', 'en'],
  [{ 'accept-language': 'zh' }, '&ui=en', 'en'],
  [{}, '&ui=zh', 'zh'],
  [{}, '&ui=constructor', 'en'],
])('with %j and %j the page is in %s', async (headers, query, lang) => {
  const { engine } = await openEngine(birds);
  const response = await routesOver(engine).request(`/search?q=heron${query}`, { headers });
  const html = await response.text();
  expect(html).toContain(`<html lang="${lang}">`);
  expect(html).toContain(lang === 'en' ? '2 results' : '2 条结果');
  expect(response.headers.get('vary')).toContain('Accept-Language');
});

test('the policy allows what the pages need and nothing else, and they need no other site', async () => {
  const { response, html } = await pageFor('/search?q=heron', birds);
  expect(response.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(html).not.toMatch(/ style=| on\w+=|<style/);
  for (const [, address = ''] of html.matchAll(/(?:src|<link [^>]*href)="([^"]*)"/g)) {
    const { engine } = await openEngine([]);
    expect([address, (await routesOver(engine).request(address)).status]).toEqual([address, 200]);
  }
});

test('robots are kept from results, and the sizes stay small', async () => {
  const { engine } = await openEngine(birds);
  const routes = routesOver(engine);
  expect(await (await routes.request('/robots.txt')).text()).toContain('Disallow: /search\n');
  const bytes = async (path: string) => Buffer.byteLength(await (await routes.request(path)).text());
  expect(await bytes('/search?q=heron')).toBeLessThan(10_000);
  const packed = async (path: string) => {
    const response = await routes.request(path, { headers: { 'accept-encoding': 'gzip' } });
    return (await response.arrayBuffer()).byteLength;
  };
  expect((await packed('/assets/page.css')) + (await packed('/assets/page.js'))).toBeLessThan(8000);
});

test('without pages for people the API stays, and / leads to the documentation', async () => {
  const { engine } = await openEngine(birds);
  const routes = routesOver(engine, { hasPages: false });
  const status = async (path: string) => (await routes.request(path, asBrowser)).status;
  expect([
    await status('/search?q=heron'),
    await status('/page/1'),
    await status('/assets/page.css'),
  ]).toEqual([404, 404, 200]);
  expect((await routes.request('/', asBrowser)).headers.get('location')).toBe('/docs');
  expect([await status('/search?q=heron&format=json'), await status('/api/v1/search?q=heron')]).toEqual([
    200, 200,
  ]);
});
