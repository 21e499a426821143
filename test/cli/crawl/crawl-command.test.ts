import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { runGleaner, startGleaner } from '../../process.ts';
import { htmlPage, openSite } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const own = ['--allow-private', '--delay', '0'];
const jsonLines = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('crawl --json says on stdout what it does in lines of JSON, and nothing else', async () => {
  const data = temporaryFolder();
  const site = await openSite({
    '/': htmlPage('Root', ['/a', '/b', '/missing', '/c.pdf']),
    '/a': htmlPage('A'),
    '/b': htmlPage('B'),
  });
  const options = ['--json', '--exclude', '/b', '--exclude', '*.pdf', '--data', data];
  const { code, stdout, stderr } = await runGleaner('crawl', site.url('/'), ...own, ...options);
  expect([code, stderr]).toEqual([0, '']);
  const lines = jsonLines(stdout);
  for (const line of lines.slice(0, -1)) {
    expect([typeof line.queued, typeof line.hosts]).toEqual(['number', 'number']);
  }
  expect(lines[0]).toMatchObject({ kind: 'progress', stored: 1, failed: 0, pagesPerSecond: 0 });
  expect(lines.at(-1)).toMatchObject({
    kind: 'summary',
    stored: 2,
    failed: { 'not found': 1 },
    queued: 0,
    stopped: false,
  });
  expect(site.timesAsked('/b')).toBe(0);
});

test('pages drawn by scripts are a line of the summary with what it means, and a reason of the site', async () => {
  const data = temporaryFolder();
  const site = await openSite({
    '/': '<title>App</title><div id="root"></div><script src="/app.js"></script>',
  });
  const { code, stdout, stderr } = await runGleaner('crawl', site.url('/'), ...own, '--data', data);
  expect(`${code} ${stdout}${stderr}`).toMatch(
    /drawn by scripts +1\n.+\n(?:.*\n)*Pages drawn by scripts have no text without a browser/,
  );
  const status = await runGleaner('status', '--site', site.host, '--data', data);
  expect(status.stdout).toMatch(/pages +0\n(?:.*\n)* +drawn by scripts +1\n/);
});

test('Ctrl-C ends a crawl with its summary and the command that goes on, which then finishes it', async () => {
  const data = temporaryFolder();
  let asked = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const names = Array.from({ length: 20 }, (_, n) => `/page ${n}`);
  const site = await openSite(
    {
      '/robots.txt': '',
      '/sitemap.xml': { status: 404 },
      '/llms.txt': { status: 404 },
      '/': htmlPage('Root', names),
    },
    {
      fallback: async ({ path }) => {
        if (++asked === 5) await held;
        return htmlPage(path);
      },
    },
  );
  const args = ['crawl', site.url('/'), ...own, '--exclude', '/none here', '--data', data];
  const crawl = startGleaner(args);
  await expect.poll(() => asked, { timeout: 30_000 }).toBe(5);
  crawl.child.kill('SIGINT');
  await crawl.says(/Stopping: what was read is being stored/);
  release();
  const { code, stdout } = await crawl.finished;
  expect(code).toBe(130);
  expect(stdout).toMatch(/^stored +[1-6]$/m);
  expect(stdout).toContain(
    `node bin/gleaner.mjs crawl ${site.url('/')} --allow-private --delay 0 --exclude '/none here' --data`,
  );
  const second = await runGleaner(...args);
  expect(second.code).toBe(0);
  expect(JSON.parse((await runGleaner('status', '--json', '--data', data)).stdout).pages).toBe(21);
});

test('a crawl that ends at --max-pages says what to type, on a terminal and as JSON, and that goes on', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `/${n}`);
  const site = await openSite({ '/': htmlPage('Root', names) }, { fallback: ({ path }) => htmlPage(path) });
  const args = ['crawl', site.url('/'), ...own, '--max-pages', '3', '--data', temporaryFolder()];
  const first = await runGleaner(...args);
  expect(first.code).toBe(0);
  const command = `node bin/gleaner.mjs ${args.join(' ')}`;
  expect(first.stdout).toMatch(/^Ended at --max-pages, with \d+ URLs left\. The same command goes on/m);
  expect(first.stdout).toContain(`  ${command}\n`);
  const second = jsonLines((await runGleaner(...args, '--json')).stdout).at(-1);
  expect(second).toMatchObject({ stored: 3, before: 0, atMaxPages: true, goOnWith: `${command} --json` });
});

test("a slow crawl of a host of one's own comes with a hint at --delay", async () => {
  const names = Array.from({ length: 60 }, (_, n) => `/${n}`);
  const site = await openSite({ '/': htmlPage('Root', names) }, { fallback: ({ path }) => htmlPage(path) });
  const crawl = startGleaner(['crawl', site.url('/'), '--allow-private', '--data', temporaryFolder()]);
  await crawl.says(/^127\.0\.0\.1:\d+ is in a network of your own .* With --delay 0 /m);
  await crawl.says(/queued on 1 host, [\d.]+\/s, about \d+ (s|min) left: http/);
  crawl.child.kill('SIGINT');
  expect((await crawl.finished).code).toBe(130);
});

test('status shows pages, copies, the last crawl, the next visit and the disk, for people and as JSON', async () => {
  const data = temporaryFolder();
  const site = await openSite({
    '/': htmlPage('Root', ['/a', '/print/a']),
    '/a': '<title>A</title><p>The same text, word for word.</p>',
    '/print/a': '<title>A</title><p>The same text, word for word.</p>',
  });
  await runGleaner('crawl', site.url('/'), ...own, '--data', data);
  const { stdout } = await runGleaner('status', '--json', '--data', data);
  const status = JSON.parse(stdout);
  expect(status).toEqual({
    dataFolder: data,
    pages: 3,
    copies: 1,
    diskBytes: expect.any(Number),
    writable: true,
    services: [],
    unfinishedCrawls: [],
    sites: [
      {
        host: site.host,
        pages: 3,
        copies: 1,
        lastCrawl: expect.stringMatching(/^\d{4}-.*Z$/),
        nextDue: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ],
  });
  expect(status.diskBytes).toBeGreaterThan(4096);
  expect(Date.parse(status.sites[0].nextDue)).toBeGreaterThan(Date.parse(status.sites[0].lastCrawl));
  const text = (await runGleaner('status', '--data', data)).stdout;
  expect(text).toMatch(/^Pages: 3\nCopies of other pages: 1\nDisk: \d+\.\d MB$/m);
  expect(text).toContain(`  ${status.sites[0].nextDue}\n`);
  const both = await runGleaner('status', '--json', '--site', site.host, '--data', data);
  expect(both.stderr).toMatch(/leave --site out/);
});

test('import fills the index, reports damage by its exit status, and its files can be removed again', async () => {
  const data = temporaryFolder();
  const folder = join(temporaryFolder(), 'manual');
  mkdirSync(folder);
  writeFileSync(join(folder, 'heron.html'), htmlPage('Heron'));
  writeFileSync(join(folder, 'owl.md'), '# Owl\n\nOf owls.');
  const imported = await runGleaner('import', folder, '--json', '--data', data);
  expect([imported.code, imported.stderr]).toEqual([0, '']);
  expect(jsonLines(imported.stdout).at(-1)).toMatchObject({ kind: 'summary', stored: 2 });
  const found = await runGleaner('search', 'intitle:owl', '--json', '--data', data);
  expect(JSON.parse(found.stdout).results[0].url).toBe(pathToFileURL(join(folder, 'owl.md')).href);
  expect((await runGleaner('status', '--data', data)).stdout).toMatch(/^\(files\) +2 /m);

  const archive = join(temporaryFolder(), 'a.warc');
  writeFileSync(archive, 'WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 50\r\n\r\nshort');
  const damaged = await runGleaner('import', archive, folder, '--data', data);
  expect(damaged.code).toBe(1);
  expect(damaged.stdout).toMatch(/^unchanged +2$/m);
  expect(damaged.stdout).toContain(`Not read in full: ${archive}: cut short; at least 1 record lost (`);

  const wrong = await runGleaner('import', join(folder, 'nothing'), '--data', data);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/no file or folder is there/)]);
  const removed = await runGleaner('remove', `${pathToFileURL(folder).href}/*`, '--data', data);
  expect(removed.stdout).toBe('Removed 2 pages.\n');
});
