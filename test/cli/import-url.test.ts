import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { response } from '../import/warc-record.ts';
import { runGleaner } from '../process.ts';
import { htmlPage, openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const temporaryImports = () => readdirSync(tmpdir()).filter((name) => name.startsWith('gleaner-import-'));

async function importing(...args: string[]) {
  const data = temporaryFolder();
  const before = temporaryImports();
  const run = await runGleaner('import', ...args, '--allow-private', '--data', data);
  // What was downloaded is not left behind.
  expect(temporaryImports().filter((name) => !before.includes(name))).toEqual([]);
  const store = openPageStore(data);
  const pages = [...store.heads()].map(({ url, title, isPrivate = false }) => ({ url, title, isPrivate }));
  await store.close();
  const bytes = Buffer.concat(
    readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  );
  return { ...run, pages: pages.sort((a, b) => (a.url < b.url ? -1 : 1)), bytes };
}

const warc = gzipSync(response('https://old.example/', htmlPage('Archived')));

test('a document and an archive are imported by their URLs, beside what is on this machine', async () => {
  const site = await openSite({
    '/guide': htmlPage('Guide'),
    '/moved': { status: 302, headers: { location: '/guide' } },
    '/site.warc.gz': { headers: { 'content-type': 'application/gzip' }, body: warc },
  });
  const { code, stdout, pages } = await importing(site.url('/moved'), site.url('/site.warc.gz'));
  expect([code, stdout]).toEqual([0, expect.stringMatching(/stored +2\n/)]);
  expect(pages).toEqual([
    { url: site.url('/guide'), title: 'Guide', isPrivate: false },
    { url: 'https://old.example/', title: 'Archived', isPrivate: false },
  ]);
});

test('what came with a header is private, the archive with all its pages, and the header is nowhere', async () => {
  const closed =
    (body: string | Uint8Array) =>
    ({ headers }: { headers: Record<string, unknown> }) =>
      headers.authorization === 'Bearer s3cret-of-import' ? { body } : { status: 401 };
  const site = await openSite({ '/guide': closed(htmlPage('Guide')), '/site.warc.gz': closed(warc) });
  const urls = [site.url('/guide'), site.url('/site.warc.gz')];
  const { code, stdout, stderr, pages, bytes } = await importing(
    ...urls,
    '--header',
    'Authorization: Bearer s3cret-of-import',
  );
  expect(code).toBe(0);
  expect(pages.map(({ title, isPrivate }) => [title, isPrivate])).toEqual([
    ['Guide', true],
    ['Archived', true],
  ]);
  expect(stdout + stderr).not.toContain('s3cret');
  expect([bytes.includes('s3cret-of-import'), bytes.includes('old.example')]).toEqual([false, true]);
  const without = await importing(...urls);
  expect([without.code, without.pages]).toEqual([1, []]);
  expect(without.stderr).toContain('status 401');
});

test('a redirect to another site gets no header', async () => {
  const other = await openSite({ '/x': htmlPage('Elsewhere') });
  const site = await openSite({ '/guide': { status: 302, headers: { location: other.url('/x') } } });
  const { pages } = await importing(site.url('/guide'), '--header', 'X-Key: s3cret');
  expect(pages).toEqual([{ url: other.url('/x'), title: 'Elsewhere', isPrivate: false }]);
  expect(other.hits.filter(({ headers }) => headers['x-key'] !== undefined)).toEqual([]);
  expect(site.hits.filter(({ headers }) => headers['x-key'] === 's3cret').length).toBeGreaterThan(0);
});

test('robots.txt and noindex hold, and a file that cannot be had is named', async () => {
  const site = await openSite({
    '/robots.txt': 'User-agent: *\nDisallow: /closed',
    '/closed': htmlPage('Closed'),
    '/hidden': { headers: { 'x-robots-tag': 'noindex' }, body: htmlPage('Hidden') },
  });
  expect((await importing(site.url('/closed'))).stderr).toMatch(/asks us not to read/);
  expect(site.timesAsked('/closed')).toBe(0);
  const hidden = await importing(site.url('/hidden'));
  expect([hidden.pages, hidden.stdout]).toEqual([[], expect.stringMatching(/noindex +1/)]);
  expect((await importing(site.url('/missing'))).stderr).toMatch(/missing: it is not there/);
});

test.each([
  [['.', '--header', 'X: y'], /are for URLs: no URL is given/],
  [['http://127.0.0.1:9/', '--header', 'X: a\nb'], /the header X has a line end/],
  [['http://[::1/', '--header', 'X: y'], /not a web address|no file or folder/],
])('import %j is refused', async (args, message) => {
  const { code, stderr, pages } = await importing(...args);
  expect([code, stderr, pages]).toEqual([1, expect.stringMatching(message), []]);
});
