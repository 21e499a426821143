import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCrawler } from '../src/app/crawler.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { createPageWriter } from '../src/store/page-writer.ts';
import { writeBlock } from './write-block.ts';

const pages = 30;
const sampleMs = 100;
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

const text = (page: number): string =>
  Array.from(
    { length: 60 },
    (_, line) => `<p>Page ${page}, line ${line}: what an application draws from the data that it loads.</p>`,
  ).join('');

/** An application of 200 kB that loads its data, as `/drawn/N`, and the same text as a plain page, as `/plain/N`. */
function answer(path: string): [type: string, body: string] {
  const [, kind, number] = path.split('/');
  const page = Number.parseInt(number ?? '', 10);
  switch (kind) {
    case 'plain':
      return ['text/html', `<!doctype html><title>Plain ${page}</title><main>${text(page)}</main>`];
    case 'drawn':
      return [
        'text/html',
        `<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>`,
      ];
    case 'data':
      return ['application/json', JSON.stringify({ title: `Drawn ${page}`, html: text(page) })];
    case 'app.js':
      return [
        'text/javascript',
        `const table = ${JSON.stringify(Array.from({ length: 20_000 }, (_, each) => `word${each}`))};
fetch('/data/' + location.pathname.split('/')[2]).then((data) => data.json()).then(({ title, html }) => {
  document.title = title; document.getElementById('root').innerHTML = html; });`,
      ];
    default:
      return ['text/plain', ''];
  }
}

/**
 * What does a page cost that a browser draws? Crawls pages of an application, then plain pages with the same text, and
 * prints processor seconds and memory of the browser's processes and of this one. `--write` puts it into docs/drawn-pages.md.
 */
export async function main(args: string[]): Promise<void> {
  const server = createServer((request, response) => {
    const [type, body] = answer(request.url ?? '/');
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const drawn = await measure(origin, 'drawn');
  const plain = await measure(origin, 'plain');
  server.close();
  const row = ({ name, ownCpu, browserCpu, megabytes, wallMs }: Measured): string =>
    `| ${name} | ${(ownCpu * 1000).toFixed(0)} | ${(browserCpu * 1000).toFixed(0)} | ${megabytes.toFixed(0)} | ${wallMs.toFixed(0)} |`;
  const ratio = (drawn.ownCpu + drawn.browserCpu) / plain.ownCpu;
  const table = [
    `${pages} pages of an application on loopback, ${pages} plain pages with the same text; Node ${process.versions.node}.`,
    '',
    '| pages | CPU ms a page, crawler | CPU ms a page, browser | MB of the browser at most | wall ms a page |',
    '|---|--:|--:|--:|--:|',
    row(drawn),
    row(plain),
    '',
    `A page that is drawn costs ${ratio.toFixed(0)} times the processor time of a plain one.`,
  ].join('\n');
  console.log(table);
  if (args.includes('--write')) writeBlock('docs/drawn-pages.md', 'render', table);
}

interface Measured {
  readonly name: string;
  /** Seconds a page. */
  readonly ownCpu: number;
  readonly browserCpu: number;
  readonly megabytes: number;
  readonly wallMs: number;
}

async function measure(origin: string, name: 'drawn' | 'plain'): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'gleaner-bench-'));
  const store = openPageStore(folder);
  const render = { chromium: undefined, path: process.env.PATH ?? '' };
  const config = { allowPrivate: true, contact: undefined, render };
  const pageWriter = createPageWriter({ store });
  const onNotice = (message: string): void => console.error(message);
  const crawler = createCrawler({ store, pageWriter, config, delaySeconds: 0, readers: 1, onNotice });
  const browser = { ticks: new Map<number, number>(), bytes: 0 };
  const visit = async (page: number): Promise<void> => {
    const kept = await crawler.visitAndKeep(`${origin}/${name}/${page}`);
    if (kept.kind !== 'page') throw new Error(`${name} ${page}: ${JSON.stringify(kept)}`);
  };
  try {
    // The start of threads and browser counts for all pages alike.
    await visit(0);
    const before = { cpu: process.cpuUsage(), ticks: ticksOf(sample(browser)), at: performance.now() };
    const timer = setInterval(() => sample(browser), sampleMs);
    for (let page = 1; page <= pages; page++) await visit(page);
    clearInterval(timer);
    sample(browser);
    const { user, system } = process.cpuUsage(before.cpu);
    return {
      name,
      ownCpu: (user + system) / 1e6 / pages,
      browserCpu: (ticksOf(browser) - before.ticks) / ticksPerSecond / pages,
      megabytes: browser.bytes / 1024 / 1024,
      wallMs: (performance.now() - before.at) / pages,
    };
  } finally {
    await crawler.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Watched {
  /** Ticks of each process that was seen, the last time that it was. */
  readonly ticks: Map<number, number>;
  bytes: number;
}

const ticksOf = ({ ticks }: Watched): number => [...ticks.values()].reduce((sum, each) => sum + each, 0);

/** Looks at the processes below this one: their processor time so far, and the memory that each has of its own. */
function sample(watched: Watched): Watched {
  const parents = new Map<number, number>();
  const stats = new Map<number, string[]>();
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const fields = read(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    stats.set(Number(pid), fields);
    parents.set(Number(pid), Number(fields[1]));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent === process.pid || (parent !== undefined && parent > 1 && isBelow(parent));
  };
  let bytes = 0;
  for (const [pid, fields] of stats) {
    if (!isBelow(pid)) continue;
    watched.ticks.set(pid, Number(fields[11]) + Number(fields[12]));
    bytes += 1024 * Number(/^RssAnon:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  }
  watched.bytes = Math.max(watched.bytes, bytes);
  return watched;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
