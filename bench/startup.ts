import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pack } from '../src/index/packed/pack.ts';
import { indexFolderOf } from '../src/index/packed/read-ahead.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { drawWord, fillStore, seededRandom } from './page-source.ts';

const cache = fileURLToPath(new URL('../../bench/.cache/startup/', import.meta.url));
const gleaner = fileURLToPath(new URL('../../bin/gleaner.mjs', import.meta.url));

/** The least that the SDK lets one serve: what `gleaner mcp` is compared with. */
const emptyServer = `import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
await new Server({ name: 'empty', version: '1' }, { capabilities: {} }).connect(new StdioServerTransport());
`;

/** How long does a client wait for `gleaner mcp`? Over `--pages 20000` packed pages, `--runs 11` of each, in turn. */
export async function main(args: string[]): Promise<void> {
  const options = {
    pages: { type: 'string', default: '20000' },
    runs: { type: 'string', default: '11' },
  } as const;
  const { values } = parseArgs({ args, options });
  mkdirSync(cache, { recursive: true });
  const emptyFile = join(cache, 'empty-server.mjs');
  writeFileSync(emptyFile, emptyServer);
  const dataFolder = await packedFolder(Number(values.pages));
  const empty: Run[] = [];
  const ours: Run[] = [];
  // The first pair brings files into the page cache.
  for (let run = 0; run <= Number(values.runs); run++) {
    empty.push(await startOnce([emptyFile], undefined));
    ours.push(await startOnce([gleaner, 'mcp', '--data', dataFolder], queryOf(run)));
  }
  const median = (runs: readonly Run[], key: keyof Run): number =>
    medianOf(runs.slice(1).map((run) => run[key]));
  const [emptyMs, oursMs] = [median(empty, 'initializedMs'), median(ours, 'initializedMs')];
  console.log(`medians of ${values.runs} runs over ${values.pages} packed pages
spawn to the answer to initialize: empty SDK server ${emptyMs.toFixed(0)} ms, gleaner mcp ${oursMs.toFixed(0)} ms, ratio ${(oursMs / emptyMs).toFixed(2)}
from there to the answer to the first web_search: ${median(ours, 'searchedMs').toFixed(0)} ms
resident memory: empty SDK server ${median(empty, 'residentMB').toFixed(0)} MB; gleaner mcp ${median(ours, 'idleMB').toFixed(0)} MB before the first search, ${median(ours, 'residentMB').toFixed(0)} MB after`);
}

interface Run {
  readonly initializedMs: number;
  readonly searchedMs: number;
  /** Resident set after `initialize`, and at the end. */
  readonly idleMB: number;
  readonly residentMB: number;
}

/** Starts a server, shakes hands, searches where `q` is given, and ends it. */
async function startOnce(command: readonly string[], q: string | undefined): Promise<Run> {
  const from = performance.now();
  const env = { ...process.env, GLEANER_EXTERNAL: 'off' };
  const child = spawn(process.execPath, command, { stdio: 'pipe', env });
  child.stderr.resume();
  const ask = createClient(child);
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
  const initialized = performance.now();
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const idleMB = residentMB(child.pid);
  const asked = performance.now();
  if (q !== undefined) await ask('tools/call', { name: 'web_search', arguments: { q } });
  const searchedMs = performance.now() - asked;
  const run = { initializedMs: initialized - from, searchedMs, idleMB, residentMB: residentMB(child.pid) };
  const ended = once(child, 'close');
  child.stdin.end();
  await ended;
  return run;
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

/** The resident set from Linux's /proc (VmRSS, proc(5)); NaN elsewhere. */
function residentMB(pid: number | undefined): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return Number.NaN;
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]) / 1024;
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

function queryOf(run: number): string {
  const random = seededRandom(run);
  return `${drawWord(random)} ${drawWord(random)}`;
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
