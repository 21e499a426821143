import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SearchParams } from '../src/contract/search.ts';
import type { Engine } from '../src/engine/engine.ts';
import { pack } from '../src/index/packed/pack.ts';
import { indexFolderOf } from '../src/index/packed/read-ahead.ts';
import type { Page } from '../src/page.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { cached, readLines } from './engines/cache.ts';
import { type CorpusPage, pageOf } from './engines/corpus-files.ts';
import { extractPackages } from './engines/debian-pages.ts';
import { median } from './median.ts';
import { notAskedBefore } from './not-asked.ts';
import { openOwnEngine } from './own-engine.ts';
import { drawClasses } from './whole-answers/queries.ts';
import { samplePages } from './whole-answers/real-pages.ts';

/** Some three thousand pages of documentation, many of them long. */
const realPackages = [
  { name: 'python3.11-doc', pages: 600 },
  { name: 'postgresql-doc-15', pages: 1200 },
  { name: 'cmake-doc', pages: 1300 },
];

const functionWords = 'the of and to in is for that with as on by be this are or an from at it'.split(' ');
const anyFunctionWord = functionWords.join(' OR ');

interface Row {
  readonly name: string;
  readonly folder: string;
  /** Asked in turn. */
  readonly searches: readonly Params[];
}

type Params = Readonly<Record<string, unknown>>;

/**
 * What does the dearest search cost that a stranger can send, and how long does it hold the event loop? Each row is
 * asked `--rounds` times (15), never twice the same. `--data FOLDER` asks another data folder instead, for common words
 * of its pages.
 */
export async function main(args: string[]): Promise<void> {
  const options = { rounds: { type: 'string', default: '15' }, data: { type: 'string' } } as const;
  const { values } = parseArgs({ args, options });
  const rounds = Number(values.rounds);
  if (values.data !== undefined) return measureRows(await rowsOf(values.data, rounds), rounds);
  const real = await realFolder();
  const temporary = mkdtempSync(join(tmpdir(), 'gleaner-bench-'));
  try {
    const texts = await longTexts();
    const few = await longPages(join(temporary, 'few'), 12, 4_000_000, texts);
    const many = await longPages(join(temporary, 'many'), 100, 1_000_000, texts);
    const rows: Row[] = [
      { name: '12 pages of 4 MB, a word of their titles alone', folder: few, searches: [{ q: 'heronry' }] },
      {
        name: '100 pages of 1 MB, the same, limit 100',
        folder: many,
        searches: [{ q: 'heronry', limit: 100 }],
      },
      {
        name: '20 function words with OR, limit 100',
        folder: real,
        searches: [{ q: anyFunctionWord, limit: 100 }],
      },
      { name: '20 function words with OR, limit 10', folder: real, searches: [{ q: anyFunctionWord }] },
      { name: '`a`, limit 100', folder: real, searches: [{ q: 'a', limit: 100 }] },
      { name: 'one word: `table`', folder: real, searches: [{ q: 'table' }] },
      { name: 'two words: `create index`', folder: real, searches: [{ q: 'create index' }] },
      {
        name: 'a question: `how to read a file line by line`',
        folder: real,
        searches: [{ q: 'how to read a file line by line' }],
      },
      { name: '`create index`, limit 100', folder: real, searches: [{ q: 'create index', limit: 100 }] },
    ];
    await measureRows(rows, rounds);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Searches for common words of a data folder, those of each row different ones. */
async function rowsOf(data: string, searches: number): Promise<Row[]> {
  const { pages } = await samplePages(data);
  return drawClasses(pages, searches)
    .filter(({ name }) => name.includes('common'))
    .map(({ name, searches: drawn }) => ({ name, folder: data, searches: drawn.map((one) => ({ ...one })) }));
}

async function measureRows(rows: readonly Row[], rounds: number): Promise<void> {
  console.log('| search | CPU ms | longest stall, CPU ms |\n|---|--:|--:|');
  for (const { name, folder, searches } of rows) {
    const own = openOwnEngine(folder);
    const measured = await measure(own.engine, searches, rounds);
    await own.close();
    console.log(`| ${name} | ${measured.cpuMs.toFixed(1)} | ${measured.stallMs.toFixed(1)} |`);
  }
}

async function measure(engine: Engine, searches: readonly Params[], rounds: number) {
  const cpus: number[] = [];
  const stalls: number[] = [];
  for (let round = -3; round < rounds; round++) {
    const params = searches[Math.abs(round) % searches.length] as Params;
    const asked = SearchParams.parse({ ...params, q: notAskedBefore(String(params.q)) });
    const stall = watchStalls();
    const before = cpuMs();
    await engine.search(asked, { mayAskExternal: () => false });
    const cpu = cpuMs() - before;
    // A stall ends with the next turn of the event loop.
    await new Promise(setImmediate);
    const longest = stall.stop();
    if (round < 0) continue;
    cpus.push(cpu);
    stalls.push(longest);
  }
  return { cpuMs: median(cpus), stallMs: median(stalls) };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The most CPU between two turns of the event loop: wall time would be that of a busy machine. */
function watchStalls() {
  let stopped = false;
  let longest = 0;
  let last = cpuMs();
  const look = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!stopped) setImmediate(look);
  };
  setImmediate(look);
  return {
    stop: () => {
      stopped = true;
      return longest;
    },
  };
}

/** A packed data folder of real pages; made once. */
async function realFolder(): Promise<string> {
  const folder = cached('dear-searches', 'real');
  if (existsSync(folder)) return folder;
  const making = `${folder}.new`;
  rmSync(making, { recursive: true, force: true });
  const pages: Page[] = [];
  for (const file of await extractPackages(realPackages))
    for await (const page of readLines<CorpusPage>(file)) pages.push(pageOf(page));
  await fill(making, pages);
  renameSync(making, folder);
  console.log(`${pages.length} real pages`);
  return folder;
}

async function fill(folder: string, pages: readonly Page[]): Promise<void> {
  const store = openPageStore(folder);
  for (const page of pages) await store.write((writer) => writer.putPage(page));
  pack(store, indexFolderOf(folder));
  await store.close();
}

/** Prose to make long pages of. */
async function longTexts(): Promise<string> {
  const bodies: string[] = [];
  for (const file of await extractPackages(realPackages))
    for await (const { body } of readLines<CorpusPage>(file)) bodies.push(body);
  return bodies.join('\n').slice(0, 4_100_000);
}

/** Pages whose titles alone hold `heronry`, each with another stretch of the same text. */
async function longPages(folder: string, count: number, length: number, text: string): Promise<string> {
  const page = (number: number): Page => {
    const at = (number * 997) % (text.length - length + 1);
    return pageOf({
      url: `https://long.example/${number}`,
      title: `The heronry of valley ${number}`,
      headings: '',
      body: `${number} ${text.slice(at, at + length)}`,
      lang: 'en',
    });
  };
  await fill(
    folder,
    Array.from({ length: count }, (_, number) => page(number)),
  );
  return folder;
}
