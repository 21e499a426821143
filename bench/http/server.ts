import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AnswerPeer } from '../answer-peers/peer-process.ts';

/** A server under load, in a process of its own. */
export interface Server {
  readonly url: string;
  /** User and system time since it started, of all its threads and of its living child processes. */
  cpuMs(): number;
  /** In memory, without the pages of mapped files, which the system takes back when it likes. */
  residentMB(): number;
  /** The same of each child process. */
  childrenMB(): number[];
  stop(): Promise<void>;
}

/** Settings without limits, where the question is what the process can do. */
export const unlimited = {
  GLEANER_SEARCH_LIMIT: 'off',
  GLEANER_CONTENT_LIMIT: 'off',
  GLEANER_IN_FLIGHT_LIMIT: '999999',
};

const gleaner = fileURLToPath(new URL('../../../bin/gleaner.mjs', import.meta.url));
const bare = fileURLToPath(new URL('./bare.js', import.meta.url));
const engineRoute = fileURLToPath(new URL('./engine-route.js', import.meta.url));

/** `gleaner serve` over a data folder, with no outside search, and these settings. */
export async function startGleaner(
  dataFolder: string,
  settings: Readonly<Record<string, string>>,
): Promise<Server> {
  const args = [gleaner, 'serve', '--port', '0', '--data', dataFolder];
  return start(args, { GLEANER_EXTERNAL: 'off', ...settings }, /in the index/);
}

/** The least that can be served: Hono on node's server with one route that answers `body`. */
export async function startBare(body: string): Promise<Server> {
  return start([bare], { BODY: body }, /listens/);
}

/** The whole answers of one engine behind a route that does nothing else; `folder` has its index. */
export async function startEngineRoute(name: 'gleaner' | AnswerPeer, folder: string): Promise<Server> {
  return start([engineRoute, name, folder], {}, /listens/);
}

async function start(
  args: readonly string[],
  settings: Record<string, string>,
  ready: RegExp,
): Promise<Server> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (ready.test(said)) resolve();
    });
    child.once('close', () => reject(new Error(`the server ended: ${said}`)));
  });
  const url = /listens on (\S+)/.exec(said)?.[1] ?? '';
  const own = child.pid ?? 0;
  const children = (): number[] => proc(own, `task/${own}/children`).split(' ').filter(Boolean).map(Number);
  return {
    url,
    cpuMs: () => [own, ...children()].reduce((sum, pid) => sum + cpuMsOf(pid), 0),
    residentMB: () => residentMBOf(own),
    childrenMB: () => children().map(residentMBOf),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function proc(pid: number, file: string): string {
  return readFileSync(`/proc/${pid}/${file}`, 'latin1');
}

/** Fields 14 and 15 of proc(5)'s stat, in ticks of 10 ms. */
function cpuMsOf(pid: number): number {
  const fields = proc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function residentMBOf(pid: number): number {
  return Number(/RssAnon:\s+(\d+) kB/.exec(proc(pid, 'status'))?.[1]) / 1024;
}
