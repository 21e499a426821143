import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openIndex } from '../../src/index/open-index.ts';
import { pack } from '../../src/index/packed/pack.ts';
import type { IndexStats } from '../../src/index/page-index.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const appProcess = fileURLToPath(new URL('./app-process.mjs', import.meta.url));
const generous = { interval: 20 };

/** Another process with an app over the folder, which does what it is told. */
async function startApp(folder: string) {
  const child = spawn(process.execPath, [appProcess, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const answers = new Map<number, (answer: unknown) => void>();
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  lines.on('line', (line) => {
    const [id, answer] = JSON.parse(line) as [number, unknown];
    answers.get(id)?.(answer);
  });
  let asked = 0;
  const ask = <Answer>(...command: readonly (string | number)[]): Promise<Answer> =>
    new Promise((resolve) => {
      const id = asked++;
      answers.set(id, resolve as (answer: unknown) => void);
      child.stdin.write(`${JSON.stringify([id, ...command])}\n`);
    });
  return {
    put: (text: string, from: number, count: number) =>
      ask<{ acknowledgedAt: number }>('put', text, from, count),
    pack: async () => (await ask<{ packings: number[] }>('pack')).packings,
    total: async (q: string) => (await ask<{ total: number }>('search', q)).total,
    stats: () => ask<IndexStats>('stats'),
  };
}

test('readers find what a writer has put within a second or so, and take over what it has packed', async () => {
  const folder = temporaryFolder();
  const writer = await startApp(folder);
  const readers = await Promise.all([1, 2, 3].map(() => startApp(folder)));
  const took: number[] = [];
  for (let n = 0; n < 5; n++) {
    const { acknowledgedAt } = await writer.put('heron', n, 1);
    const seen = readers.map(async (reader) => {
      await expect.poll(() => reader.total('heron'), generous).toBe(n + 1);
      took.push(Date.now() - acknowledgedAt);
    });
    await Promise.all(seen);
  }
  took.sort((a, b) => a - b);
  process.stdout.write(`a new page was found by other processes after ${took[0]} to ${took.at(-1)} ms\n`);

  expect((await readers[0]?.stats())?.livePages).toBe(5);
  expect(await writer.pack()).toEqual([5]);
  for (const reader of [writer, ...readers]) {
    await expect.poll(async () => (await reader.stats()).livePages, generous).toBe(0);
    expect(await reader.stats()).toMatchObject({ pages: 5, segments: 1 });
    expect(await reader.total('heron')).toBe(5);
  }
}, 60_000);

test('of processes that want to pack, one does at a time, and every page is packed once', async () => {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  const processes = await Promise.all([1, 2, 3].map(() => startApp(folder)));
  const [first] = processes;
  await first?.put('heron', 0, 1500);

  const release = await store.acquireLock('packer');
  expect(await Promise.all(processes.map(({ pack }) => pack()))).toEqual([[], [], []]);
  await release?.();

  const packed = (await Promise.all(processes.map(({ pack }) => pack()))).flat();
  expect(packed.filter((pages) => pages > 0)).toEqual([1500]);
  for (const { stats, total } of processes) {
    await expect.poll(async () => (await stats()).livePages, generous).toBe(0);
    expect([await total('heron'), await total('number7')]).toEqual([1500, 1]);
  }
}, 60_000);

/** What a client of `gleaner mcp` says first; the call makes it open the index. */
const searchOverMcp = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'web_search', arguments: { q: 'heron' } } },
].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

test.each([
  { command: ['serve', '--port', '0'], says: [] },
  { command: ['mcp'], says: searchOverMcp },
])(
  'gleaner $command.0, told to stop while it packs, stops soon, and leaves the folder whole',
  async ({ command, says }) => {
    const folder = temporaryFolder();
    const count = 4000;
    const body = (n: number) =>
      `heron ${Array.from({ length: 250 }, (_, w) => `word${(n * 7 + w * w) % 9000}`)}`;
    let store = openPageStore(folder);
    await store.write((writer) => {
      for (let n = 0; n < count; n++)
        writer.putPage(examplePage({ url: `https://a.example/${n}`, body: body(n) }));
    });
    await store.close();

    const service = startGleaner([...command, '--data', folder], 'open');
    for (const line of says) service.child.stdin.write(line);
    await expect.poll(() => existsSync(join(folder, 'index')), generous).toBe(true);
    const told = Date.now();
    service.child.kill('SIGTERM');
    const { code } = await service.finished;
    const packedAll = existsSync(join(folder, 'index', 'manifest.json'));
    process.stdout.write(
      `${command[0]} stopped after ${Date.now() - told} ms; the packing had ${packedAll ? '' : 'not '}ended\n`,
    );
    expect(code).toBe(0);

    store = openPageStore(folder);
    onTestFinished(() => store.close());
    expect(await store.acquireLock('packer')).toBeTypeOf('function');
    // On a fast machine the packing may have ended before the signal did its work.
    expect(pack(store, join(folder, 'index'))).toMatchObject({ packed: packedAll ? 0 : count, segments: 1 });
    const index = openIndex({ folder: join(folder, 'index'), log: silentLog });
    expect((await index.search({ query: parseQuery('heron'), limit: 1 })).total).toBe(count);
  },
  60_000,
);
