import { describe, expect, test } from 'vitest';
import { createOutcomeStore } from '../../../src/crawl/outcomes.ts';
import { llmsFullEntries, twinKey } from '../../../src/crawl/site/llms-full.ts';
import { pageId } from '../../../src/store/page/page-id.ts';
import { examplePage } from '../../pages.ts';
import { openSite, type PageOfSite } from '../../site.ts';
import { openCrawler } from '../rig.ts';

const shell =
  '<!doctype html><html lang="en"><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>';
const owls = '# Owls\n\nOwls hunt at night and hear a mouse below the snow.\n\nSee [mice](/guide/mice).\n';
const markdown = (body: string): PageOfSite => ({ headers: { 'content-type': 'text/markdown' }, body });

/** A site that answers every address with its application, as such sites do. */
const openApplication = (pages: Record<string, PageOfSite>) =>
  openSite({ '/robots.txt': '', ...pages }, { fallback: shell });

describe('a page that scripts draw', () => {
  test('is stored with the text at its address with .md, under its own address', async () => {
    const site = await openApplication({ '/guide/owls.md': markdown(owls) });
    const { visitor } = openCrawler();
    const { visit } = await visitor.visit(site.url('/guide/owls'));
    expect(visit).toMatchObject({
      kind: 'page',
      links: [site.url('/guide/mice')],
      page: { url: site.url('/guide/owls'), title: 'Owls', fileType: 'html' },
    });
    expect(visit.kind === 'page' && visit.page.body).toContain('Owls hunt at night');
  });

  test.each([
    ['/guide/', '/guide/index.md'],
    ['/guide', '/guide/index.md'],
    ['/guide/owls.html', '/guide/owls.md'],
    ['/', '/index.md'],
  ])('%s is found as %s', async (path, twin) => {
    const site = await openApplication({ [twin]: markdown(owls) });
    const { visit } = await openCrawler().visitor.visit(site.url(path));
    expect(visit).toMatchObject({ kind: 'page', page: { url: site.url(path), title: 'Owls' } });
  });

  test('is read from where it or llms.txt says', async () => {
    const llms = `# Site\n\n- [Owls](/md/guide/owls.md)\n- [Mice](/guide/mice.html.md)\n`;
    const named = shell.replace(
      '<title>',
      '<link rel="alternate" type="text/markdown" href="/md/lynx"><title>',
    );
    const site = await openApplication({
      '/llms.txt': markdown(llms),
      '/guide/mice.html.md': markdown(owls.replaceAll('Owls', 'Mice')),
      '/lynx': named,
      '/md/lynx': markdown(owls.replaceAll('Owls', 'Lynxes')),
    });
    const { visitor } = openCrawler();
    const titles = [];
    for (const path of ['/guide/mice', '/lynx']) {
      const { visit } = await visitor.visit(site.url(path));
      titles.push(visit.kind === 'page' && visit.page.title);
    }
    expect(titles).toEqual(['Mice', 'Lynxes']);
    expect(site.pagesAsked()).toEqual(['/guide/mice', '/guide/mice.html.md', '/lynx', '/md/lynx']);
  });

  test('is read from its entry in llms-full.txt, which is asked for once', async () => {
    const entry = (name: string) =>
      `# ${name}\nSource: https://HOST/guide/${name.toLowerCase()}\n\n${name} hunt at night and hear a mouse below the snow.\n\n`;
    const site = await openApplication({});
    const text = `${entry('Owls')}${entry('Lynxes')}`.replaceAll('https://HOST', site.origin);
    site.pages.set('/llms-full.txt', { headers: { 'content-type': 'text/plain' }, body: text });
    const { visitor } = openCrawler();
    for (const name of ['Owls', 'Lynxes']) {
      const { visit } = await visitor.visit(site.url(`/guide/${name.toLowerCase()}`));
      expect(visit).toMatchObject({ kind: 'page', page: { title: name } });
    }
    expect(site.timesAsked('/llms-full.txt')).toBe(1);
  });

  test('is counted and named where nothing is beside it, and not stored; an empty copy leaves the index', async () => {
    const site = await openApplication({});
    const { crawl, store, storedUrls, pageWriter } = openCrawler();
    const empty = examplePage({ url: site.url('/'), id: pageId(site.url('/')), body: '', wordCount: 0 });
    await pageWriter.put(empty);
    const summary = await crawl([site.url('/')]);
    expect(summary).toMatchObject({ stored: 0, failed: { 'drawn by scripts': 1 }, removed: 1 });
    expect(storedUrls()).toEqual([]);
    expect([...createOutcomeStore(store).ofHost(site.host)]).toMatchObject([{ outcome: 'drawn by scripts' }]);
  });

  test('costs its site no further requests after three pages without a text', async () => {
    const site = await openApplication({});
    const { visitor } = openCrawler();
    for (const name of 'abcde') await visitor.visit(site.url(`/${name}`));
    const beside = site.pagesAsked().filter((path) => path.endsWith('.md'));
    expect(beside).toEqual(['/a.md', '/a/index.md', '/b.md', '/b/index.md', '/c.md', '/c/index.md']);
    expect(site.pagesAsked().slice(-2)).toEqual(['/d', '/e']);
  });

  test('is unchanged when its text is, and changed when that is: its own ETag says nothing', async () => {
    const site = await openSite({
      '/robots.txt': '',
      '/owls': (hit) =>
        hit.headers['if-none-match'] === '"shell"'
          ? { status: 304 }
          : { headers: { etag: '"shell"' }, body: shell },
      '/owls.md': markdown(owls),
    });
    const { visitAndKeep } = openCrawler();
    expect((await visitAndKeep(site.url('/owls'))).visit.kind).toBe('page');
    expect((await visitAndKeep(site.url('/owls'))).visit.kind).toBe('unchanged');
    site.pages.set('/owls.md', markdown(owls.replace('at night', 'by day')));
    expect((await visitAndKeep(site.url('/owls'))).visit.kind).toBe('page');
  });

  test('keeps the rules of robots.txt and of its own robots meta', async () => {
    const site = await openSite({
      '/robots.txt': 'User-agent: *\nDisallow: /*.md\nDisallow: /llms-full.txt',
      '/owls': shell,
      '/owls.md': markdown(owls),
      '/mice': shell.replace('<title>', '<meta name="robots" content="noindex"><title>'),
    });
    const { visitor } = openCrawler();
    expect((await visitor.visit(site.url('/owls'))).visit).toMatchObject({ why: 'drawn by scripts' });
    expect((await visitor.visit(site.url('/mice'))).visit).toMatchObject({ why: 'noindex (meta robots)' });
    expect(site.pagesAsked()).toEqual(['/owls', '/mice']);
  });
});

test.each([
  [
    'Mintlify',
    '# Owls\nSource: https://a.example/guide/owls\n\nText of owls.\n\n# Mice\nSource: https://a.example/mice\n\nOther.',
  ],
  ['Fumadocs', '# Owls (/guide/owls)\n\nText of owls.\n\n# Mice (/mice)\n\nOther.'],
  ['VitePress', '---\nurl: /guide/owls.md\n---\n\nText of owls.\n\n---\nurl: /mice.md\n---\n\nOther.'],
  [
    'an XML-like form',
    '<page url="/guide/owls">\nText of owls.\n</page>\n<page url="/mice">\nOther.\n</page>',
  ],
])('an entry of llms-full.txt as %s writes it', (_, text) => {
  const entries = llmsFullEntries(text, 'https://a.example/llms-full.txt');
  expect(entries.get(twinKey('https://a.example/guide/owls/'))).toMatch(/^(?:# Owls\s+)?Text of owls\.\s*$/);
  expect(entries.get(twinKey('https://a.example/mice'))).toMatch(/Other\.\s*$/);
  expect(entries.size).toBe(2);
});

test.each(['/a/b', '/a/b/', '/a/b.html', '/a/b.md', '/a/b/index.md', '/a/b.html.md', '/a/b/index.html'])(
  '%s is one page with /a/b',
  (path) => {
    expect(twinKey(`https://a.example${path}`)).toBe('https://a.example/a/b');
  },
);
