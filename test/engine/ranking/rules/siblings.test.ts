import { expect, test } from 'vitest';
import { siblingFactor, siblingFactors } from '../../../../src/engine/ranking/rules/siblings.ts';
import type { Page } from '../../../../src/page.ts';
import { addressOf } from '../../../../src/text/page-address.ts';
import { examplePage } from '../../../pages.ts';

const host = 'https://docs.example';
const old = siblingFactor;

const located = (head: Page) => ({ head, address: addressOf(head.url) });

/** The factors of pages at these paths, all of one title and in English unless they say. */
function factors(
  pages: readonly (string | { path: string; title?: string; lang?: string })[],
  { text = 'heron', lang = 'en' } = {},
): number[] {
  const heads = pages
    .map((page) => (typeof page === 'string' ? { path: page } : page))
    .map(({ path, title = 'Heron', lang = 'en' }) => examplePage({ url: `${host}${path}`, title, lang }));
  return siblingFactors(heads.map(located), { text, lang });
}

test.each([
  ['/3.9/heron.html', '/3.11/heron.html'],
  ['/3.9/heron.html', '/3/heron.html'],
  ['/docs/v1/heron', '/docs/v2/heron'],
  ['/1.0/heron', '/heron'],
  ['/1.0/heron', '/latest/heron'],
  ['/dev/heron', '/1.0/heron'],
  ['/main/heron', '/stable/heron'],
  ['/en/1.9/heron/', '/en/1.10/heron/'],
])('%s gives way to %s', (older, newer) => {
  expect(factors([older, newer])).toEqual([old, 1]);
  expect(factors([newer, older])).toEqual([1, old]);
});

test('titles of versions may tell their numbers', () => {
  const pages = [
    { path: '/1.0/heron', title: 'Heron 1.0.5' },
    { path: '/2.0/heron', title: 'Heron 2.0' },
  ];
  expect(factors(pages)).toEqual([old, 1]);
});

test('the version that the question names is the one that is wanted', () => {
  expect(factors(['/3.9/heron', '/3.11/heron'], { text: 'heron 3.9' })).toEqual([1, old]);
  expect(factors(['/v1/heron', '/v2/heron'], { text: 'heron 1' })).toEqual([1, old]);
});

test('a translation gives way to the page in the language of the question', () => {
  const pages = [{ path: '/ja/heron', lang: 'ja' }, { path: '/heron' }];
  expect(factors(pages)).toEqual([old, 1]);
  expect(factors(pages, { lang: 'ja' })).toEqual([1, old]);
  expect(factors(pages, { lang: 'fr' })).toEqual([1, 1]);
});

test.each([
  ['pages of a list', ['/page/1/', '/page/2/']],
  ['days', ['/2024/heron', '/2025/heron']],
  ['other pages', ['/3.9/heron', '/3.11/tern']],
  ['languages of programs', ['/go/heron', '/js/heron']],
])('%s are no versions of each other', (_, [one = '', other = '']) => {
  expect(factors([one, other])).toEqual([1, 1]);
});

test('pages of another title are no versions, and those of another host neither', () => {
  expect(factors([{ path: '/1/heron' }, { path: '/2/heron', title: 'Tern' }])).toEqual([1, 1]);
  const heads = ['https://a.example/1/heron', 'https://b.example/2/heron'].map((url) =>
    examplePage({ url, title: 'Heron' }),
  );
  expect(siblingFactors(heads.map(located), { text: 'heron', lang: 'en' })).toEqual([1, 1]);
});
