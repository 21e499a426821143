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
  add(page: Page): Promise<void>;
  /** Ends the index; pages are searched from then on. */
  finish(): Promise<void>;
  ask(queries: readonly string[]): Promise<PeerAnswers>;
  end(): Promise<void>;
}

/** Starts an engine that makes its index in an empty folder. Its errors are on stderr, and end the process. */
export function startPeer(name: AnswerPeer, folder: string): PeerProcess {
  const script = fileURLToPath(new URL('../../../bench/answer-peers/answers.py', import.meta.url));
  const child = spawn('python3', [script, name, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONPATH: pythonFolder },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = async (request: object): Promise<void> => {
    if (!child.stdin.write(`${JSON.stringify(request)}\n`)) await once(child.stdin, 'drain');
  };
  const reply = async <Reply>(request: object): Promise<Reply> => {
    await send(request);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} has ended`);
    return JSON.parse(value) as Reply;
  };
  return {
    add: ({ url, title, headings, body }) => send({ page: { url, title, headings, body } }),
    finish: async () => void (await reply({ do: 'finish' })),
    ask: (queries) => reply({ do: 'ask', queries }),
    end: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
