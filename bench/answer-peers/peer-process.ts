import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Page } from '../../src/page.ts';
import { pythonFolder } from '../engines/install.ts';

export type AnswerPeer = 'tantivy' | 'fts5';

export interface PeerAnswers {
  /** CPU of each answer, in milliseconds. */
  readonly cpuMs: readonly number[];
  readonly totals: readonly number[];
}

/** An engine in a process of its own; `answers.py` says what it does. */
export interface PeerProcess {
  ask(queries: readonly string[]): Promise<PeerAnswers>;
  /** The answer to a query, as JSON. */
  answer(query: string): Promise<string>;
  end(): Promise<void>;
}

export interface FilledPeer extends PeerProcess {
  add(page: Page): Promise<void>;
  /** Ends the index; pages are searched from then on. Returns the CPU of the process so far, in milliseconds. */
  finish(): Promise<number>;
}

/** Starts an engine that makes its index in an empty folder. Its errors are on stderr, and end the process. */
export function startPeer(name: AnswerPeer, folder: string): FilledPeer {
  return start(name, folder, 'make');
}

/** Starts an engine over an index that `startPeer` made. */
export function openPeer(name: AnswerPeer, folder: string): PeerProcess {
  return start(name, folder, 'open');
}

function start(name: AnswerPeer, folder: string, mode: 'make' | 'open'): FilledPeer {
  const script = fileURLToPath(new URL('../../../bench/answer-peers/answers.py', import.meta.url));
  const child = spawn('python3', [script, name, folder, mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONPATH: pythonFolder },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = async (request: object): Promise<void> => {
    if (!child.stdin.write(`${JSON.stringify(request)}\n`)) await once(child.stdin, 'drain');
  };
  /** Replies come in the order of the requests, and are taken in it. */
  const line = async (request: object): Promise<string> => {
    await send(request);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} has ended`);
    return value;
  };
  const reply = async <Reply>(request: object): Promise<Reply> => JSON.parse(await line(request)) as Reply;
  return {
    add: ({ url, title, headings, body }) => send({ page: { url, title, headings, body } }),
    finish: async () => (await reply<{ readonly cpuMs: number }>({ do: 'finish' })).cpuMs,
    ask: (queries) => reply({ do: 'ask', queries }),
    answer: (query) => line({ do: 'answer', query }),
    end: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
