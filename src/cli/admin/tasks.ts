import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '../../contract/errors.ts';
import type { Task, TaskKind, TaskProgress, Tasks } from '../../http/pages/admin/admin-parts.ts';
import type { Clock } from '../../runtime.ts';

type Child = ChildProcessByStdio<null, Readable, Readable>;

export interface TasksParts {
  /** What every command gets before its name, such as the file of settings. */
  readonly globals: readonly string[];
  /** With the settings of the service. */
  readonly environment: NodeJS.ProcessEnv;
  readonly now: Clock;
}

export interface OwnTasks extends Tasks {
  /** Stops the running task and waits for its end. */
  close(): Promise<void>;
}

const program = fileURLToPath(new URL('../../../../bin/gleaner.mjs', import.meta.url));
const maxRecent = 10;
/** Characters of output that are kept of a task. */
const maxSaid = 4000;
/** A short command asks a site at most for three files; it has this long. */
const maxAskMs = 120_000;
/** A task that is told to stop packs what it stored; then it is ended. */
const maxStopMs = 8000;

interface RunningTask {
  readonly child: Child;
  task: Task;
}

/**
 * Each task is a process of its own, started from the command line of this program: it cannot slow searches down, and what
 * holds for a command in a terminal holds for it. Arguments are never read by a shell.
 */
export function createTasks({ globals, environment, now }: TasksParts): OwnTasks {
  const recent: Task[] = [];
  let running: RunningTask | undefined;
  let ended: Promise<void> = Promise.resolve();

  const begin = (args: readonly string[]): Child =>
    spawn(process.execPath, [program, ...globals, ...args], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  return {
    current: () => running?.task,
    recent: () => recent,
    start: (kind, what, args, afterwards = () => {}) => {
      if (running) {
        afterwards();
        throw new ServiceError(
          'unavailable',
          `one task at a time: the ${running.task.kind} of ${running.task.what} is running; stop it, or wait for its end`,
        );
      }
      const child = begin(args);
      const own: RunningTask = { child, task: newTask(kind, what, now()) };
      running = own;
      const output = watch(child, (progress) => {
        own.task = { ...own.task, progress };
      });
      ended = new Promise((resolve) => {
        child.once('close', (code, signal) => {
          const isStopped = own.task.outcome === 'stopped' || signal !== null;
          const outcome = isStopped ? 'stopped' : code === 0 ? 'done' : 'failed';
          recent.unshift({ ...own.task, endedAt: now(), outcome, said: output() });
          recent.splice(maxRecent);
          running = undefined;
          afterwards();
          resolve();
        });
        child.once('error', () => child.emit('close', 1, null));
      });
    },
    stop: () => {
      if (!running) return false;
      running.task = { ...running.task, outcome: 'stopped' };
      return running.child.kill('SIGINT');
    },
    ask: (args) => answerOf(begin(args)),
    close: async () => {
      const child = running?.child;
      child?.kill('SIGINT');
      const timer = setTimeout(() => child?.kill('SIGKILL'), maxStopMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

function newTask(kind: TaskKind, what: string, startedAt: number): Task {
  return { kind, what, startedAt, endedAt: undefined, progress: undefined, said: '', outcome: undefined };
}

/** Reads progress from the lines of a child; returns what it said otherwise. */
function watch(child: Child, onProgress: (progress: TaskProgress) => void): () => string {
  let said = '';
  const say = (text: string): void => {
    said = `${said}${text}\n`.slice(-maxSaid);
  };
  eachLine(child.stdout, (line) => {
    const progress = readProgress(line);
    if (progress) onProgress(progress);
    else say(summaryOf(line));
  });
  eachLine(child.stderr, say);
  return () => said.trim();
}

function eachLine(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = (lines.pop() ?? '').slice(0, maxSaid);
    for (const line of lines) if (line !== '') take(line.slice(0, maxSaid));
  });
  stream.on('end', () => rest !== '' && take(rest));
}

function readProgress(line: string): TaskProgress | undefined {
  const read = parseObject(line);
  if (read?.kind !== 'progress') return undefined;
  const number = (name: string): number | undefined => {
    const value = read[name];
    return typeof value === 'number' ? value : undefined;
  };
  const url = read.url ?? read.path;
  return {
    pages: (number('stored') ?? 0) + (number('unchanged') ?? 0),
    failed: (number('failed') ?? 0) + (number('refused') ?? 0),
    queued: number('queued') ?? 0,
    pagesPerSecond: number('pagesPerSecond'),
    secondsLeft: number('secondsLeft'),
    url: typeof url === 'string' ? url : undefined,
  };
}

/** The counts of a summary in one line each; any other line as it is. */
function summaryOf(line: string): string {
  const read = parseObject(line);
  if (read === undefined) return line;
  if (typeof read.text === 'string') return read.text;
  return Object.entries(read)
    .filter(([name, value]) => name !== 'kind' && name !== 'examples' && isWorthSaying(value))
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n');
}

function isWorthSaying(value: unknown): boolean {
  if (value === false || value === null) return false;
  return typeof value !== 'object' || Object.keys(value as object).length > 0;
}

function parseObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function answerOf(child: Child): Promise<string> {
  const read = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      read[name] = `${read[name]}${text}`.slice(-1_000_000);
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), maxAskMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve(read.stdout);
      const why = signal === null ? read.stderr.trim().replace(/^gleaner: /, '') : 'it took too long';
      reject(new ServiceError('invalid_parameters', why === '' ? 'the command failed' : why));
    });
  });
}
