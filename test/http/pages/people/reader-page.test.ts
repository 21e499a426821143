import { expect, test } from 'vitest';
import { createLibrary } from '../../../../src/app/people/library.ts';
import { render } from '../../../../src/extract/main-text/render.ts';
import { parseHtml } from '../../../../src/extract/main-text/tree.ts';
import { silentLog } from '../../../../src/runtime.ts';
import { encodeStructure } from '../../../../src/text/structure/marks.ts';
import { openApp } from '../../../opensearch/open-app.ts';
import { examplePage } from '../../../pages.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { databaseNotes, heronAlmanac, owlNotes } from '../../../tools/library.ts';
import { openEngine, routesOver } from '../../rig.ts';

/** A stored page with the structure of this HTML. */
function structured(html: string, more: object = {}) {
  const url = 'https://docs.example/page';
  const { text, marks } = render(parseHtml(html).root);
  return examplePage({ url, body: text, structure: encodeStructure({ base: url, marks }), ...more });
}

async function read(pages: Parameters<typeof openEngine>[0], query = '', page = pages[0]) {
  const { engine } = await openEngine(pages);
  const response = await routesOver(engine).request(`/page/${page?.id}${query}`);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

test('a page has its title, its dates and its text', async () => {
  const { status, text } = await read([heronAlmanac]);
  expect(status).toBe(200);
  expect(text).toContain('<h1 dir="auto" lang="en">The heron almanac</h1>');
  for (const fact of [
    'birds.example',
    'by A. Watcher',
    'published Jun 1, 2025',
    'crawled Mar 1, 2026',
    'English',
  ])
    expect(text).toContain(fact);
  expect(text).toContain('<p dir="auto">Chapter 3 of the heron almanac.');
  expect(text).toContain('href="https://birds.example/heron" rel="noreferrer noopener nofollow"');
});

test('headings, lists, tables, code and links come from the structure', async () => {
  const page = structured(
    '<h1>One</h1><p>See <a href="/other?a=1&amp;b">there</a> and <code>f()</code>.</p><ul><li>a</li><li>b</li></ul>' +
      '<table><tr><td>x</td><td>y</td></tr></table><pre>let a;\n  b</pre><h2>Two</h2><h2>Three</h2>',
  );
  const { text } = await read([page]);
  expect(text).toMatch(/<h2 id="section-0" dir="auto">One<\/h2>/);
  expect(text).toContain(
    '<a href="https://docs.example/other?a=1&amp;b" rel="noreferrer noopener nofollow">there</a>',
  );
  expect(text).toContain('<code>f()</code>');
  expect(text).toContain('<ul><li><p dir="auto">a</p></li><li><p dir="auto">b</p></li></ul>');
  expect(text).toContain('<tr><td dir="auto">x</td><td dir="auto">y</td></tr>');
  expect(text).toContain('<pre tabindex="0" dir="ltr"><code>let a;\n  b</code></pre>');
  expect(text).toMatch(/<summary>Contents<\/summary><ul><li><a href="#section-0"/);
});

test('passages that answer are listed, marked, and their words in any form', async () => {
  const { text } = await read([owlNotes], '?find=hearing+-zeppelin');
  expect(text).toContain('<h2 id="passages">Passages that answer</h2>');
  expect(text).toContain('<a href="#passage-1"');
  expect(text).toContain(
    '<span class="passage" id="passage-1">An owl <mark>hears</mark> better than a heron.',
  );
  expect((await read([databaseNotes], '?find=数据库优化')).text).toContain('<mark>优化</mark>');
  expect((await read([owlNotes], '?find=zeppelin')).text).toContain('None of these words is in this text.');
  expect((await read([owlNotes], '?find=zeppelin&ui=zh')).text).toContain('此文中没有这些词语。');
});

test('what a page says is never markup, and no link leads to a script', async () => {
  const evil = '&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=y> \u202edlrow';
  const html = `<h2>${evil}</h2><p><a href="javascript:alert(1)">${evil}</a><a href="data:text/html,x">d</a></p><pre>${evil}</pre><ul><li>${evil}</li></ul><table><tr><td>${evil}</td><td>b</td></tr></table>`;
  const title = '</title><script>alert(2)</script>';
  for (const page of [
    structured(html, { title, author: '<img>', lang: '"><b>' }),
    examplePage({ url: 'https://a.example/', title, body: '<script>alert(3)</script>' }),
  ]) {
    const { text } = await read([page], '?find=%22%3E%3Cscript%3Ealert(4)%3C/script%3E+alert');
    expect(text).toContain('alert');
    expect(text).not.toMatch(/<script>|<img|<b>|href="(?:javascript|data)|\u202e/);
  }
});

test('the Markdown has a citation and all of the text', async () => {
  const { type, text } = await read([heronAlmanac], '?format=markdown');
  expect(type).toBe('text/plain; charset=UTF-8');
  expect(text).toMatch(
    /^> A\. Watcher, \[The heron almanac\]\(https:\/\/birds\.example\/heron\), published 2025-06-01, read 2026-03-01\n\n/,
  );
  expect(text).toContain('Chapter 299 of the heron almanac.');
});

test('a text that is too long for a page ends with a line, and says so', async () => {
  const body = Array.from({ length: 5000 }, (_, line) => `Line ${line} ${'x'.repeat(50)}.`).join('\n');
  const { text } = await read([examplePage({ url: 'https://long.example/', body })]);
  expect(text.length).toBeLessThan(500_000);
  expect(text).toMatch(/x\.<\/p><\/div>\s*<p class="notice">The text is longer/);
});

test('a page that is not there is said on a page', async () => {
  const { engine } = await openEngine([]);
  const response = await routesOver(engine).request('/page/nothing', { headers: { accept: 'text/html' } });
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
  expect(await response.text()).toContain('no page has this id');
  expect((await routesOver(engine).request('/page/nothing')).headers.get('content-type')).toBe(
    'application/problem+json',
  );
});

test('the next visit and other pages of the site are named', async () => {
  const dataFolder = temporaryFolder();
  const app = openApp({ config: { dataFolder }, log: silentLog });
  for (const page of [heronAlmanac, owlNotes, databaseNotes]) await app.pageWriter.put(page);
  const { store } = app;
  const plan = { url: owlNotes.url, dueAt: Date.UTC(2027, 4, 5), intervalMs: 1, foundAt: 1, failures: 0 };
  const plans = store.table<typeof plan>('plans');
  await store.write((writer) => writer.put(plans, owlNotes.id, plan));
  const library = createLibrary({ store, isNew: () => false });
  const ask = async (id: string) => (await routesOver(app.engine, { library }).request(`/page/${id}`)).text();
  const owl = await ask(owlNotes.id);
  expect(owl).toContain('next visit May 5, 2027');
  expect(owl).toContain(
    `<li><a href="/page/${heronAlmanac.id}" dir="auto" lang="en">The heron almanac</a></li>`,
  );
  expect(owl).not.toContain(databaseNotes.id);
  expect(owl).not.toContain(`<a href="/page/${owlNotes.id}"`);
  expect(owl).toContain('<a href="/search?q=site%3Abirds.example">All its pages</a>');
  expect(await ask(heronAlmanac.id)).toContain('no next visit planned');
  await app.close();
});
