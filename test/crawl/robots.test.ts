import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeRobots, maxRobotsBytes, parseRobots } from '../../src/crawl/robots.ts';

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

  test('rules before any user agent belong to nobody', () => {
    expect(parseRobots('Disallow: /\nUser-agent: other\nDisallow: /').allows(site('/a'))).toBe(true);
  });

  test('a version after the product token does not matter, a longer token does', () => {
    expect(parseRobots('User-agent: Gleaner/1.0\nDisallow: /').allows(site('/'))).toBe(false);
    expect(parseRobots('User-agent: GleanerX\nDisallow: /').allows(site('/'))).toBe(true);
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

const data = new URL('../../../shared/data/robots/', import.meta.url);
describe.skipIf(!existsSync(data))("others' vectors (needs ../shared/data)", () => {
  const lines = existsSync(data) ? readFileSync(new URL('cases.jsonl', data), 'utf8').trim().split('\n') : [];
  const cases: RobotsCase[] = lines.map((line) => JSON.parse(line));

  test("every decision of Google's parser is ours", () => {
    expect(cases.length).toBeGreaterThan(70);
    for (const { test, robots, agent, url, allowed } of cases) {
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
    expect(files.length).toBeGreaterThan(20);
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
