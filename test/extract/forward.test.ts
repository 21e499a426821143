import { expect, test } from 'vitest';
import { prose, readPage } from './extractor.ts';

const forwardOf = (head: string, body = '<p>Redirecting to <a href="x">x</a>...</p>'): string | undefined =>
  readPage(`<html><head><title>Redirection</title>${head}</head><body>${body}</body></html>`, { url })
    .forwardsTo;
const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`;
const url = 'https://site.example/guide/page.html';

test.each([
  ['0;URL=../std/struct.A.html', '/std/struct.A.html'],
  ['0; url=there.html#part', '/guide/there.html'],
  ["0;url='there.html'", '/guide/there.html'],
  ['0 there.html', '/guide/there.html'],
  ['1.5, https://other.example/', 'https://other.example/'],
])('a page that says no more than %s forwards to it', (content, target) => {
  expect(forwardOf(refresh(content))).toBe(new URL(target, url).href);
});

test.each(['0', '5; url=there.html', '0; url=page.html#top', 'soon; url=there.html', '0; url=https://'])(
  '%s forwards nowhere',
  (content) => {
    expect(forwardOf(refresh(content))).toBeUndefined();
  },
);

test('a page with a text of its own, or one for readers without scripts, forwards nowhere', () => {
  expect(forwardOf(refresh('0; url=there.html'), prose().repeat(3))).toBeUndefined();
  expect(forwardOf(`<noscript>${refresh('0; url=there.html')}</noscript>`)).toBeUndefined();
});
