import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createOutcomeStore } from '../../src/crawl/outcomes.ts';
import { htmlPage, openSite, type PageOfSite } from '../site.ts';
import { openCrawler } from './rig.ts';

/** 10 GB of zeros in 10 MB: as gzip allows, one member after another. */
function bombOf10Gb(): Buffer {
  const member = gzipSync(Buffer.alloc(100 * 1024 * 1024), { level: 9 });
  return Buffer.concat(Array<Buffer>(102).fill(member));
}

/** Paths that must not become pages, each with what it answers and the name of its outcome. */
const refusals: Record<string, { answer: PageOfSite; outcome: string }> = {
  '/private': { answer: htmlPage('Private'), outcome: 'refused by robots.txt' },
  '/noindex-meta': {
    answer: htmlPage('1', [], '<meta name="robots" content="noindex">'),
    outcome: 'noindex (meta robots)',
  },
  '/noindex-ours': {
    answer: htmlPage('1', [], '<meta name="gleaner" content="none">'),
    outcome: 'noindex (meta robots)',
  },
  '/noindex-header': {
    answer: { body: htmlPage('2'), headers: { 'x-robots-tag': 'noindex' } },
    outcome: 'noindex (X-Robots-Tag)',
  },
  '/noindex-header-ours': {
    answer: { body: htmlPage('2'), headers: { 'x-robots-tag': 'gleaner: none' } },
    outcome: 'noindex (X-Robots-Tag)',
  },
  '/canonical': {
    answer: htmlPage('3', [], '<link rel="canonical" href="/">'),
    outcome: 'canonical is another page',
  },
  '/picture': {
    answer: { body: 'x', headers: { 'content-type': 'image/png' } },
    outcome: 'unsupported type',
  },
  '/binary': {
    answer: { body: Buffer.from([0, 1, 2, 3, 0, 255]), headers: { 'content-type': 'application/x-thing' } },
    outcome: 'unsupported type',
  },
  '/long': { answer: 'x'.repeat(6 * 1024 * 1024), outcome: 'too large' },
  '/bomb': {
    answer: {
      body: gzipSync(Buffer.alloc(100 * 1024 * 1024)),
      headers: { 'content-encoding': 'gzip' },
    },
    outcome: 'too large',
  },
  '/silent': { answer: () => new Promise<null>(() => {}), outcome: 'no answer in time' },
  '/drip': {
    answer: (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
      return null;
    },
    outcome: 'body too slow',
  },
  '/on': {
    answer: ({ path }) => ({ status: 302, headers: { location: `/on?${path.length}${path.slice(-20)}` } }),
    outcome: 'too many redirects',
  },
  '/loop': { answer: { status: 302, headers: { location: '/loop2' } }, outcome: 'redirect loop' },
  '/self': { answer: { status: 301, headers: { location: '/self' } }, outcome: 'redirect to itself' },
  '/headers': { answer: { headers: { 'x-long': 'x'.repeat(40_000) } }, outcome: 'headers too large' },
  '/reset': {
    answer: (_, response) => {
      response.destroy();
      return null;
    },
    outcome: 'connection reset',
  },
  '/cut': {
    answer: (_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
      return null;
    },
    outcome: 'connection reset',
  },
  '/missing': { answer: { status: 404 }, outcome: 'not found' },
  '/gone': { answer: { status: 410 }, outcome: 'not found' },
  '/forbidden': { answer: { status: 403 }, outcome: 'status 403' },
  '/broken': { answer: { status: 500 }, outcome: 'status 500' },
  '/encoding': {
    answer: { body: 'x', headers: { 'content-encoding': 'zstd' } },
    outcome: 'unknown content encoding',
  },
};

test('each refusal has an outcome of its own, in the summary and kept by its address', async () => {
  const paths = Object.keys(refusals);
  const pages = Object.fromEntries(paths.map((path) => [path, refusals[path]?.answer ?? '']));
  // A page between any two, so that nothing counts as a host that is down.
  const between = paths.map((_, i) => `/between${i}`);
  const site = await openSite(
    {
      ...pages,
      '/robots.txt': 'User-agent: *\nDisallow: /private',
      '/': htmlPage(
        'Root',
        paths.flatMap((path, i) => [path, `/between${i}`]),
      ),
      '/loop2': { status: 302, headers: { location: '/loop' } },
    },
    { fallback: ({ path }) => (path.startsWith('/between') ? htmlPage(path) : { status: 404 }) },
  );
  const { crawl, store, storedUrls } = openCrawler({ timeoutMs: 300 });
  const summary = await crawl([site.url('/')]);

  expect(storedUrls()).toEqual(['/', ...between].map(site.url).sort());
  const known = [...createOutcomeStore(store).ofHost(site.host)].map(
    ({ url, outcome }) => `${new URL(url).pathname} ${outcome}`,
  );
  expect(known.sort()).toEqual(paths.map((path) => `${path} ${refusals[path]?.outcome}`).sort());

  const { failed, moved, refusedByRobots, examples } = summary;
  expect(refusedByRobots).toBe(1);
  for (const path of paths) {
    const outcome = refusals[path]?.outcome ?? '';
    const alike = paths.filter((other) => refusals[other]?.outcome === outcome);
    if (outcome !== 'refused by robots.txt') expect({ ...failed, ...moved }[outcome]).toBe(alike.length);
    expect(examples[outcome]).toContain(site.url(path));
  }
});

test('links that are not to be followed are counted, and not followed', async () => {
  const site = await openSite({
    '/': `${htmlPage('Root', ['/meta', '/header', '/rel'])}`,
    '/meta': htmlPage('1', ['/x1', '/x2'], '<meta name="robots" content="nofollow">'),
    '/header': { body: htmlPage('2', ['/x3']), headers: { 'x-robots-tag': 'gleaner: nofollow' } },
    '/rel': htmlPage('3').replace('</ul>', '<li><a rel="nofollow" href="/x4">x</a></li></ul>'),
  });
  const { crawl } = openCrawler();
  expect(await crawl([site.url('/')])).toMatchObject({ stored: 4, nofollowed: 4 });
  expect(site.pagesAsked()).toEqual(['/', '/meta', '/header', '/rel']);
});

test('a gzip bomb of 10 GB costs no more than the limit', async () => {
  const body = bombOf10Gb();
  expect(body.length).toBeLessThan(12 * 1024 * 1024);
  const headers = { 'content-type': 'application/pdf', 'content-encoding': 'gzip' };
  const site = await openSite({ '/bomb': { body, headers } });
  const { politeFetch } = openCrawler();
  const before = process.resourceUsage().maxRSS;
  expect(await politeFetch(site.url('/bomb'))).toMatchObject({ kind: 'never', why: 'too large' });
  const grownMb = (process.resourceUsage().maxRSS - before) / 1024;
  // The limit is 30 MB unpacked; the packed bytes are here twice, because the site is in this process too.
  expect(grownMb).toBeLessThan(150);
});
