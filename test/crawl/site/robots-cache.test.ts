import { describe, expect, test } from 'vitest';
import { openSite } from '../../site.ts';
import { openCrawler } from '../rig.ts';

const hour = 3_600_000;
const closed = { body: 'User-agent: *\nDisallow: /', headers: { 'content-type': 'text/plain' } };

test('the rules are fetched once and kept for a day, over restarts', async () => {
  const site = await openSite({
    '/robots.txt': { body: 'User-agent: gleaner\nDisallow: /private/\nCrawl-delay: 2' },
  });
  const first = openCrawler();
  for (const path of ['/', '/private/a', '/b']) await first.robotsFor(site.url(path));
  expect(site.timesAsked('/robots.txt')).toBe(1);
  await first.close();

  const second = openCrawler({ folder: first.folder });
  second.clock.ms = first.clock.ms + 23 * hour;
  const answer = await second.robotsFor(site.url('/'));
  expect(answer.kind === 'known' && answer.robots.crawlDelaySeconds).toBe(2);
  expect(answer.kind === 'known' && answer.robots.allows(site.url('/private/a'))).toBe(false);
  expect(site.timesAsked('/robots.txt')).toBe(1);

  second.clock.ms += 2 * hour;
  site.pages.set('/robots.txt', closed);
  const later = await second.robotsFor(site.url('/'));
  expect(later.kind === 'known' && later.robots.allows(site.url('/'))).toBe(false);
  expect(site.timesAsked('/robots.txt')).toBe(2);
});

test.each([400, 401, 403, 404, 410, 451])('status %d allows all', async (status) => {
  const site = await openSite({ '/robots.txt': { ...closed, status } });
  const answer = await openCrawler().robotsFor(site.url('/'));
  expect(answer.kind === 'known' && answer.robots.allows(site.url('/a'))).toBe(true);
});

describe('a robots.txt that cannot be read', () => {
  test.each([429, 500, 503])(
    'with status %d refuses all for a while, without asking again',
    async (status) => {
      const site = await openSite({ '/robots.txt': { status, headers: { 'retry-after': '100' } } });
      const { robotsFor, clock } = openCrawler();
      expect(await robotsFor(site.url('/'))).toMatchObject({
        kind: 'later',
        seconds: 100,
        why: `robots.txt: status ${status}`,
      });
      clock.ms += 40_000;
      expect(await robotsFor(site.url('/b'))).toMatchObject({ kind: 'later', seconds: 60 });
      expect(site.timesAsked('/robots.txt')).toBe(1);
      clock.ms += 60_000;
      site.pages.set('/robots.txt', { status: 404 });
      expect(await robotsFor(site.url('/'))).toMatchObject({ kind: 'known' });
    },
  );

  test('because there is no answer refuses all', async () => {
    const site = await openSite({});
    await site.close();
    expect(await openCrawler().robotsFor(site.url('/'))).toMatchObject({
      kind: 'later',
      why: 'robots.txt: connection refused',
    });
  });

  test('because the host is not public is final', async () => {
    const { robotsFor } = openCrawler({ allowPrivate: false, delaySeconds: 1 });
    expect(await robotsFor('http://127.0.0.1/')).toEqual({
      kind: 'never',
      why: 'the host is not on the public internet',
    });
  });
});

describe('redirects', () => {
  const chain = (hops: number) =>
    Object.fromEntries(
      Array.from({ length: hops }, (_, i) => [
        i === 0 ? '/robots.txt' : `/hop${i}`,
        { status: 301, headers: { location: i === hops - 1 ? '/rules' : `/hop${i + 1}` } },
      ]),
    );

  test('are followed five times', async () => {
    const site = await openSite({ ...chain(5), '/rules': closed });
    const answer = await openCrawler().robotsFor(site.url('/'));
    expect(answer.kind === 'known' && answer.robots.allows(site.url('/a'))).toBe(false);
  });

  test('beyond the fifth mean that there are no rules', async () => {
    const site = await openSite({ ...chain(6), '/rules': closed });
    const answer = await openCrawler().robotsFor(site.url('/'));
    expect(answer.kind === 'known' && answer.robots.allows(site.url('/a'))).toBe(true);
    expect(site.timesAsked('/rules')).toBe(0);
  });
});

test('of a file that is too long the beginning counts', async () => {
  const body = `User-agent: *\nDisallow: /a\n${'#'.repeat(600 * 1024)}\nDisallow: /b\n`;
  const site = await openSite({ '/robots.txt': body });
  const answer = await openCrawler().robotsFor(site.url('/'));
  expect(answer.kind === 'known' && answer.robots.allows(site.url('/a'))).toBe(false);
  expect(answer.kind === 'known' && answer.robots.allows(site.url('/b'))).toBe(true);
});
