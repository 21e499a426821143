import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDomainRules } from '../../src/query/domain-rules.ts';
import type { Query } from '../../src/query/query.ts';
import { siteMatches } from '../../src/query/site.ts';

const rulesOf = (text: string) => parseDomainRules(text).rules;

describe('rules for domains', () => {
  test.each([
    ['block example.com', 'https://example.com/a', true],
    ['block example.com', 'https://www.example.com/', true],
    ['block example.com', 'https://notexample.com/', false],
    ['block *.example.com', 'https://example.com/', true],
    ['block example.com/blog', 'https://example.com/blog/a', true],
    ['block example.com/blog', 'https://example.com/blogs', false],
    ['*://*.example.com/*', 'https://a.example.com/', true],
    ['https://example.com/blog/*', 'https://example.com/blog/a', true],
    ['block example.com\n@*://docs.example.com/*', 'https://docs.example.com/', false],
    [
      'block example.com\nallow docs.example.com\nblock docs.example.com/old',
      'https://docs.example.com/old/a',
      true,
    ],
    ['block *\nallow example.com', 'https://other.example/', true],
    ['block *\nallow example.com', 'https://docs.example.com/', false],
    ['*://*/*\nallow example.com', 'https://other.example/', true],
    ['block example.com\nallow example.com', 'https://example.com/', false],
    ['block *\nallow example.com/docs', 'https://example.com/robots.txt', false],
    ['block *\nallow example.com/docs', 'https://example.com/other', true],
    ['block *\nallow example.com/docs', 'https://other.example/robots.txt', true],
    ['# block example.com', 'https://example.com/', false],
    ['block example.com # why', 'https://example.com/', true],
    ['raise example.com', 'https://example.com/', false],
    ['block localhost:8000', 'http://localhost:8000/', true],
  ])('%j: %s is blocked: %s', (text, url, is) => {
    expect(parseDomainRules(text).wrong).toEqual([]);
    expect(rulesOf(text).isBlocked(url)).toBe(is);
  });

  test('raise and lower scores', () => {
    const { factorOf, hasFactors } = rulesOf(
      'raise example.com\nlower example.com/blog\nlower w3schools.com',
    );
    const urls = [
      'https://a.example.com/',
      'https://example.com/blog/1',
      'https://w3schools.com/',
      'https://b.org/',
    ];
    expect(urls.map(factorOf)).toEqual([1.5, 0.5, 0.5, 1]);
    expect([hasFactors, rulesOf('block a.org').hasFactors]).toEqual([true, false]);
  });

  test.each([
    ['hide example.com', /must be block, allow, raise or lower/],
    ['example', /must be block/],
    ['block', /must be block/],
    ['block exa*mple.com', /is no domain/],
    ['block com', /is no domain/],
    ['/example\\.(net|org)/', /regular expressions/],
    ['title/free/i', /must be block/],
    ['*://example.*/*', /must be block/],
  ])('%s is a mistake, named with its line', (text, why) => {
    const { wrong } = parseDomainRules(`block a.org\n\n${text}\nblock b.org`);
    expect(wrong).toEqual([{ line: 3, why: expect.stringMatching(why) }]);
  });
});

/** What a query of sites matches, by the definition. */
function matches(query: Query, url: string): boolean {
  switch (query.kind) {
    case 'all':
      return query.of.every((part) => matches(part, url));
    case 'any':
      return query.of.some((part) => matches(part, url));
    case 'not':
      return !matches(query.of, url);
    case 'site':
      return siteMatches(query, url);
    default:
      throw new Error(`${query.kind} in a query of sites`);
  }
}

test('the query for the index matches what is blocked, whatever the rules', () => {
  const host = fc.constantFrom('a.org', 'x.a.org', 'y.x.a.org', 'b.org');
  const path = fc.constantFrom('', '/p', '/p/q', '/pq');
  const rule = fc
    .tuple(
      fc.constantFrom('block', 'allow'),
      fc.oneof(
        fc.constant('*'),
        fc.tuple(host, path).map((of) => of.join('')),
      ),
    )
    .map((of) => of.join(' '));
  const urls = ['a.org', 'x.a.org', 'y.x.a.org', 'z.a.org', 'b.org', 'c.org'].flatMap((name) =>
    ['/', '/p', '/p/q/r', '/pq'].map((of) => `https://${name}${of}`),
  );
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 8 }), (lines) => {
      const { isBlocked, blocked } = rulesOf(lines.join('\n'));
      for (const url of urls)
        expect([url, blocked !== undefined && matches(blocked, url)]).toEqual([url, isBlocked(url)]);
    }),
    { numRuns: 500 },
  );
});
