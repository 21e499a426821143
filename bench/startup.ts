import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pack } from '../src/index/packed/pack.ts';
import { indexFolderOf } from '../src/index/packed/read-ahead.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { machine } from './engines/table.ts';
import { median } from './median.ts';
import { drawWord, fillStore, seededRandom } from './page-source.ts';
import { type ProcessMemory, processMemory } from './process-memory.ts';
import { writeBlock } from './write-block.ts';

const cache = fileURLToPath(new URL('../../bench/.cache/startup/', import.meta.url));
const gleaner = fileURLToPath(new URL('../../bin/gleaner.mjs', import.meta.url));

/** `sysconf(_SC_CLK_TCK)` is 100 on Linux. */
const msPerTick = 10;

const clientInfo = { name: 'bench', version: '1' };

/** An era of MCP: its SDK, its first request, and what each later request carries. */
interface Era {
  readonly name: string;
  /** The least that the SDK lets one serve: what `gleaner mcp` is compared with. */
  readonly emptyServer: string;
  readonly first: readonly [method: string, params: object];
  /** A notification after the first answer. */
  readonly ready?: string;
  readonly meta?: object;
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

const eras: readonly Era[] = [
  {
    name: '2025-11-25',
    emptyServer: `import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
await new Server({ name: 'empty', version: '1' }, { capabilities: {} }).connect(new StdioServerTransport());
`,
    first: ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }],
    ready: 'notifications/initialized',
  },
  {
    name: '2026-07-28',
    emptyServer: `import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
serveStdio(() => new Server({ name: 'empty', version: '1' }, { capabilities: {} }));
`,
    first: ['server/discover', { _meta: meta }],
    meta,
  },
];

/**
 * How long does a client wait for `gleaner mcp`, in each era of MCP? Over `--pages 20000` packed pages, `--runs 11` of each, in
 * turn: an empty server of the SDK, one that is searched at once, and one that is searched after `--pause 2000` milliseconds,
 * when it has opened its index. Then the memory of `--processes 8` at a time. `--data FOLDER` takes another data folder, as
 * it is packed; `--write` puts the table into docs/performance.md, under the mark of `--table start`.
 */
export async function main(args: string[]): Promise<void> {
  const options = {
    pages: { type: 'string', default: '20000' },
    runs: { type: 'string', default: '11' },
    processes: { type: 'string', default: '8' },
    data: { type: 'string' },
    pause: { type: 'string', default: '2000' },
    write: { type: 'boolean', default: false },
    table: { type: 'string', default: 'start' },
  } as const;
  const { values } = parseArgs({ args, options });
  mkdirSync(cache, { recursive: true });
  const dataFolder = values.data ?? (await packedFolder(Number(values.pages)));
  const queryOf = values.data === undefined ? madeUpQuery : plainQuery;
  const folder: Folder = { dataFolder, queryOf, pauseMs: Number(values.pause) };
  const lines = [`Medians of ${values.runs} runs; ${machine()}.`, '', ...header];
  for (const era of eras) lines.push(await compare(era, folder, Number(values.runs)));
  lines.push('', await manyAtATime(Number(values.processes), folder));
  const text = lines.join('\n');
  console.log(text);
  if (values.write) writeBlock('docs/performance.md', values.table, text);
}

/** The pages that are searched, and what is asked of them. */
interface Folder {
  readonly dataFolder: string;
  readonly queryOf: (run: number) => string;
  /** From the first answer to the first search, where it does not come at once. */
  readonly pauseMs: number;
}

/** The first search of a new process. */
interface FirstSearch {
  readonly q: string;
  readonly pauseMs: number;
}

const header = [
  '| MCP | first answer: empty server, ms | `gleaner mcp`, ms | ratio | ratio of CPU | CPU of a first search at once, ms | after a pause, ms | memory of no file: empty server, MB | after a search, MB | all private, MB |',
  '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
];

/** A row of the table. */
async function compare(era: Era, { dataFolder, queryOf, pauseMs }: Folder, runs: number): Promise<string> {
  const emptyFile = join(cache, `empty-server-${era.name}.mjs`);
  writeFileSync(emptyFile, era.emptyServer);
  const empty: Run[] = [];
  const ours: Run[] = [];
  const paused: Run[] = [];
  const command = [gleaner, 'mcp', '--data', dataFolder];
  // The first of each brings files into the page cache.
  for (let run = 0; run <= runs; run++) {
    empty.push(await startOnce(era, [emptyFile], undefined));
    ours.push(await startOnce(era, command, { q: queryOf(run), pauseMs: 0 }));
    paused.push(await startOnce(era, command, { q: queryOf(run), pauseMs }));
  }
  const middle = (of: readonly Run[], key: keyof Run): number => median(of.slice(1).map((run) => run[key]));
  const figures = [
    middle(empty, 'initializedMs').toFixed(0),
    middle(ours, 'initializedMs').toFixed(0),
    (middle(ours, 'initializedMs') / middle(empty, 'initializedMs')).toFixed(2),
    (middle(ours, 'startCpuMs') / middle(empty, 'startCpuMs')).toFixed(2),
    middle(ours, 'searchCpuMs').toFixed(0),
    middle(paused, 'searchCpuMs').toFixed(0),
    middle(empty, 'anonymousMB').toFixed(0),
    middle(ours, 'anonymousMB').toFixed(0),
    middle(ours, 'privateMB').toFixed(0),
  ];
  return `| ${[era.name, ...figures].join(' | ')} |`;
}

async function manyAtATime(count: number, { dataFolder, queryOf }: Folder): Promise<string> {
  const servers: Server[] = [];
  for (let run = 0; run < count; run++)
    servers.push(
      await start(eras[0] as Era, [gleaner, 'mcp', '--data', dataFolder], { q: queryOf(run), pauseMs: 0 }),
    );
  const memories = servers.map(({ pid }) => processMemory(pid));
  for (const { end } of servers) await end();
  const megabytes = (key: keyof ProcessMemory): string =>
    (memories.reduce((sum, memory) => sum + memory[key], 0) / 1024 ** 2).toFixed(0);
  return `${count} processes of \`gleaner mcp\` at a time, after a search each: ${megabytes('anonymous')} MB of no file, ${megabytes('private')} MB private, ${megabytes('proportional')} MB together with what they share.`;
}

interface Run {
  readonly initializedMs: number;
  readonly privateMB: number;
  readonly anonymousMB: number;
  readonly startCpuMs: number;
  readonly searchCpuMs: number;
}

interface Server {
  readonly run: Run;
  readonly pid: number | undefined;
  end(): Promise<void>;
}

/** Starts a server, shakes hands, searches where a search is given, and ends it. */
async function startOnce(
  era: Era,
  command: readonly string[],
  search: FirstSearch | undefined,
): Promise<Run> {
  const { run, end } = await start(era, command, search);
  await end();
  return run;
}

/** Starts a server, shakes hands, and searches where a search is given. */
async function start(
  { first, ready, meta: _meta }: Era,
  command: readonly string[],
  search: FirstSearch | undefined,
): Promise<Server> {
  const from = performance.now();
  const env = { ...process.env, GLEANER_EXTERNAL: 'off' };
  const child = spawn(process.execPath, command, { stdio: 'pipe', env });
  child.stderr.resume();
  const ask = createClient(child);
  await ask(...first);
  const initialized = performance.now();
  const startCpuMs = cpuMs(child.pid);
  if (ready !== undefined) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: ready })}\n`);
  await setTimeout(search?.pauseMs ?? 0);
  const cpuBeforeSearch = cpuMs(child.pid);
  if (search) await ask('tools/call', { name: 'web_search', arguments: { q: search.q }, _meta });
  const memory = processMemory(child.pid);
  const run = {
    initializedMs: initialized - from,
    privateMB: memory.private / 1024 ** 2,
    anonymousMB: memory.anonymous / 1024 ** 2,
    startCpuMs,
    searchCpuMs: cpuMs(child.pid) - cpuBeforeSearch,
  };
  const end = async (): Promise<void> => {
    const ended = once(child, 'close');
    child.stdin.end();
    await ended;
  };
  return { run, pid: child.pid, end };
}

function createClient(child: ChildProcessWithoutNullStreams) {
  const lines = createInterface({ input: child.stdout });
  let id = 0;
  return async (method: string, params: object): Promise<void> => {
    const answered = once(lines, 'line');
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    const [line] = (await answered) as [string];
    const answer = JSON.parse(line) as { error?: object; result?: { isError?: boolean } };
    if (answer.error || answer.result?.isError) throw new Error(`${method} was answered by ${line}`);
  };
}

/** CPU of a process so far, in user and system mode (proc(5), `stat`); NaN where there is no /proc. */
function cpuMs(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

/** A data folder of packed pages, made once. */
async function packedFolder(pages: number): Promise<string> {
  const folder = join(cache, `pages-${pages}`);
  if (existsSync(folder)) return folder;
  const making = `${folder}.new`;
  rmSync(making, { recursive: true, force: true });
  await fillStore(making, pages);
  const store = openPageStore(making);
  pack(store, indexFolderOf(making));
  await store.close();
  renameSync(making, folder);
  return folder;
}

/** What the made-up pages of a packed folder hold. */
function madeUpQuery(run: number): string {
  const random = seededRandom(run);
  return `${drawWord(random)} ${drawWord(random)}`;
}

/** What any documentation of programs holds. */
const plainQueries = ['hash map', 'thread pool', 'read file', 'sort list', 'event loop', 'string format'];

function plainQuery(run: number): string {
  return plainQueries[run % plainQueries.length] as string;
}
