import { expect, test } from 'vitest';
import { openSite, type PageOfSite } from '../../site.ts';
import { openDrawingCrawler } from './open-renderer.ts';

/** A page whose script draws. */
const shell = (script: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>App</title>${head}</head><body><div id="root">Loading…</div><noscript>You need to enable JavaScript to run this app.</noscript><script type="module">${script}</script></body></html>`;
const script = (body: string): PageOfSite => ({ headers: { 'content-type': 'text/javascript' }, body });
const json = (body: unknown): PageOfSite => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const owls = 'Owls hunt at night and hear a mouse below the snow, from a hundred metres away.';
const drawOwls = `document.getElementById('root').innerHTML = '<h1>Owls</h1><p>${owls}</p><p><a href="/mice">Mice</a></p>'`;

test('a page is stored as its scripts draw it, with their data, and found unchanged and changed', async () => {
  const site = await openSite({
    '/robots.txt': '',
    '/owls': { headers: { etag: '"shell"' }, body: shell('import { draw } from "/app.js"; draw()') },
    '/app.js': script(
      `export async function draw() { const { text } = await (await fetch('/api/owls')).json(); document.title = 'Owls'; document.getElementById('root').innerHTML = '<h1>Owls</h1><p>' + text + '</p><a href="/mice">Mice</a>' }`,
    ),
    '/api/owls': json({ text: owls }),
  });
  const { visitor, visitAndKeep, store, notices } = openDrawingCrawler();
  const { visit } = await visitAndKeep(site.url('/owls'));
  expect(visit).toMatchObject({
    kind: 'page',
    links: [site.url('/mice')],
    page: { url: site.url('/owls'), title: 'Owls', body: expect.stringContaining(owls), fileType: 'html' },
    record: { rendered: true },
  });
  expect(visit.kind === 'page' && visit.page.body).not.toMatch(/JavaScript|Loading/);
  expect(visitor.recordOf([...store.heads()][0]?.id ?? '')).toMatchObject({ rendered: true });
  expect((await visitAndKeep(site.url('/owls'))).visit.kind).toBe('unchanged');
  site.pages.set('/api/owls', json({ text: owls.replace('night', 'dusk') }));
  expect((await visitAndKeep(site.url('/owls'))).visit.kind).toBe('page');
  expect(site.timesAsked('/app.js')).toBe(1);
  expect(
    site.hits.every(
      ({ method, headers }) => method === 'GET' && headers['user-agent']?.startsWith('Gleaner/'),
    ),
  ).toBe(true);
  expect(notices).toEqual([]);
});

test('a crawl follows the links that scripts draw, and counts what the browser drew', async () => {
  const site = await openSite({
    '/robots.txt': '',
    '/': shell(drawOwls),
    '/mice': shell(drawOwls.replaceAll('wls', 'ther mice').replace('/mice', '/')),
    '/plain': `<p>${owls.repeat(5)}</p>`,
  });
  const { crawl, storedUrls } = openDrawingCrawler();
  expect(await crawl([site.url('/')])).toMatchObject({ stored: 2, rendered: 2, failed: {} });
  expect(storedUrls()).toEqual([site.url('/'), site.url('/mice')]);
});

test('robots.txt holds for what scripts ask of their own site', async () => {
  const site = await openSite({
    '/robots.txt': 'User-agent: *\nDisallow: /api/',
    '/owls': shell(
      `${drawOwls}; fetch('/api/more').then(async (more) => document.body.append(await more.text()))`,
    ),
    '/api/more': 'what robots.txt keeps to itself',
  });
  const { visit } = await openDrawingCrawler().visitor.visit(site.url('/owls'));
  expect(visit.kind === 'page' && visit.page.body).toContain(owls);
  expect(site.timesAsked('/api/more')).toBe(0);
});

test('what scripts write about robots and the canonical URL holds, and so does where they lead', async () => {
  const meta = (html: string) => `document.head.insertAdjacentHTML('beforeend', '${html}');`;
  const site = await openSite({
    '/robots.txt': '',
    '/hidden': shell(`${meta('<meta name="robots" content="noindex">')}${drawOwls}`),
    '/variant': shell(`${meta('<link rel="canonical" href="/owls">')}${drawOwls}`),
    '/old': shell(`location.replace('/owls')`),
    '/owls': shell(drawOwls),
  });
  const { visitor } = openDrawingCrawler();
  expect((await visitor.visit(site.url('/hidden'))).visit).toMatchObject({ why: 'noindex (meta robots)' });
  for (const path of ['/variant', '/old'])
    expect(await visitor.visit(site.url(path))).toMatchObject({
      url: site.url('/owls'),
      visit: { kind: 'page' },
    });
});

test('a page that is busy for seconds before its first word is waited for', async () => {
  const busy = 'const end = Date.now() + 1200; while (Date.now() < end);';
  const stepwise = `let steps = 4; const step = () => { ${busy} if (--steps > 0) setTimeout(step, 200); else { ${drawOwls} } }; setTimeout(step)`;
  const body = shell(stepwise).replace('Loading…', '');
  const site = await openSite({ '/robots.txt': '', '/busy': body });
  const { visitor } = openDrawingCrawler();
  expect((await visitor.visit(site.url('/busy'))).visit).toMatchObject({
    kind: 'page',
    page: { body: expect.stringContaining(owls) },
  });
});

test('a page that never ends, draws nothing or takes all memory is an outcome, and the next one is drawn', async () => {
  const site = await openSite({
    '/robots.txt': '',
    '/endless': shell('for (;;);'),
    '/nothing': shell('document.getElementById("root").remove()'),
    '/greedy': shell('const all = []; for (;;) all.push(new Array(1e6).fill({}))'),
    '/owls': shell(drawOwls),
  });
  const { visitor } = openDrawingCrawler();
  for (const path of ['/endless', '/nothing'])
    expect((await visitor.visit(site.url(path))).visit).toMatchObject({
      kind: 'never',
      why: 'drawn by scripts',
    });
  expect((await visitor.visit(site.url('/owls'))).visit).toMatchObject({ kind: 'page' });
  expect((await visitor.visit(site.url('/greedy'))).visit).toMatchObject({ why: 'drawn by scripts' });
  expect((await visitor.visit(site.url('/owls'))).visit).toMatchObject({ kind: 'page' });
});

test('a site that asks for a pause while its page is drawn is asked later, and nothing half is stored', async () => {
  const site = await openSite({
    '/robots.txt': '',
    '/owls': shell(
      `fetch('/api').then((answer) => { document.body.textContent = 'Something went wrong here. '.repeat(20) })`,
    ),
    '/api': { status: 503, headers: { 'retry-after': '120' } },
  });
  const { visit } = await openDrawingCrawler().visitor.visit(site.url('/owls'));
  expect(visit).toMatchObject({ kind: 'later', seconds: 120, wholeHost: true });
});

test('no cookie, storage or worker of one page is there for the next; nothing but scripts and data is asked for', async () => {
  const site = await openSite({
    '/robots.txt': '',
    '/set': {
      headers: { 'set-cookie': 'seen=1' },
      body: shell(
        `document.cookie = 'mark=1'; localStorage.mark = '1'; ${drawOwls}`,
        '<link rel="stylesheet" href="/style.css"><link rel="icon" href="/icon.png">',
      ),
    },
    '/get': shell(
      `document.body.innerHTML = '<p>Cookies (' + document.cookie + ') and storage (' + (localStorage.mark ?? '') + ') of this page are these.</p><img src="/picture.png"><iframe src="/frame"></iframe><video src="/film.mp4"></video>'; fetch('/post', { method: 'POST', body: 'x' })`,
    ),
    '/post': 'posted',
  });
  const { visitor } = openDrawingCrawler();
  await visitor.visit(site.url('/set'));
  const { visit } = await visitor.visit(site.url('/get'));
  expect(visit.kind === 'page' && visit.page.body).toContain('Cookies () and storage () of this page');
  expect(site.pagesAsked().filter((path) => !/\.md$|llms/.test(path))).toEqual(['/set', '/get']);
  expect(site.hits.some(({ headers }) => headers.cookie !== undefined)).toBe(false);
});
