import { expect, test } from 'vitest';
import { prose, readPage } from './extractor.ts';

const shareOf = (html: string, url?: string) =>
  readPage(`<main>${html}</main>`, url ? { url } : {}).linkShare;

test('a page without links has a link share of 0, an index nearly 1', () => {
  expect(shareOf(prose())).toBe(0);
  const entries = Array.from({ length: 40 }, (_, n) => `<li><a href="entry-${n}.html">entry ${n}</a></li>`);
  expect(shareOf(`<h1>Index</h1><ul>${entries.join('')}</ul>`)).toBeGreaterThan(0.9);
});

test('links to places of the page itself do not count', () => {
  const own = '<a href="#more">a chapter of this very page, by its name</a>';
  const named = '<a href="start#more">a chapter of this very page, by its name</a>';
  const other = '<a href="other#more">a chapter of another page, by its name</a>';
  expect(shareOf(`${prose()}${own}`)).toBe(0);
  expect(shareOf(`${prose()}${named}`)).toBe(0);
  expect(shareOf(`${prose()}${other}`)).toBeGreaterThan(0.05);
});

test('what is no part of the main text does not count', () => {
  const menu = '<nav><a href="a.html">Home</a> <a href="b.html">Products</a></nav>';
  expect(readPage(`${menu}<main>${prose()}</main>`).linkShare).toBe(0);
});
