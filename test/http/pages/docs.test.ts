import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DocsPages, loadDocsPages } from '../../../src/http/pages/docs.ts';

const readme = `# Birds & \`<feeds>\`

See [the crawl](docs/crawl.md), [its limits](./docs/crawl.md#limits), [the design](ARCHITECTURE.md),
[a search](/api/v1/search?q=x) and [a site](https://example.com/?a=1&b=2).

![A picture & its words](docs/picture.svg) ![Not there](docs/missing.svg) ![Elsewhere](https://example.com/a.png)

<!-- numbers -->
| a | b |
|---|---|
| 1 | 2 |
<!-- /numbers -->
`;
const crawl = `# Crawling

## Limits
[Back](../README.md), [up](#limits), [the other](other.md)

## Limits
`;

let root: string;
let pages: DocsPages;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gleaner docs-'));
  await mkdir(join(root, 'docs'));
  await writeFile(join(root, 'README.md'), readme);
  await writeFile(join(root, 'docs', 'crawl.md'), crawl);
  await writeFile(join(root, 'docs', 'other.md'), 'No heading.');
  await writeFile(join(root, 'docs', 'picture.svg'), '<svg/>');
  pages = await loadDocsPages(root);
});
afterAll(() => rm(root, { recursive: true, force: true }));

const html = (path: string) => pages.find((page) => page.path === path)?.html ?? '';

test('the README comes first, then the pages of docs by name, each under its own address', () => {
  expect(pages.map(({ path, title }) => [path, title])).toEqual([
    ['/docs', 'Birds & <feeds>'],
    ['/docs/crawl', 'Crawling'],
    ['/docs/other', 'docs/other.md'],
  ]);
});

test('a page is a whole document with its title, a list of all pages and a main part', () => {
  expect(html('/docs')).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(html('/docs')).toContain('<title>Birds &amp; &lt;feeds&gt;</title>');
  expect(html('/docs')).toContain('<a href="/docs" aria-current="page">');
  expect(html('/docs')).toContain('<a href="/docs/crawl">Crawling</a>');
  expect(html('/docs')).toMatch(/<main [\s\S]*<table>[\s\S]*<\/main>/);
});

test('links between the files lead to where they are served', () => {
  expect(html('/docs')).toContain('<a href="/docs/crawl">the crawl</a>');
  expect(html('/docs')).toContain('<a href="/docs/crawl#limits">its limits</a>');
  expect(html('/docs/crawl')).toContain('<a href="/docs">Back</a>');
  expect(html('/docs/crawl')).toContain('<a href="/docs/other">the other</a>');
});

test('links to the service, to the web and within a page stay as they are', () => {
  expect(html('/docs')).toContain('<a href="/api/v1/search?q=x">a search</a>');
  expect(html('/docs')).toContain('<a href="https://example.com/?a=1&amp;b=2">a site</a>');
  expect(html('/docs/crawl')).toContain('<a href="#limits">up</a>');
});

test('a link to a file that is not served becomes its text', () => {
  expect(html('/docs')).toContain('limits</a>, the design,');
});

test('a picture of the folder comes with the page; one that is missing becomes its text', () => {
  const data = Buffer.from('<svg/>').toString('base64');
  expect(html('/docs')).toContain(
    `<img src="data:image/svg+xml;base64,${data}" alt="A picture &amp; its words"> Not there <img src="https`,
  );
});

test('a comment of the source shows nowhere', () => {
  expect(html('/docs')).toContain('<!-- numbers -->');
  expect(html('/docs')).not.toContain('&lt;!--');
});

test('headings have ids to link to, each once', () => {
  expect(html('/docs/crawl')).toContain('<h2 id="limits">Limits</h2>');
  expect(html('/docs/crawl')).toContain('<h2 id="limits-1">Limits</h2>');
});

test('the root may be a URL', async () => {
  expect(await loadDocsPages(pathToFileURL(`${root}/`))).toEqual(pages);
});

test('a folder without documentation has no pages', async () => {
  expect(await loadDocsPages(join(root, 'docs', 'missing'))).toEqual([]);
});

test('what a page was made from comes along, under the name of its file', () => {
  expect(pages.map(({ markdownPath }) => markdownPath)).toEqual([
    '/README.md',
    '/docs/crawl.md',
    '/docs/other.md',
  ]);
  expect(pages[1]?.markdown).toBe(crawl);
});
