import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A server under load, in a process of its own. */
export interface Server {
  readonly url: string;
  /** User and system time since it started, of all its threads. */
  cpuMs(): number;
  /** In memory, without the pages of mapped files, which the system takes back when it likes. */
  residentMB(): number;
  stop(): Promise<void>;
}

const gleaner = fileURLToPath(new URL('../../../bin/gleaner.mjs', import.meta.url));
const bare = fileURLToPath(new URL('./bare.js', import.meta.url));

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
  const proc = (file: string): string => readFileSync(`/proc/${child.pid}/${file}`, 'latin1');
  return {
    url,
    // Fields 14 and 15 of proc(5)'s stat, in ticks of 10 ms.
    cpuMs: () => {
      const fields = proc('stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    residentMB: () => Number(/RssAnon:\s+(\d+) kB/.exec(proc('status'))?.[1]) / 1024,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
