import { describe, expect, test } from 'vitest';
import { parsePageSelection } from '../../../src/cli/arguments/page-selection.ts';

const pages = [
  'https://example.com/',
  'https://example.com/docs',
  'https://example.com/docs/a',
  'https://example.com/docs-old',
  'http://example.com/docs/a',
  'https://example.com:8443/docs/a',
  'https://sub.example.com/docs/a',
  'https://notexample.com/docs/a',
  'http://127.0.0.1:8081/a',
  'http://127.0.0.1:8082/a',
  'http://wiki/a',
  'http://[::1]:80/a',
  'file:///srv/docs/a.html',
  'file:///srv/docs-old/a.html',
];
const selected = (text: string) => pages.filter(parsePageSelection(text).has);

describe('a URL with a scheme', () => {
  test.each(['https://example.com/docs', 'HTTPS://Example.com:443/x/../docs#part'])(
    '%s is that page alone',
    (url) => expect(selected(url)).toEqual(['https://example.com/docs']),
  );

  test('never stands for its site or its folder', () => {
    expect(selected('https://example.com')).toEqual(['https://example.com/']);
    expect(selected('https://example.com/docs/')).toEqual([]);
    expect(selected('https://sub.example.com/')).toEqual([]);
    expect(selected('file:///srv/docs')).toEqual([]);
  });

  test('with /* at its end is all below it, on that host and port alone', () => {
    expect(selected('https://example.com/docs/*')).toEqual(['https://example.com/docs/a']);
    expect(selected('https://example.com/*')).toHaveLength(4);
    expect(selected('http://wiki/*')).toEqual(['http://wiki/a']);
    expect(selected('file:///srv/docs/*')).toEqual(['file:///srv/docs/a.html']);
    expect(selected('file:///srv/docs/')).toEqual(['file:///srv/docs/a.html']);
  });
});

describe('a site', () => {
  test('is the host with its subdomains, on all ports unless one is given', () => {
    expect(selected('example.com')).toHaveLength(7);
    expect(selected('example.com:8443')).toEqual(['https://example.com:8443/docs/a']);
    expect(selected('example.com:443')).toHaveLength(5);
    expect(selected('example.com:80')).toEqual(['http://example.com/docs/a']);
    expect(selected('127.0.0.1')).toHaveLength(2);
    expect(selected('127.0.0.1:8081')).toEqual(['http://127.0.0.1:8081/a']);
    expect(selected('[::1]')).toEqual(['http://[::1]:80/a']);
  });

  test.each(['example.com/docs', 'example.com/docs/', 'example.com/docs/*'])(
    '%s is limited to that folder',
    (text) => {
      expect(selected(text)).toEqual([
        'https://example.com/docs',
        'https://example.com/docs/a',
        'http://example.com/docs/a',
        'https://example.com:8443/docs/a',
        'https://sub.example.com/docs/a',
      ]);
    },
  );

  test('without a dot is told from others', () => {
    const bare = [
      'com',
      'com.',
      '*.com',
      'com/docs',
      'wiki',
      'localhost',
      'example.com',
      '127.0.0.1',
      '[::1]',
    ];
    expect(bare.filter((text) => parsePageSelection(text).isBareName)).toEqual(bare.slice(0, 5));
  });
});

test.each([
  '',
  '*',
  '/docs',
  'ftp://example.com/',
  'https://',
  'https://a:b@example.com/',
  'file:///a*',
  '2024',
])('%j names nothing', (text) => expect(() => parsePageSelection(text)).toThrow(/names no page and no site/));

test('the hosts of a selection are those that its pages can be on', () => {
  const hosts = ['example.com', 'example.com:8443', 'sub.example.com', '127.0.0.1:8081', ''];
  const on = (text: string) => hosts.filter(parsePageSelection(text).hasHost);
  expect(on('https://example.com/docs')).toEqual(['example.com']);
  expect(on('example.com')).toEqual(['example.com', 'example.com:8443', 'sub.example.com']);
  expect(on('example.com:8443')).toEqual(['example.com:8443']);
  expect(on('example.com:443')).toEqual(['example.com', 'sub.example.com']);
  expect(on('127.0.0.1')).toEqual(['127.0.0.1:8081']);
  expect(on('file:///srv/*')).toEqual(['']);
});
