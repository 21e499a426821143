import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openApp } from '../src/app/app.ts';
import { createCrawler } from '../src/app/crawler.ts';
import { SearchParams } from '../src/contract/search.ts';
import type { CrawlSummary } from '../src/crawl/crawl-tally.ts';
import type { Engine } from '../src/engine/engine.ts';
import { pack } from '../src/index/packed/pack.ts';
import { indexFolderOf } from '../src/index/packed/read-ahead.ts';
import { silentLog } from '../src/runtime.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { createPageWriter } from '../src/store/page-writer.ts';
import { machine } from './engines/table.ts';
import { mainThreadSeconds, profileMainThread, type ThreadProfile } from './main-thread-profile.ts';
import { notAskedBefore } from './not-asked.ts';
import { drawWord, fillStore, seededRandom } from './page-source.ts';
import { writeBlock } from './write-block.ts';

const siteProcess = fileURLToPath(new URL('./crawl-sites.js', import.meta.url));
const crawlerConfig = { allowPrivate: true, contact: undefined };
const pauseMs = 10;

/**
 * How fast is a crawl, where does its time go, and what does a search in the same process notice of it? `--hosts 50`
 * sites on loopback of `--pages 100` each; `--indexed 20000` pages to search; `--write` puts it into docs/crawling.md.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      hosts: { type: 'string', default: '50' },
      pages: { type: 'string', default: '100' },
      indexed: { type: 'string', default: '20000' },
      write: { type: 'boolean', default: false },
    },
  });
  const [hosts, pages, indexed] = [values.hosts, values.pages, values.indexed].map(Number) as [
    number,
    number,
    number,
  ];
  const sites = fork(siteProcess, [String(hosts), String(pages)], { stdio: 'inherit' });
  try {
    const [seeds] = (await once(sites, 'message')) as [string[]];
    const alone = await inFolder((folder) => crawlAlone(folder, seeds, 0));
    const polite = await inFolder((folder) => crawlAlone(folder, seeds, 1, 10 * hosts));
    const beside = await inFolder((folder) => crawlBesideSearches(folder, seeds, indexed));
    const text = [
      `${hosts} sites on loopback, ${pages} made-up pages of some 20 kB each, one process that crawls; ${machine()}.`,
      '',
      describeSpeed(alone, polite),
      '',
      describeParts(alone),
      '',
      describeSearches(beside, indexed),
    ].join('\n');
    console.log(text);
    if (values.write) writeBlock('docs/crawling.md', 'crawl', text);
  } finally {
    sites.disconnect();
  }
}

interface Run {
  readonly pages: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly profile: ThreadProfile;
}

/** As `gleaner crawl` does it: this process answers no searches. */
async function crawlAlone(
  folder: string,
  seeds: string[],
  delaySeconds: number,
  maxPages?: number,
): Promise<Run> {
  const store = openPageStore(folder);
  const pageWriter = createPageWriter({ store });
  const crawler = createCrawler({ store, pageWriter, config: crawlerConfig, delaySeconds });
  try {
    const cpu = process.cpuUsage();
    const from = performance.now();
    const { result, profile } = await profileMainThread(() =>
      crawler.crawl({ seeds, ...(maxPages !== undefined && { maxPages }) }),
    );
    const { user, system } = process.cpuUsage(cpu);
    return {
      pages: stored(result),
      seconds: (performance.now() - from) / 1000,
      cpuSeconds: (user + system) / 1e6,
      profile,
    };
  } finally {
    await crawler.close();
    await store.close();
  }
}

interface Searched {
  readonly before: readonly Took[];
  readonly during: readonly Took[];
  readonly pagesPerSecond: number;
}

/** As `gleaner serve` would if it crawled at full speed: every page can be found as soon as it is stored. */
async function crawlBesideSearches(folder: string, seeds: string[], indexed: number): Promise<Searched> {
  await fillStore(folder, indexed);
  const filled = openPageStore(folder);
  pack(filled, indexFolderOf(folder));
  await filled.close();
  const app = openApp({ config: { dataFolder: folder }, log: silentLog });
  const crawler = createCrawler({
    store: app.store,
    pageWriter: app.pageWriter,
    config: crawlerConfig,
    delaySeconds: 0,
  });
  try {
    await app.prepare();
    await searchUntil(app.engine, after(1000));
    const before = await searchUntil(app.engine, after(4000));
    const from = performance.now();
    const crawl = crawler.crawl({ seeds });
    const during = await searchUntil(app.engine, crawl);
    const pagesPerSecond = stored(await crawl) / ((performance.now() - from) / 1000);
    return { before, during, pagesPerSecond };
  } finally {
    await crawler.close();
    await app.close();
  }
}

/** Of one search, milliseconds. */
interface Took {
  /** From when it was due. */
  readonly wall: number;
  /** Of the thread that answers, from `pauseMs` before it was due, so that whatever held it up is in it. */
  readonly cpu: number;
}

/** One search after another with a pause in between, until `end` resolves. */
async function searchUntil(engine: Engine, end: Promise<unknown>): Promise<Took[]> {
  const random = seededRandom(3);
  const took: Took[] = [];
  let ended = false;
  const ending = end.finally(() => {
    ended = true;
  });
  while (!ended) {
    const cpuBefore = mainThreadSeconds();
    const due = performance.now() + pauseMs;
    await after(pauseMs);
    const q = Array.from({ length: 1 + Math.floor(random() * 3) }, () => drawWord(random)).join(' ');
    await engine.search(SearchParams.parse({ q: notAskedBefore(q) }));
    took.push({ wall: performance.now() - due, cpu: (mainThreadSeconds() - cpuBefore) * 1000 });
  }
  await ending;
  return took;
}

function describeSpeed(alone: Run, polite: Run): string {
  const row = (name: string, { pages, seconds, cpuSeconds }: Run) =>
    `| ${name} | ${pages.toLocaleString('en')} | ${(pages / seconds).toFixed(0)} | ${(pages / cpuSeconds).toFixed(0)} | ${(cpuSeconds / seconds).toFixed(2)} |`;
  return [
    '| pause | pages | pages a second | pages a second of CPU | CPUs busy |',
    '|---|--:|--:|--:|--:|',
    row('none (`--delay 0`)', alone),
    row('1 s (the default)', polite),
  ].join('\n');
}

function describeParts({ pages, cpuSeconds, profile }: Run): string {
  const row = (part: string, seconds: number) =>
    `| ${part} | ${((seconds / pages) * 1000).toFixed(2)} | ${((seconds / cpuSeconds) * 100).toFixed(0)} % |`;
  const parts = profile.shares.map(([part, share]) => [part, share * profile.cpuSeconds] as const);
  return [
    '| where, without a pause | CPU ms a page | share |',
    '|---|--:|--:|',
    row('other threads: readers (with their start), LMDB, unpacking', cpuSeconds - profile.cpuSeconds),
    ...parts
      .filter(([, seconds]) => seconds / cpuSeconds >= 0.01)
      .map(([part, seconds]) => row(`main thread: ${part}`, seconds)),
  ].join('\n');
}

function describeSearches({ before, during, pagesPerSecond }: Searched, indexed: number): string {
  const cells = (took: readonly Took[], key: keyof Took) => {
    const sorted = took.map((one) => one[key]).sort((a, b) => a - b);
    const quantile = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
    return `${quantile(0.5)} | ${quantile(0.99)} | ${(sorted.at(-1) ?? 0).toFixed(1)}`;
  };
  const row = (name: string, took: readonly Took[]) =>
    `| ${name} | ${took.length} | ${cells(took, 'cpu')} | ${cells(took, 'wall')} |`;
  return [
    `Searches one after another over ${indexed.toLocaleString('en')} packed pages, in the process that crawls. CPU time is that of the thread that answers, with what held the search up: from ${pauseMs} ms before it was due. The wall clock also counts the wait for a processor; load while this was measured: ${loadavg()[0]?.toFixed(1)}. Milliseconds:`,
    '',
    '| | searches | CPU p50 | CPU p99 | CPU longest | wall p50 | wall p99 | wall longest |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    row('no crawl', before),
    row(`crawl at full speed, ${pagesPerSecond.toFixed(0)} pages a second, each searchable at once`, during),
  ].join('\n');
}

function stored({ stored: pages, failed }: CrawlSummary): number {
  if (pages === 0) throw new Error(`nothing was stored: ${JSON.stringify(failed)}`);
  return pages;
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'gleaner-crawl-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
