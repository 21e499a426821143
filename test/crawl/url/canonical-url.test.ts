import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalUrl, maxUrlLength } from '../../../src/crawl/url/canonical-url.ts';
import { dataSets } from '../../data-sets.ts';

test.each([
  ['HTTP://Example.COM', 'http://example.com/'],
  ['https://example.com:443/a', 'https://example.com/a'],
  ['http://example.com:443/a', 'http://example.com:443/a'],
  ['http://example.com:8080/a', 'http://example.com:8080/a'],
  ['https://example.com./a', 'https://example.com/a'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['https://example.com/a/../b/./c', 'https://example.com/b/c'],
  ['https://example.com/a/', 'https://example.com/a/'],
  ['https://example.com//a', 'https://example.com//a'],
  ['https://example.com/Case', 'https://example.com/Case'],
  ['https://example.com/a#part', 'https://example.com/a'],
  ['https://example.com/a?', 'https://example.com/a'],
  ['https://example.com/%e3%83%84?q=%c3%bc', 'https://example.com/%E3%83%84?q=%C3%BC'],
  ['https://example.com/%7Euser', 'https://example.com/~user'],
  ['https://example.com/?b=2&a=1', 'https://example.com/?b=2&a=1'],
  ['https://example.com/?utm_source=x&id=7&UTM_Medium=y&fbclid=z', 'https://example.com/?id=7'],
  ['https://example.com/?gclid=1', 'https://example.com/'],
  ['https://example.com/?utm=kept&ref=kept', 'https://example.com/?utm=kept&ref=kept'],
  ['https://example.com/?a=1+2&b=%26', 'https://example.com/?a=1+2&b=%26'],
  ['https://example.com/shop;jsessionid=AB12/cart?x', 'https://example.com/shop/cart?x'],
  ['https://example.com/shop/(S(lit3py55t21z5v55vlm25s55))/cart.aspx', 'https://example.com/shop/cart.aspx'],
  ['https://example.com/f(x)/(S)/a', 'https://example.com/f(x)/(S)/a'],
  ['https://example.com/?sid=0a1b2c3d4e5f60718293&id=7', 'https://example.com/?id=7'],
  ['https://example.com/?sid=1204&session=morning', 'https://example.com/?sid=1204&session=morning'],
  [
    'https://example.com/?s=heron&PHPSESSID=x&ASPSESSIONIDQQ=1&CFID=2&CFTOKEN=3',
    'https://example.com/?s=heron',
  ],
  ['https://example.com/index.html', 'https://example.com/index.html'],
  ['https://example.com/a', 'https://example.com/a'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://[2001:DB8::1]:80/', 'http://[2001:db8::1]/'],
])('%s is known as %s', (url, canonical) => {
  expect(canonicalUrl(url)).toBe(canonical);
});

test.each([
  'ftp://example.com/',
  'javascript:alert(1)',
  'mailto:a@example.com',
  'https://user:secret@example.com/',
  'https://user@example.com/',
  'https://',
  '/relative',
  '',
])('%j is no page', (url) => {
  expect(canonicalUrl(url)).toBeNull();
});

test('a relative URL is resolved against its base', () => {
  expect(canonicalUrl('../b?x#y', 'https://example.com/a/c/')).toBe('https://example.com/a/b?x');
});

test('a URL past the length limit is no page', () => {
  const start = 'https://example.com/';
  expect(canonicalUrl(start.padEnd(maxUrlLength, 'a'))).not.toBeNull();
  expect(canonicalUrl(start.padEnd(maxUrlLength + 1, 'a'))).toBeNull();
});

test('the canonical form of a canonical URL is itself', () => {
  const url = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true, validSchemes: ['http', 'https', 'HTTP'] }),
    fc.string({ unit: 'grapheme' }).map((rest) => `https://example.com/${rest}`),
    fc
      .string({
        unit: fc.constantFrom('%', '6', 'a', 'F', ';', '/', '.', '?', '&', 'gclid=', ';jsessionid='),
      })
      .map((rest) => `http://a.example/${rest}`),
  );
  fc.assert(
    fc.property(url, (raw) => {
      const once = canonicalUrl(raw);
      if (once !== null) expect(canonicalUrl(once)).toBe(once);
    }),
    { numRuns: 2000 },
  );
});

test.each(dataSets('url'))('is idempotent on URLs of every form: $name', ({ folder, isOutside }) => {
  const cases: unknown[] = JSON.parse(readFileSync(new URL('urltestdata.json', folder), 'utf8'));
  let seen = 0;
  for (const entry of cases) {
    if (typeof entry !== 'object' || entry === null) continue;
    const { input, base } = entry as { input: string; base: string | null };
    const once = canonicalUrl(input, base ?? undefined);
    if (once === null) continue;
    seen += 1;
    expect(canonicalUrl(once)).toBe(once);
  }
  expect(seen).toBeGreaterThan(isOutside ? 100 : 20);
});

test('escapes of unreserved characters are the characters (RFC 3986 section 6.2.2.2)', () => {
  expect(canonicalUrl('https://a.example/%7Eann/%41%2Db%2Ec%5F1?q=%61%2B%2F')).toBe(
    'https://a.example/~ann/A-b.c_1?q=a%2B%2F',
  );
});

test.each(['%%341', '%4%31', '%25%34%31', '%%34%31', '%2541', '%E2%82%AC%zz'])(
  'decoding %s makes no other escape',
  (path) => {
    const once = canonicalUrl(`https://a.example/${path}`) as string;
    expect(canonicalUrl(once)).toBe(once);
    expect(bytesOf(once)).toBe(bytesOf(`https://a.example/${path}`));
  },
);

/** The bytes that a server reads. */
const bytesOf = (url: string) =>
  url.replace(
    /%([0-9a-f]{2})|./gi,
    (all, octet) => `${octet ? Number.parseInt(octet, 16) : all.charCodeAt(0)} `,
  );
