import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { reserveStdout, runStdio, type StdioOptions } from '../../src/mcp/stdio.ts';
import { silentLog } from '../../src/runtime.ts';
import { defaultToolNames } from '../../tools/tool-names.ts';
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
    tools: defaultToolNames,
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

test('calls under way when stdin ends get the time that their work takes', async () => {
  let finish = () => {};
  let asked = () => {};
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const slow: Engine = {
    ...emptyEngine,
    search: (params, options) =>
      new Promise((resolve) => {
        finish = () => resolve(emptyEngine.search(params, options));
        asked();
      }),
  };
  const { say, stdin, done, heard } = session({ engine: async () => slow, graceMs: 0 });
  say(initialize, search);
  await wasAsked;
  stdin.end();
  // Many turns of the event loop, after which the end has been seen.
  await new Promise((resolve) => setTimeout(resolve, 50));
  finish();
  await done;
  expect(heard()).toMatchObject([{ id: 1 }, { id: 2, result: { structuredContent: { total: 0 } } }]);
});

test('it is over some time after stdin has ended, whatever hangs; that is stopped, and logged', async () => {
  const { engine, wasAsked, state } = hangingEngine();
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (details: object) => void warnings.push(details) };
  const { say, stdin, done } = session({ engine, log, maxDrainMs: 10 });
  say(initialize, search);
  await wasAsked;
  stdin.end();
  await done;
  expect(state.stopped).toBe(true);
  expect(warnings).toEqual([{ unanswered: 1, maxDrainMs: 10 }]);
});

const patient = { maxDrainMs: 600_000 };

test('it is over soon after the signal, before the end of stdin and after it', async () => {
  for (const endFirst of [false, true]) {
    const { engine, wasAsked, state } = hangingEngine();
    const stop = new AbortController();
    const graceMs = endFirst ? 600_000 : 10;
    const { say, stdin, done } = session({ engine, signal: stop.signal, graceMs, ...patient });
    say(initialize, search);
    await wasAsked;
    if (endFirst) stdin.end();
    if (endFirst) await once(stdin, 'end');
    stop.abort();
    await done;
    expect(state.stopped).toBe(true);
  }
});

test('it is over at once after the end of stdin when the parent dies or stdout breaks', async () => {
  for (const leave of ['parent', 'stdout']) {
    const { engine, wasAsked, state } = hangingEngine();
    let parent = 7;
    const { say, stdin, stdout, done } = session({ engine, parentPid: () => parent, ...patient });
    say(initialize, search);
    await wasAsked;
    stdin.end();
    await once(stdin, 'end');
    if (leave === 'parent') parent = 1;
    else stdout.destroy(new Error('EPIPE'));
    await done;
    expect(state.stopped).toBe(true);
  }
});

test('the last message counts without a line break', async () => {
  const { stdin, done, heard } = session();
  stdin.end(JSON.stringify({ jsonrpc: '2.0', ...initialize }));
  await done;
  expect(heard()).toMatchObject([{ id: 1, result: {} }]);
});

test('a cancelled request is not waited for', async () => {
  const { engine, wasAsked, state } = hangingEngine();
  const { say, stdin, done } = session({ engine, ...patient });
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

test('blank lines are no messages and get no answer', async () => {
  const { say, stdin, done, heard } = session();
  stdin.write('\n\r\n  \t\n');
  say(initialize);
  stdin.write(' \n\n{"jsonrpc":"2.0",');
  stdin.write('"id":2,"method":"ping"}');
  stdin.end();
  await done;
  expect(heard()).toMatchObject([{ id: 1 }, { id: 2 }]);
});

test('a line that is no message is logged in one sentence, without what a library says of it', async () => {
  const logged: unknown[] = [];
  const log = { ...silentLog, warn: (...line: unknown[]) => void logged.push(line) };
  const { say, stdin, done } = session({ log });
  stdin.write('nonsense\n{"jsonrpc":"2.0"}\n');
  say(initialize);
  stdin.end();
  await done;
  expect(logged).toEqual(Array(2).fill([{}, 'a line of the MCP client is no JSON-RPC message']));
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

test.each([
  ['web_search', 'text', 'arguments must be an object'],
  ['web_search', ['q'], 'arguments must be an object'],
  [7, {}, 'name must be a string'],
])('what is no form of a call (%j with %j) is refused in words', async (name, given, words) => {
  const { say, stdin, done, heard } = session();
  say(initialize, { id: 2, method: 'tools/call', params: { name, arguments: given } });
  stdin.end();
  await done;
  const { error } = heard().find(({ id }) => id === 2);
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(words) });
  expect(error.message).not.toMatch(/[[\]]|expected|zod/i);
});

test('fifty requests at once bring no warning of listeners', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const stdout = new PassThrough({ highWaterMark: 1 });
  const { say, stdin, done } = session({ stdout });
  say(initialize);
  for (let id = 2; id <= 51; id++) say({ id, method: 'tools/list' });
  stdin.end();
  const heard: string[] = [];
  stdout.setEncoding('utf8').on('data', (text: string) => heard.push(text));
  await done;
  // A warning is emitted in a later turn.
  await new Promise(setImmediate);
  expect(heard.join('').trim().split('\n')).toHaveLength(51);
  expect(warnings).toEqual([]);
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
