import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageHead } from '../../src/page.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { startGleaner } from '../process.ts';
import { unpackPackage } from './debian-docs.ts';
import { type DocumentationSite, type LoggedRequest, openDocumentationSite } from './documentation-site.ts';

/** Three English packages and two Chinese ones, each with the folder that is its site and what its robots.txt forbids. */
const packages = [
  {
    names: ['python3.11-doc', 'python3.13-doc'],
    root: /usr\/share\/doc\/python3\.\d+\/html$/,
    robots: 'User-agent: *\nDisallow: /whatsnew/\nDisallow: /_sources/\n',
    forbidden: /^\/(whatsnew|_sources)\//,
  },
  {
    names: ['postgresql-doc-15', 'postgresql-doc-17'],
    root: /usr\/share\/doc\/postgresql-doc-\d+\/html$/,
    robots: 'User-agent: *\nDisallow: /\n\nUser-agent: Gleaner\nDisallow: /sql-alter*.html$\n',
    forbidden: /^\/sql-alter.*\.html$/,
  },
  {
    names: ['libreoffice-help-zh-cn'],
    root: /usr\/share\/libreoffice\/help$/,
    robots: '\uFEFFuser-agent: gleaner\nDisallow: /zh-CN/text/sbasic/\n',
    forbidden: /^\/zh-CN\/text\/sbasic\//,
  },
  {
    names: ['libreoffice-help-zh-tw'],
    root: /usr\/share\/libreoffice\/help$/,
    robots:
      'User-agent: *\nDisallow: /zh-TW/text/s\nAllow: /zh-TW/text/scalc/\nUser-agent: x\nDisallow: /\nUser-agent: *\nAllow: /zh-TW/text/smath/\n',
    forbidden: /^\/zh-TW\/text\/s(?!calc\/|math\/)/,
  },
  {
    names: ['apache2-doc'],
    root: /usr\/share\/doc\/apache2-doc\/manual$/,
    robots: 'User-agent: *\nDisallow: /*/mod/\nAllow: /en/mod/\nCrawl-delay: 0.02\n',
    forbidden: /^\/(?!en\/)[^/]+\/mod\//,
  },
] as const;

/** So many pages of a site may be asked for and not yet ticked off when the process dies. */
const uncommitted = 33;
const crawlDelayMs = 20;
const slowAnswerMs = 10;

let sites: DocumentationSite[];
let data: { whole: string; killed: string };

function rootOf({ names, root }: (typeof packages)[number]): string {
  const unpacked = unpackPackage(names);
  const folders = readdirSync(unpacked, { recursive: true, encoding: 'utf8' });
  const found = folders.find((folder) => root.test(folder));
  if (found === undefined) throw new Error(`${names[0]} has no folder ${root}`);
  return join(unpacked, found);
}

beforeAll(async () => {
  sites = await Promise.all(
    packages.map((one, i) =>
      openDocumentationSite({
        folder: rootOf(one),
        robots: one.robots,
        // The others are as fast as they can; this one shows whose time counts.
        ...(i === 1 && { answerMs: slowAnswerMs }),
      }),
    ),
  );
  const folder = () => mkdtempSync(join(tmpdir(), 'gleaner-e2e-five-'));
  data = { whole: folder(), killed: folder() };
});

afterAll(async () => {
  for (const site of sites ?? []) await site.close();
  for (const folder of Object.values(data ?? {}))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const crawl = (folder: string) =>
  startGleaner([
    'crawl',
    ...sites.map(({ origin, paths }) => origin + (paths.includes('/index.html') ? '/' : paths[0])),
    '--allow-private',
    '--delay',
    '0',
    '--max-pages',
    '100000',
    '--data',
    folder,
  ]);

async function headsOf(folder: string): Promise<PageHead[]> {
  const store = openPageStore(folder);
  const heads = [...store.heads()];
  await store.close();
  return heads;
}

const urlsOf = (heads: readonly PageHead[]) => heads.map(({ url }) => url).sort();
const reportedStored = (stderr: string) => Number([...stderr.matchAll(/(\d+) stored/g)].at(-1)?.[1] ?? 0);

/** Resolves when the crawl has reported so many pages. */
async function untilStored({ child, stderr }: ReturnType<typeof crawl>, pages: number): Promise<void> {
  await new Promise<void>((done, fail) => {
    child.stderr.on('data', () => reportedStored(stderr()) >= pages && done());
    child.once('close', () => fail(new Error(`ended before ${pages} pages: ${stderr()}`)));
  });
}

let uninterrupted: string[];
let logs: LoggedRequest[][];

test('one command crawls five sites', async () => {
  const startedAt = performance.now();
  const { code, stdout, stderr } = await crawl(data.whole).finished;
  expect(code, stderr).toBe(0);
  uninterrupted = urlsOf(await headsOf(data.whole));
  console.info(stdout, `${Math.round((performance.now() - startedAt) / 1000)} s`);
  const bySite = sites.map(
    ({ origin }) => uninterrupted.filter((url) => url.startsWith(`${origin}/`)).length,
  );
  console.info(`pages by site: ${bySite.join(', ')}`);
  expect(uninterrupted.length).toBeGreaterThanOrEqual(5000);
});

test('a crawl that is killed twice ends with the same pages', async () => {
  for (const site of sites) site.log.length = 0;
  for (const share of [0.3, 0.6]) {
    const run = crawl(data.killed);
    const before = (await headsOf(data.killed)).length;
    await untilStored(run, Math.max(50, uninterrupted.length * share - before));
    run.child.kill('SIGKILL');
    const { stderr } = await run.finished;
    const stored = (await headsOf(data.killed)).length;
    // Pages that were stored when the run before died, and not yet ticked off, are stored once more.
    const again = before > 0 ? uncommitted * sites.length : 0;
    expect(stored).toBeGreaterThanOrEqual(before + reportedStored(stderr) - again);
    expect(stored).toBeLessThan(uninterrupted.length);
    console.info(`killed at ${stored} pages`);
  }
  const { code, stdout, stderr } = await crawl(data.killed).finished;
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/Went on with a run that was cut short/);
  logs = sites.map(({ log }) => [...log]);
  expect(urlsOf(await headsOf(data.killed))).toEqual(uninterrupted);
  // Three runs, of which a busy machine makes minutes.
}, 900_000);

describe("the sites' logs say", () => {
  test('that robots.txt was asked for first, and nothing that it forbids', () => {
    logs.forEach((log, i) => {
      expect(log[0]?.path).toBe('/robots.txt');
      expect(log.filter(({ path }) => packages[i]?.forbidden.test(path))).toEqual([]);
      // Forbidden pages are there, and the sitemap names them.
      expect(sites[i]?.paths.some((path) => packages[i]?.forbidden.test(path))).toBe(true);
    });
  });

  test('that no two requests were ever open at one site', () => {
    for (const log of logs) expect(Math.max(...log.map(({ open }) => open))).toBe(1);
  });

  test("that pauses are at least the site's own wish, and its own answering time", () => {
    const pauses = (log: readonly LoggedRequest[]) =>
      log.slice(1).map(({ startedAt }, i) => startedAt - (log[i]?.endedAt ?? 0));
    // Timers count whole milliseconds.
    expect(Math.min(...pauses(logs[1] ?? []))).toBeGreaterThan(slowAnswerMs - 2);
    expect(Math.min(...pauses(logs[4] ?? []))).toBeGreaterThan(crawlDelayMs - 2);
  });

  test('that hardly a page was asked for twice', () => {
    const twice = logs.map((log) => {
      const pages = log.filter(({ path }) => path.endsWith('.html'));
      return pages.length - new Set(pages.map(({ path }) => path)).size;
    });
    console.info(`asked for twice, by site: ${twice.join(', ')}`);
    // It died twice.
    expect(Math.max(...twice)).toBeLessThanOrEqual(2 * uncommitted);
  });
});

test('a second run within the hour asks with conditions and stores nothing new', async () => {
  const before = new Map((await headsOf(data.killed)).map(({ id, crawledAt }) => [id, crawledAt]));
  for (const site of sites) site.log.length = 0;
  const { code, stdout, stderr } = await crawl(data.killed).finished;
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^stored +0$/m);
  const asked = sites.flatMap(({ log }) => log);
  console.info(stdout);
  // robots.txt is known for a day and llms.txt for longer. What is no page of its own has no condition to ask with: the
  // sitemap, a seed that the site links to as index.html, and an index.html that only forwards its readers.
  const whole = asked.filter(({ isConditional, status }) => !isConditional && status === 200);
  expect(whole.filter(({ path }) => !['/sitemap.xml', '/', '/index.html'].includes(path))).toEqual([]);
  expect(whole.length).toBeLessThanOrEqual(3 * sites.length);
  const after = await headsOf(data.killed);
  expect(urlsOf(after)).toEqual(uninterrupted);
  for (const { id, crawledAt } of after) expect(crawledAt).toBeGreaterThan(before.get(id) ?? 0);
});
