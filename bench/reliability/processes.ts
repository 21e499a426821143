import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Inspected } from './inspect-folder.ts';
import type { Ledger } from './ledger.ts';

const program = fileURLToPath(new URL('../../../bin/gleaner.mjs', import.meta.url));

/**
 * After this time a process counts as hung, and is killed. What is looked for is a wait that nothing ends; on a machine
 * with fifteen times as much to do as it has cores, the reading of 4,000 pages takes minutes.
 */
const patienceMs = 600_000;

export interface Ended {
  /** Null for a process that a signal ended. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly tookMs: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly isHung: boolean;
}

/** Runs a script or the command line to its end. */
export async function runNode(args: readonly string[], timeoutMs = patienceMs): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment() });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return { code, signal, tookMs: performance.now() - startedAt, stdout, stderr, isHung };
}

export function runGleaner(args: readonly string[], timeoutMs?: number): Promise<Ended> {
  return runNode([program, ...args], timeoutMs);
}

/** What a folder holds, in which words it was refused, or how the inspecting process died. */
export type Looked = Inspected | { readonly died: Ended };

export async function inspectFolder(folder: string, slots: number): Promise<Looked> {
  const ended = await runNode([scriptOf('inspect-folder'), folder, String(slots)]);
  if (ended.code !== 0 || ended.isHung) return { died: ended };
  return JSON.parse(ended.stdout) as Inspected;
}

export interface Writer {
  readonly child: ChildProcess;
  /** Resolves with the next line of this kind. Rejects when the process ends first, or after the patience. */
  next(kind: string): Promise<Record<string, unknown>>;
  send(line: 'go' | 'read' | 'close'): void;
  /** Whether the process has ended. */
  hasEnded(): boolean;
  /** Ends the process at once; resolves when all of its output is in the ledger. */
  kill(): Promise<void>;
}

/** Starts a storm writer whose operations go into the ledger. */
export async function startWriter(
  folder: string,
  slots: number,
  version: number,
  ledger: Ledger,
): Promise<Writer> {
  const args = [scriptOf('storm-writer'), folder, String(slots), String(version)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], env: environment() });
  child.stdin?.on('error', () => {});
  const closed = once(child, 'close');
  let hasEnded = false;
  void closed.then(() => {
    hasEnded = true;
  });
  const waiting = new Map<string, ((line: Record<string, unknown>) => void)[]>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
    // A killed process may leave half a line.
    if (!text.endsWith('}')) return;
    const line = JSON.parse(text);
    if (line.kind === 'begun') ledger.begin(line.slot, line.state);
    if (line.kind === 'acknowledged') ledger.acknowledge(line.slot, line.state);
    for (const resolve of waiting.get(line.kind)?.splice(0) ?? []) resolve(line);
  });
  return {
    child,
    next: (kind) =>
      new Promise((resolve, reject) => {
        waiting.set(kind, [...(waiting.get(kind) ?? []), resolve]);
        void closed.then(() => reject(new Error(`the writer ended before it said "${kind}"`)));
        setTimeout(() => reject(new Error(`the writer never said "${kind}"`)), patienceMs).unref();
      }),
    send: (line) => void child.stdin?.write(`${line}\n`),
    hasEnded: () => hasEnded,
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

export interface Service {
  readonly child: ChildProcess;
  readonly url: string;
  stop(): Promise<void>;
}

/** `gleaner serve` on a free port. Rejects when it ends before it listens. */
export async function startService(folder: string, more: NodeJS.ProcessEnv = {}): Promise<Service> {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--data', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...environment(), ...more },
  });
  const closed = once(child, 'close');
  const listening = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      const url = /listens on (http:\S+)/.exec(line)?.[1];
      if (url) resolve(url);
    });
    void closed.then(() => reject(new Error('the service ended before it listened')));
  });
  return {
    child,
    url: await listening,
    stop: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

function scriptOf(name: string): string {
  return fileURLToPath(new URL(`./${name}.js`, import.meta.url));
}

function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    GLEANER_EXTERNAL: 'off',
    GLEANER_ALLOW_PRIVATE: '1',
  };
}
