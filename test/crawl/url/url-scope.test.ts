import { expect, test } from 'vitest';
import { createUrlScope } from '../../../src/crawl/url/url-scope.ts';

const seeds = ['https://example.com/'];

test.each([
  ['/docs/*', '/docs/a', true],
  ['/docs/*', '/docs/a/b?x=1', true],
  ['/docs/*', '/old/docs/a', false],
  ['/docs', '/docs', true],
  ['/docs', '/docs?page=2', true],
  ['/docs', '/docs/a', false],
  ['/search?q=*', '/search?q=owl', true],
  ['/search?q=*', '/search', false],
  ['*.pdf', '/a/b.pdf', true],
  ['*.pdf', '/a/b.pdf?v=1', true],
  ['*.pdf', '/a/pdf', false],
  ['blog/*', '/en/blog/1', true],
  ['blog/*', '/weblog/1', false],
  ['**/blog/**', '/en/blog/1', true],
  ['example.com/blog/*', '/blog/1', true],
  ['*.example.com/*', '/blog/1', false],
  ['https://example.com/blog/*', '/blog/1', true],
  ['http://example.com/*', '/blog/1', false],
  ['*', '/anything', true],
])('the glob %s on %s: %s', (glob, path, matches) => {
  const url = `https://example.com${path}`;
  expect(createUrlScope({ seeds, include: [glob] })(url)).toBe(matches);
  expect(createUrlScope({ seeds, exclude: [glob] })(url)).toBe(!matches);
});

test('one glob of several is enough, and what is excluded stays out', () => {
  const wanted = createUrlScope({ seeds, include: ['/a/*', '/b/*'], exclude: ['*.pdf'] });
  const urls = ['/a/1', '/b/1', '/c/1', '/a/1.pdf'].map((path) => `https://example.com${path}`);
  expect(urls.map(wanted)).toEqual([true, true, false, false]);
});

test.each([
  ['/guide/', ['/guide/', '/guide/a', '/guide/a/b', '/guide'], ['/guidebook', '/', '/other/guide/']],
  ['/guide', ['/guide/', '/guide/a', '/guide'], ['/guidebook', '/']],
  ['/guide/index.html', ['/guide/', '/guide/a', '/guide/index.html'], ['/a', '/guide2/']],
  ['/', ['/', '/a'], []],
])('the same path as %s', (path, inside, outside) => {
  const wanted = createUrlScope({ seeds: [`https://example.com${path}`], samePath: true });
  for (const each of inside) expect([each, wanted(`https://example.com${each}`)]).toEqual([each, true]);
  for (const each of outside) expect([each, wanted(`https://example.com${each}`)]).toEqual([each, false]);
  expect(wanted(`https://other.example${path}`)).toBe(false);
});
