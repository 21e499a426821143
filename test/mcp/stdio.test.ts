import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { reserveStdout, runStdio, type StdioOptions } from '../../src/mcp/stdio.ts';
import { silentLog } from '../../src/outside.ts';
import { tools } from '../../tools/index.ts';
import { engineThat } from '../tools/library.ts';

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
};
const search = { id: 2, method: 'tools/call', params: { name: 'web_search', arguments: { q: 'x' } } };

const emptyEngine: Engine = {
  ...engineThat(() => Promise.reject(new Error('not asked'))),
  search: async () => ({ total: 0, took_ms: 0, results: [], external: { state: 'off', failures: [] } }),
  didYouMean: async () => undefined,
};

/** A session whose client writes messages and sees every line that came back. */
function session(options: Partial<StdioOptions> = {}) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const done = runStdio({
    engine: async () => emptyEngine,
    tools,
    log: silentLog,
    version: '1.2.3',
    stdin,
    stdout,
    stderr,
    ...options,
  });
  return {
    stdin,
    stdout,
    stderr,
    done,
    say: (...messages: object[]) => {
      for (const message of messages) stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    },
    heard: () =>
      String(stdout.read() ?? '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  };
}

/** An engine that says when it was asked and whether it was told to stop, and never answers. */
function hangingEngine() {
  let asked = () => {};
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const state = { stopped: false };
  const engine = engineThat((signal) => {
    signal?.addEventListener('abort', () => {
      state.stopped = true;
    });
    asked();
    return new Promise(() => {});
  });
  return { engine: async () => engine, wasAsked, state };
}

test('requests that were written before stdin ended are answered, then it is over', async () => {
  const { say, stdin, done, heard } = session();
  say(initialize, { method: 'notifications/initialized' }, search);
  stdin.end();
  await done;
  expect(heard()).toMatchObject([
    { id: 1, result: { serverInfo: { name: 'gleaner', version: '1.2.3' } } },
    { id: 2, result: { structuredContent: { total: 0 } } },
  ]);
});

test('it is over when stdin ends, whatever hangs, and what hangs is told to stop', async () => {
  const { engine, wasAsked, state } = hangingEngine();
  const { say, stdin, done } = session({ engine, graceMs: 10 });
  say(initialize, search);
  await wasAsked;
  stdin.end();
  await done;
  expect(state.stopped).toBe(true);
});

test('a cancelled request is not waited for', async () => {
  const { engine, wasAsked, state } = hangingEngine();
  const { say, stdin, done } = session({ engine, graceMs: 600_000 });
  say(initialize, search);
  await wasAsked;
  say({ method: 'notifications/cancelled', params: { requestId: 2 } });
  stdin.end();
  await done;
  expect(state.stopped).toBe(true);
});

test('it is over when stdin is destroyed, when stdout breaks and when the signal says so', async () => {
  const destroyed = session();
  destroyed.stdin.destroy();
  await destroyed.done;

  const broken = session();
  broken.stdout.destroy(new Error('EPIPE'));
  await broken.done;

  const stop = new AbortController();
  const stopped = session({ signal: stop.signal });
  stop.abort();
  await stopped.done;
});

test('the engine is opened once the client is initialized, before any call', async () => {
  let opened = () => {};
  const wasOpened = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const { say, stdin, done } = session({
    engine: async () => {
      opened();
      return emptyEngine;
    },
  });
  say(initialize, { method: 'notifications/initialized' });
  await wasOpened;
  stdin.end();
  await done;
});

test('a line that is no message is told so, and the session goes on', async () => {
  const { say, stdin, done, heard } = session();
  stdin.write('nonsense\n{"jsonrpc":"2.0"}\n');
  say(initialize, { id: 2, method: 'ping' });
  stdin.end();
  await done;
  expect(heard()).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: null, error: { code: -32600 } },
    { id: 1 },
    { id: 2 },
  ]);
});

test('what others write to stdout goes to stderr', async () => {
  const { stdout, stderr, say, stdin, done, heard } = session();
  stdout.write('a stray line\n');
  say(initialize);
  stdin.end();
  await done;
  expect(heard()).toHaveLength(1);
  expect(String(stderr.read())).toBe('a stray line\n');
});

test('the reserved stream keeps the order on a slow stdout', async () => {
  const chunks: string[] = [];
  const slow = new Writable({
    write(chunk, _, callback) {
      chunks.push(String(chunk));
      setImmediate(callback);
    },
  });
  const protocol = reserveStdout(slow, new PassThrough());
  for (const part of ['a', 'b', 'c']) protocol.write(part);
  await new Promise<void>((resolve) => protocol.end(resolve));
  expect(chunks.join('')).toBe('abc');
});
