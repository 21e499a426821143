import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { filesBelow, type SourceFile } from '../../src/import/folder.ts';
import { type ImportOptions, importPaths } from '../../src/import/import.ts';
import type { Page } from '../../src/page.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { createPageWriter } from '../../src/store/page-writer.ts';
import { extract, now } from '../extract/extractor.ts';
import { htmlPage } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { response } from './warc-record.ts';

function openImporter() {
  const store = openPageStore(temporaryFolder());
  onTestFinished(() => store.close());
  const pageWriter = createPageWriter({ store });
  const run = (paths: string[], more: Partial<ImportOptions> = {}) =>
    importPaths({ paths, store, pageWriter, extract, now: () => now, ...more });
  const urls = () => [...store.heads()].map(({ url }) => url).sort();
  const page = (url: string): Page | undefined => store.page(pageId(url));
  return { store, pageWriter, run, urls, page };
}

/** A folder with these files. */
function folderOf(files: Record<string, string | Uint8Array>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

test('a folder becomes pages below the base, each by its type', async () => {
  const folder = folderOf({
    'index.html': htmlPage('Front'),
    'guide/a b&c.htm': htmlPage('Odd name'),
    'guide/notes.md': '# Notes\n\nOf owls.',
    'plain.txt': 'Plain words.',
    README: 'No ending, but words.',
    'style.css': 'body {}',
    'app.js': 'x = 1',
    '.hidden/secret.html': htmlPage('Hidden'),
    'empty.html': '',
  });
  const { run, urls, page } = openImporter();
  const summary = await run([folder], { baseUrl: 'https://docs.example.com/v1?x#y' });
  expect(summary).toEqual({
    stored: 5,
    unchanged: 0,
    refused: { 'unsupported type': 2, 'no text': 1 },
    broken: [],
    stopped: false,
  });
  const base = 'https://docs.example.com/v1/';
  expect(urls()).toEqual(
    ['README', 'guide/a%20b%26c.htm', 'guide/notes.md', 'index.html', 'plain.txt'].map((name) => base + name),
  );
  expect(page(`${base}guide/notes.md`)).toMatchObject({
    title: 'Notes',
    fileType: 'markdown',
    crawledAt: now,
  });
});

test('without a base, pages are where their files are; a single file is imported, too', async () => {
  const folder = folderOf({ 'one.html': htmlPage('One'), 'two.html': htmlPage('Two') });
  const { run, urls } = openImporter();
  const file = join(folder, 'one.html');
  expect(await run([file])).toMatchObject({ stored: 1 });
  expect(urls()).toEqual([pathToFileURL(file).href]);
});

test('a document that is imported again is unchanged, or stored again when it has changed', async () => {
  const folder = folderOf({ 'one.html': htmlPage('One'), 'two.html': htmlPage('Two') });
  const { run, page } = openImporter();
  const baseUrl = 'https://a.example/';
  await run([folder], { baseUrl });
  writeFileSync(join(folder, 'two.html'), htmlPage('Two and a half'));
  const later = now + 5000;
  expect(await run([folder], { baseUrl, now: () => later })).toMatchObject({ stored: 1, unchanged: 1 });
  expect(page('https://a.example/one.html')?.crawledAt).toBe(later);
  expect(page('https://a.example/two.html')?.title).toBe('Two and a half');
});

test('an archive in a folder has its own addresses and times', async () => {
  const day = Date.parse('2026-02-03T04:05:06Z');
  const folder = folderOf({
    'crawl.warc': Buffer.concat([
      response('https://b.example/?utm_source=x', htmlPage('Archived')),
      response('https://b.example/tag', htmlPage('Tagged'), ['X-Robots-Tag: noindex']),
      response('https://b.example/meta', htmlPage('Meta', [], '<meta name="robots" content="noindex">')),
      response('https://b.example/404', htmlPage('Gone'), [], '404 Not Found'),
      response('https://b.example/pic', Buffer.from([0x89, 0x50, 0x4e, 0x47]), []),
    ]),
    'a.html': htmlPage('A'),
  });
  const { run, urls, page } = openImporter();
  expect(await run([folder], { baseUrl: 'https://a.example/' })).toMatchObject({
    stored: 2,
    refused: { noindex: 2, 'status 404': 1, 'unsupported type': 1 },
  });
  expect(urls()).toEqual(['https://a.example/a.html', 'https://b.example/']);
  expect(page('https://b.example/')?.crawledAt).toBe(day);
});

test('an archive that is older than the stored page changes nothing; of two records the newer counts', async () => {
  const { run, pageWriter, page } = openImporter();
  const url = 'https://b.example/';
  const folder = folderOf({ 'a.warc': response(url, htmlPage('Old')) });
  const text = (more: Partial<Page>) => ({ ...(page(url) as Page), ...more });
  await run([folder]);
  await pageWriter.put(text({ title: 'New', crawledAt: now }));
  expect(await run([folder])).toMatchObject({ stored: 0, refused: { 'older than the stored page': 1 } });
  expect(page(url)?.title).toBe('New');
});

test('damage is reported with its file, and the other files are read', async () => {
  const folder = folderOf({
    'a.warc': response('https://b.example/1', htmlPage('One')),
    'b.warc': response('https://b.example/2', htmlPage('Two')).subarray(0, 250),
    'c.warc.gz': 'no gzip',
    'd.html': htmlPage('D'),
    'e.html': htmlPage('E'),
  });
  symlinkSync(folder, join(folder, 'loop'));
  chmodSync(join(folder, 'e.html'), 0);
  const { run } = openImporter();
  const { stored, broken } = await run([folder]);
  const asRoot = process.getuid?.() === 0;
  expect(stored).toBe(asRoot ? 3 : 2);
  const unread = asRoot ? [] : [{ path: join(folder, 'e.html'), why: 'the file cannot be read (EACCES)' }];
  expect(broken).toEqual([
    { path: join(folder, 'b.warc'), why: 'cut short', lost: { places: 1, records: 1, bytes: 250 } },
    { path: join(folder, 'c.warc.gz'), why: 'cut short', lost: { places: 1, records: 1, bytes: 7 } },
    ...unread,
  ]);
});

test.skipIf(process.platform === 'win32')(
  'a folder that may not be looked into is told, as is a page in it',
  () => {
    const folder = folderOf({ 'a.html': htmlPage('A'), 'locked/b.html': htmlPage('B') });
    const locked = join(folder, 'locked');
    chmodSync(locked, 0);
    chmodSync(folder, 0o755);
    onTestFinished(() => chmodSync(locked, 0o700));
    const importer = (path: string) =>
      runAsOther(`importPaths({
    paths: [${JSON.stringify(path)}], now: () => 1, extract: () => ({ kind: 'unreadable', why: 'no text' }), store: {}, pageWriter: {},
  }).then(({ broken }) => console.log(JSON.stringify(broken)), ({ message }) => console.log(message))`);
    expect(JSON.parse(importer(folder))).toEqual([
      { path: locked, why: 'the folder cannot be read (EACCES)' },
    ]);
    expect(importer(join(locked, 'b.html'))).toMatch(/^path: cannot be read \(EACCES\): /);
  },
);

/** Runs code with the built importer as a user who is not root, and gives what it prints. */
function runAsOther(code: string): string {
  const module = new URL('../../dist/src/import/import.js', import.meta.url).href;
  // The module is loaded first: where the tests run, others may not be able to.
  const script = `const { importPaths } = await import(${JSON.stringify(module)});
    if (process.getuid() === 0) process.setuid(65534);
    await ${code};`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
}

test.skipIf(process.platform !== 'linux')(
  'files whose names are not UTF-8 have them percent-encoded',
  async () => {
    const folder = folderOf({ 'z.html': htmlPage('Z') });
    const name = (text: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(text, 'latin1')]);
    writeFileSync(name('caf\xe9 1.html'), htmlPage('Coffee'));
    writeFileSync(name('\xff.warc'), response('https://b.example/', htmlPage('Archived')));
    mkdirSync(name('d\xfcr'));
    writeFileSync(name('d\xfcr/%.html'), htmlPage('Door'));
    const { run, urls } = openImporter();
    expect(await run([folder], { baseUrl: 'https://a.example/x/' })).toMatchObject({ stored: 4, broken: [] });
    const base = 'https://a.example/x/';
    expect(urls()).toEqual([
      `${base}caf%E9%201.html`,
      `${base}d%FCr/%25.html`,
      `${base}z.html`,
      'https://b.example/',
    ]);
    const local = openImporter();
    await local.run([folder]);
    expect(local.urls()).toContain(`${pathToFileURL(folder).href}/caf%E9%201.html`);
  },
);

test('of odd addresses in an archive every record is in one count', async () => {
  const odd = [
    '',
    'not a url',
    'ftp://a.example/',
    'dns:a.example',
    'urn:uuid:1',
    'HTTPS://A.EXAMPLE/%zz',
    'https://',
    'javascript:alert(1)',
    '//a.example/',
    'http://[/',
  ];
  const records = odd.map((url, n) => response(url, htmlPage(`Page ${n}`)));
  const { stored, unchanged, refused } = await openImporter().run([
    folderOf({ 'a.warc': Buffer.concat(records) }),
  ]);
  expect(stored + unchanged + Object.values(refused).reduce((sum, count) => sum + count, 0)).toBe(odd.length);
  expect(refused).toEqual({ 'not the address of a page': odd.length - 1 });
});

test('a folder that disappears while it is read is reported', async () => {
  const folder = folderOf({ 'a.html': htmlPage('A'), 'later/b.html': htmlPage('B') });
  const files: SourceFile[] = [];
  for await (const file of filesBelow(folder)) {
    files.push(file);
    rmSync(join(folder, 'later'), { recursive: true, force: true });
  }
  expect(files).toEqual([
    { path: join(folder, 'a.html'), relative: 'a.html' },
    { path: join(folder, 'later'), relative: 'later/', locked: 'ENOENT' },
  ]);
});

test('of copies the one whose file comes first is the original, however long it takes to read', async () => {
  const folder = folderOf({ 'a.html': htmlPage('Same'), 'b.html': htmlPage('Same') });
  const { run, page } = openImporter();
  const slowFirst: typeof extract = extract;
  await run([folder], {
    baseUrl: 'https://a.example/',
    extract: async (fetched) => {
      if (fetched.url.endsWith('/a.html')) await new Promise((later) => setTimeout(later, 20));
      return slowFirst(fetched);
    },
  });
  expect(page('https://a.example/b.html')?.copyOf).toBe(pageId('https://a.example/a.html'));
});

test('ends when its signal is aborted, and rejects when a page cannot be stored', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`${n}.html`, htmlPage(`Page ${n}`)]),
  );
  const folder = folderOf(files);
  const stop = new AbortController();
  const { run, pageWriter } = openImporter();
  const summary = await run([folder], { signal: stop.signal, onProgress: () => stop.abort() });
  expect(summary.stopped).toBe(true);
  expect(summary.stored).toBeLessThan(60);
  const put = async () => {
    throw new Error('the disk is full');
  };
  await expect(openImporter().run([folder], { pageWriter: { ...pageWriter, put } })).rejects.toThrow(
    'the disk is full',
  );
});

test.each([
  [['/nowhere/at/all'], undefined, /no file or folder is there: \/nowhere/],
  [['.'], 'ftp://a.example/', /--base-url: must be an http/],
  [['.'], 'docs', /--base-url: must be an http/],
])('of %j with base %j is refused', async (paths, baseUrl, message) => {
  await expect(openImporter().run(paths, { baseUrl })).rejects.toThrow(message);
});

test('a page that only sends its readers on is not imported', async () => {
  const folder = folderOf({
    'os/struct.Owned.html':
      '<title>Redirection</title><meta http-equiv="refresh" content="0;URL=../struct.Owned.html"><p>Redirecting...',
    'struct.Owned.html': htmlPage('Owned'),
  });
  const { run, urls } = openImporter();
  const { refused } = await run([folder], { baseUrl: 'https://docs.example.com/' });
  expect(refused).toEqual({ 'forwards to another page': 1 });
  expect(urls()).toEqual(['https://docs.example.com/struct.Owned.html']);
});
