import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ProcessMemory, processMemory } from '../process-memory.ts';
import { pythonFolder } from './install.ts';
import type { Reply, Request } from './protocol.ts';

/** An engine in a process of its own. */
export interface EngineProcess {
  /** Rejects with what the engine says when it fails, and when its process ends. */
  ask<Expected extends Reply>(request: Request): Promise<Expected>;
  /** Memory of the process now; Linux alone. */
  memory(): ProcessMemory;
  end(): void;
}

/** Enough for MiniSearch and Orama over 100,000 pages; the others stay far below. */
const heapMegabytes = 8000;

export function startEngine(name: string): EngineProcess {
  const child = name.startsWith('tantivy') ? startPython(name) : startNode(name);
  const waiting: { resolve(reply: never): void; reject(error: Error): void }[] = [];
  const failAll = (why: string): void => {
    for (const { reject } of waiting.splice(0)) reject(new Error(why));
  };
  child.once('error', (error) => failAll(error.message));
  child.once('exit', (code, signal) => failAll(`the process ended with ${signal ?? `code ${code}`}`));
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const reply = JSON.parse(line) as Reply;
      const next = waiting.shift();
      if ('failed' in reply) next?.reject(new Error(reply.failed));
      else next?.resolve(reply as never);
    });
  }

  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (child.exitCode !== null || child.signalCode !== null) {
          reject(new Error('the process has ended'));
          return;
        }
        waiting.push({ resolve, reject });
        child.stdin?.write(`${JSON.stringify(request)}\n`);
      }),
    memory: () => processMemory(child.pid),
    end: () => {
      child.stdin?.end();
    },
  };
}

function startNode(name: string): ChildProcess {
  const script = fileURLToPath(new URL('./child.js', import.meta.url));
  return spawn(process.execPath, [`--max-old-space-size=${heapMegabytes}`, script, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** `tantivy` keeps four fields with weights of their own, `tantivy-one-field` all as one. */
function startPython(name: string): ChildProcess {
  const script = fileURLToPath(new URL('../../../bench/engines/tantivy_process.py', import.meta.url));
  return spawn('python3', [script, name === 'tantivy' ? 'fields' : 'one-field'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONPATH: pythonFolder },
  });
}
