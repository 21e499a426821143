import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeRobots, maxRobotsBytes, parseRobots } from '../../../src/crawl/site/robots.ts';
import { dataSets } from '../../data-sets.ts';

interface RobotsCase {
  readonly test: string;
  readonly robots: string;
  readonly agent: string;
  readonly url: string;
  readonly allowed: boolean;
}

const site = (path: string) => `https://example.com${path}`;

describe('groups', () => {
  test('our own group is used alone, even when it is empty of rules', () => {
    const robots = parseRobots('User-agent: *\nDisallow: /\n\nUser-agent: gleaner\nDisallow:\n');
    expect(robots.allows(site('/a'))).toBe(true);
  });

  test('groups of the same agent are merged', () => {
    const robots = parseRobots(
      'User-agent: Gleaner\nDisallow: /a\n\nUser-agent: x\nDisallow: /b\n\nUser-agent: Gleaner\nDisallow: /c\n',
    );
    expect([site('/a'), site('/b'), site('/c')].map(robots.allows)).toEqual([false, true, false]);
  });

  test('rules before any user agent apply to none', () => {
    expect(parseRobots('Disallow: /\nUser-agent: other\nDisallow: /').allows(site('/a'))).toBe(true);
  });

  test('a version after the product token does not matter, a longer token does', () => {
    expect(parseRobots('User-agent: Gleaner/1.0\nDisallow: /').allows(site('/'))).toBe(false);
    expect(parseRobots('User-agent: GleanerX\nDisallow: /').allows(site('/'))).toBe(true);
  });
});

/** What Google's parser does beyond RFC 9309, and its own tests mark as its own. */
describe("Google's own reading", () => {
  const closed = 'user-agent: FooBot\ndisallow: /\n';
  const spaced = 'User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n';
  const index = 'User-Agent: *\nAllow: /allowed-slash/index.html\nDisallow: /\n';
  test.each([
    ['an empty file allows all', '', 'FooBot', '/x/y', true],
    ['an agent without a name has the rules for all, and here are none', closed, '', '/x/y', true],
    ['a URL without a path is the root', closed, 'FooBot', '', false],
    ['a colon may be missing', 'user-agent FooBot\ndisallow /\n', 'FooBot', '/x/y', false],
    [
      'but not where more than a value follows',
      'user-agent FooBot\ndisallow / all\n',
      'FooBot',
      '/x/y',
      true,
    ],
    ['an agent counts up to its first space', spaced, 'Foo', '/x/y', true],
    ['and not beyond', spaced, 'Foo Bar', '/x/y', false],
    ['a star may be followed by words', 'user-agent: * baz\ndisallow: /\n', 'FooBot', '/x', false],
    ['but not by letters at once', 'user-agent: *baz\ndisallow: /\n', 'FooBot', '/x', true],
    [
      'escapes of unreserved characters are the characters, as RFC 9309 says and that parser does not',
      'user-agent: *\ndisallow: /\nallow: /%62%61%7A\n',
      'FooBot',
      '/baz',
      true,
    ],
    [
      'but whatever their case',
      'user-agent: *\ndisallow: /\nallow: /%e3%83%84\n',
      'FooBot',
      '/%E3%83%84',
      true,
    ],
    ['an allowed index page allows its folder', index, 'foo', '/allowed-slash/', true],
    ['and itself', index, 'foo', '/allowed-slash/index.html', true],
    ['and nothing else', index, 'foo', '/allowed-slash/index.htm', false],
    ['nor what lies below', index, 'foo', '/allowed-slash/x', false],
  ])('%s', (_, robots, agent, path, allowed) => {
    expect(parseRobots(robots, agent).allows(`http://foo.bar${path}`)).toBe(allowed);
  });

  test.each([
    ['whole', [0xef, 0xbb, 0xbf], false],
    ['cut off', [0xef, 0xbb], false],
    ['cut off shorter', [0xef], false],
    ['damaged', [0xef, 0x11, 0xbf], true],
  ])('a byte order mark that is %s', (_, mark, allowed) => {
    const bytes = Buffer.concat([Buffer.from(mark), Buffer.from('User-Agent: *\nDisallow: /\n')]);
    expect(parseRobots(decodeRobots(bytes)).allows(site('/a'))).toBe(allowed);
  });
});

describe('Crawl-delay', () => {
  test('is taken from our group', () => {
    const robots = parseRobots(
      'User-agent: *\nCrawl-delay: 7\nUser-agent: Gleaner\nCrawl-delay: 2.5\nDisallow:\n',
    );
    expect(robots.crawlDelaySeconds).toBe(2.5);
  });

  test('of everyone counts when no group is ours, and does not end a group', () => {
    const robots = parseRobots('User-agent: *\nCrawl-delay: 7\nUser-agent: other\nDisallow: /private/\n');
    expect(robots.crawlDelaySeconds).toBe(7);
    expect(robots.allows(site('/private/x'))).toBe(false);
  });

  test.each(['', 'soon', '-3', 'NaN'])('%j is no delay', (value) => {
    expect(parseRobots(`User-agent: *\nCrawl-delay: ${value}\n`).crawlDelaySeconds).toBeNull();
  });
});

test('sitemaps are listed once each, whatever group they stand in', () => {
  const robots = parseRobots(
    'Sitemap: https://a.example/1.xml\nUser-agent: x\nsitemap: /2.xml\nSitemap: https://a.example/1.xml\n',
  );
  expect(robots.sitemaps).toEqual(['https://a.example/1.xml', '/2.xml']);
});

test('a byte order mark, CR line ends and comments are taken in stride', () => {
  const robots = parseRobots('\uFEFFUser-agent: * # all\rDisallow: /a # not this\r\nDisallow: /b');
  expect([site('/a'), site('/b'), site('/c')].map(robots.allows)).toEqual([false, false, true]);
});

test('wildcards and the end mark match as in RFC 9309', () => {
  const robots = parseRobots('User-agent: *\nDisallow: /*.gif$\nDisallow: /a*b*c\nDisallow: /exact$\n');
  const refused = ['/x.gif', '/x.gif.gif', '/axbxc', '/abcd', '/exact'].map(site);
  const allowed = ['/x.gif?y', '/acb', '/exact/', '/exactly'].map(site);
  expect(refused.filter(robots.allows)).toEqual([]);
  expect(allowed.filter((url) => !robots.allows(url))).toEqual([]);
});

test('what stands past the size limit is not read', () => {
  const rule = 'User-agent: *\nDisallow: /\n';
  const text = '#'.repeat(maxRobotsBytes - rule.length - 1);
  expect(parseRobots(decodeRobots(Buffer.from(`${text}\n${rule}`))).allows(site('/'))).toBe(false);
  expect(parseRobots(decodeRobots(Buffer.from(`${text}####\n${rule}`))).allows(site('/'))).toBe(true);
});

test('usual misspellings are understood', () => {
  const robots = parseRobots('User agent: *\nDissallow: /a\nDisallow /b\nSite-map: /s.xml\n');
  expect([site('/a'), site('/b'), site('/c')].map(robots.allows)).toEqual([false, false, true]);
  expect(robots.sitemaps).toEqual(['/s.xml']);
});

test('text that is no valid Unicode is read without throwing', () => {
  expect(parseRobots('User-agent: *\nDisallow: /\uD800').allows(site('/a'))).toBe(true);
});

test('a pattern full of stars and a file full of rules take no noticeable time', () => {
  const bomb = `User-agent: *\nDisallow: /${'*a'.repeat(4000)}$\n${'Disallow: /x*y\n'.repeat(20_000)}`;
  expect(parseRobots(bomb).allows(site(`/${'a'.repeat(2000)}b`))).toBe(true);
});

describe.each(dataSets('robots'))('cases and files: $name', ({ folder: data, isOutside }) => {
  const lines = readFileSync(new URL('cases.jsonl', data), 'utf8').trim().split('\n');
  const cases: RobotsCase[] = lines.map((line) => JSON.parse(line));

  test('every decision is ours, but for escapes, where RFC 9309 section 2.2.2 says otherwise', () => {
    expect(cases.length).toBeGreaterThan(isOutside ? 70 : 30);
    for (const { test, robots, agent, url, allowed } of cases) {
      if (robots.includes('%62%61%7A') && url.endsWith('/baz')) continue;
      expect({ test, robots, agent, url, allowed: parseRobots(robots, agent).allows(url) }).toEqual({
        test,
        robots,
        agent,
        url,
        allowed,
      });
    }
  });

  test('odd files are read without throwing', () => {
    const files = readdirSync(new URL('files/', data));
    expect(files.length).toBeGreaterThan(isOutside ? 20 : 7);
    for (const file of files) {
      const robots = parseRobots(decodeRobots(readFileSync(new URL(`files/${file}`, data))));
      expect(typeof robots.allows(site('/a?b'))).toBe('boolean');
    }
  });

  test.each(['robots-with-utf8-bom.txt', 'robots-with-utf16le-bom.txt', 'robots-with-utf16be-bom.txt'])(
    '%s reads the same as its siblings',
    (file) => {
      const text = decodeRobots(readFileSync(new URL(`files/${file}`, data)));
      expect(text).toBe(decodeRobots(readFileSync(new URL('files/robots-with-utf8-bom.txt', data))));
    },
  );
});

test('escapes of unreserved characters are compared as the characters (RFC 9309 section 2.2.2)', () => {
  const robots = parseRobots('User-agent: *\nDisallow: /%7Eann/\nDisallow: /b%2Fc');
  expect(robots.allows('https://a.example/~ann/x')).toBe(false);
  expect(robots.allows('https://a.example/%7eann/x')).toBe(false);
  expect(robots.allows('https://a.example/b/c')).toBe(true);
  expect(robots.allows('https://a.example/b%2fc')).toBe(false);
});

test('a file written as HTML is read by its lines', () => {
  const robots = parseRobots(
    '<html><body><p>User-agent: *<br>Disallow: /private/</p><p>Allow: /private/open</p>',
  );
  expect(robots.allows('https://a.example/private/x')).toBe(false);
  expect(robots.allows('https://a.example/private/open')).toBe(true);
  const page = '<!doctype html><title>Not found</title><p>Disallow us: nothing here.</p>';
  expect(parseRobots(page).allows('https://a.example/')).toBe(true);
});

test.each(['desallow', 'dissalow', 'disalow', 'dis-allow', 'disallows', 'disllow'])('%s forbids', (word) => {
  expect(parseRobots(`User-agent: *\n${word}: /private`).allows('https://a.example/private')).toBe(false);
});
