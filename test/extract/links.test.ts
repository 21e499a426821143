import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absoluteUrl } from '../../src/extract/links.ts';
import { readPage } from './extractor.ts';

const links = (html: string, url = 'https://x.example/a/b') => readPage(`<p>words</p>${html}`, { url }).links;
const urls = (html: string, url?: string) => links(html, url).map((link) => link.url);

describe('links', () => {
  test('are absolute, without fragments, each once', () => {
    expect(
      urls('<a href="c">1</a><a href="c#d">2</a><a href="/e?q=1">3</a><a href="//y.example">4</a>'),
    ).toEqual(['https://x.example/a/c', 'https://x.example/e?q=1', 'https://y.example/']);
  });

  test('start from the base element', () => {
    expect(urls('<base href="/docs/"><a href="c">1</a>')).toEqual(['https://x.example/docs/c']);
  });

  test('lead to http and https only, and not to the page itself', () => {
    expect(
      urls(
        '<a href="mailto:a@b.c">1</a><a href="javascript:x()">2</a><a href="#top">3</a><a href="https://[">4</a><a>5</a>',
      ),
    ).toEqual([]);
  });

  test('are what a URL parser makes of them', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '/',
        '//',
        '.',
        '..',
        '%2e',
        '%',
        '?',
        '#',
        ':',
        '@',
        ';',
        '=',
        '&',
        '+',
        ' ',
        '~',
        '_',
        'ü',
        '\\',
        "'",
      ),
      fc.constantFrom('a', 'B', '1', 'index.html', 'https://x.example', 'https://x.example/', '/a/b', 'q=1'),
    );
    const reference = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(reference, (href) => {
        const found = urls(`<a href="${href.replaceAll('"', '&quot;').replaceAll('&', '&amp;')}">1</a>`);
        const expected = href.startsWith('#') ? null : absoluteUrl(href, 'https://x.example/a/b');
        expect(found).toEqual(expected === null ? [] : [expected]);
      }),
      { numRuns: 2000 },
    );
  });

  test('carry no credentials', () => {
    expect(urls('<a href="https://user:pass@y.example/z">1</a>')).toEqual(['https://y.example/z']);
  });

  test('include frames, areas and those inside navigation', () => {
    expect(urls('<nav><a href="n">1</a></nav><map><area href="m"></map><iframe src="f"></iframe>')).toEqual([
      'https://x.example/a/n',
      'https://x.example/a/m',
      'https://x.example/a/f',
    ]);
  });

  test('are nofollow only if every link to the same place is', () => {
    expect(links('<a rel="nofollow" href="c">1</a><a rel="ugc" href="d">2</a><a href="c">3</a>')).toEqual([
      { url: 'https://x.example/a/c', nofollow: false },
      { url: 'https://x.example/a/d', nofollow: true },
    ]);
  });
});
