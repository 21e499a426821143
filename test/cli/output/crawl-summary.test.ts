import { expect, test } from 'vitest';
import { describeCrawl, describePause } from '../../../src/cli/output/crawl-summary.ts';

const nothing = {
  stored: 0,
  unchanged: 0,
  rendered: 0,
  removed: 0,
  refusedByRobots: 0,
  moved: {},
  failed: {},
  examples: {},
  nofollowed: 0,
  left: [],
  sitemaps: [],
  queued: 0,
  before: 0,
  stopped: false,
  atMaxPages: false,
};

test('the summary shows the most frequent reasons first, with a few URLs under each', () => {
  const text = describeCrawl({
    ...nothing,
    stored: 12,
    refusedByRobots: 1,
    failed: { 'status 403': 1, 'not found': 2 },
    examples: {
      'refused by robots.txt': ['https://a.example/x'],
      'not found': ['https://a.example/1', 'https://a.example/2'],
      'status 403': ['https://a.example/3'],
    },
  });
  expect(text.split('\n').map((line) => line.trim().replace(/\s{2,}/g, ' | '))).toEqual([
    'stored | 12',
    'unchanged | 0',
    'removed | 0',
    'refused by robots.txt | 1',
    'https://a.example/x',
    'another page | 0',
    'failed | 3',
    'not found | 2',
    'https://a.example/1',
    'https://a.example/2',
    'status 403 | 1',
    'https://a.example/3',
    'links not to be followed | 0',
    'left for the next run | 0',
    '',
  ]);
});

test('a host that was left is named with its reason and its time', () => {
  const until = new Date(2026, 2, 1, 14, 5).getTime();
  const text = describeCrawl({
    ...nothing,
    left: [{ host: 'a.example', why: 'status 503', until }],
    queued: 7,
  });
  expect(text).toContain('a.example was left before its pages were done: status 503.');
  expect(text).toContain('not asked again before 2026-03-01 14:05:00');
});

test('a crawl that ended at its limit of pages says what is left and what to do', () => {
  expect(describeCrawl({ ...nothing, stored: 1000, queued: 170, atMaxPages: true })).toMatch(
    /Ended at --max-pages, with 170 URLs left\. The same command goes on with them, and a larger --max-pages reads more in one run:\n$/,
  );
  expect(describeCrawl({ ...nothing, queued: 170 })).not.toContain('--max-pages');
});

test('a pause is explained', () => {
  const now = new Date(2026, 2, 1, 14, 5).getTime();
  expect(describePause({ host: 'a.example', why: 'status 429', seconds: 77 }, now)).toBe(
    'a.example is left alone for 77 s, until 2026-03-01 14:06:17: status 429',
  );
});

test.each([
  ['the port is not a web port', 'ports'],
  ['the host is not on the public internet', 'network'],
])('%s comes with what to do', (reason, word) => {
  expect(describeCrawl({ ...nothing, failed: { [reason]: 1 } })).toMatch(
    new RegExp(`${word}.* --allow-private`),
  );
});

test('sitemaps that were not read whole are named, the first ten of them', () => {
  const sitemaps = Array.from({ length: 12 }, (_, n) => ({
    url: `https://a.example/${n}.xml`,
    why: 'status 500',
  }));
  const text = describeCrawl({ ...nothing, sitemaps });
  expect(text).toContain('Sitemap https://a.example/0.xml: status 500.\n');
  expect(text).toContain('Sitemap https://a.example/9.xml: status 500.\n... and 2 other sitemaps.\n');
});
