import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { startSession } from '../e2e/mcp-session.ts';
import { examplePage } from '../pages.ts';
import { runGleaner, startGleaner, startProcess } from '../process.ts';
import { smallDisk } from '../small-disk.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const gleaner = fileURLToPath(new URL('../../bin/gleaner.mjs', import.meta.url));
const text = (words: number): string =>
  Array.from({ length: words / 5 }, () => randomBytes(25).toString('hex')).join(' ');
const html = (n: number, words: number): string =>
  `<html><head><title>Page ${n}</title></head><body><article><h1>Page ${n}</h1><p>heron ${text(words)}</p></article></body></html>`;
const page = (n: number, words = 20_000) =>
  examplePage({ url: `https://a.example/${n}`, body: `heron ${text(words)}` });

function disk(context: TestContext, megabytes = 4) {
  const found = smallDisk(megabytes);
  if (found === undefined) context.skip('this user may mount no file system');
  return found as NonNullable<typeof found>;
}

function filesWithPages(count: number, words: number): string {
  const folder = join(temporaryFolder(), 'files');
  mkdirSync(folder);
  for (let n = 0; n < count; n++) writeFileSync(join(folder, `${n}.html`), html(n, words));
  return folder;
}

/** A site whose pages are longer than what a full disk still takes; its address. */
async function longPages(): Promise<string> {
  const site = createServer((request, response) => {
    const isPage = request.url?.startsWith('/page');
    response.writeHead(isPage ? 200 : 404, { 'Content-Type': 'text/html' });
    response.end(isPage ? html(99, 60_000) : '');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  onTestFinished(() => void site.close());
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

test('on a full disk writes are refused with words, reading goes on, and with room again so does writing', async (context) => {
  const { data, fill, makeRoom } = disk(context);
  const store = openPageStore(data);
  onTestFinished(() => store.close());
  await store.write((writer) => writer.putPage(page(0, 100)));
  fill();
  const writes = await Promise.allSettled(
    [1, 2, 3, 4, 5, 6].map((n) => store.write((writer) => writer.putPage(page(n)))),
  );
  const refused = writes.filter((write) => write.status === 'rejected');
  expect(refused.length).toBeGreaterThan(3);
  for (const { reason } of refused) {
    expect(reason).toMatchObject({ code: 'storage_full', status: 507 });
    expect(reason.message).toContain('no space left on device');
    expect(reason.message).toContain(data);
  }
  // What was acknowledged is there, what was refused is not.
  for (const [at, write] of writes.entries())
    expect(store.head(page(at + 1, 1).id) !== undefined).toBe(write.status === 'fulfilled');
  expect(store.page(page(0, 1).id)?.body).toContain('heron');
  expect(store.health()).toMatchObject({ kind: 'read-only', why: expect.stringContaining('no space left') });
  await expect(store.edit((writer) => writer.put(store.table('t'), 'a', 'b'))).rejects.toMatchObject({
    code: 'storage_full',
  });

  makeRoom();
  await expect.poll(() => store.health().kind).toBe('ok');
  await store.write((writer) => writer.putPage(page(9)));
  expect(store.page(page(9, 1).id)?.body).toContain('heron');
});

test('a store whose last write met a full disk closes', async (context) => {
  const { data, fill } = disk(context, 1);
  const store = openPageStore(data);
  const table = store.table('t');
  await store.edit((writer) => writer.put(table, 'a', 'b'));
  fill();
  await expect(store.edit((writer) => writer.put(table, 'c', text(20_000)))).rejects.toMatchObject({
    code: 'storage_full',
  });
  await store.close();
});

test('an import that meets a full disk ends with its summary and a status of its own, and goes on when run again', async (context) => {
  const { data, fill, makeRoom } = disk(context, 9);
  const ballast = join(data, '..', 'ballast');
  writeFileSync(ballast, Buffer.alloc(5_000_000));
  const files = filesWithPages(60, 10_000);
  expect((await runGleaner('status', '--data', data)).code).toBe(1);
  const first = await runGleaner('import', files, '--data', data, '--json');
  expect(first.code).toBe(74);
  expect(first.stderr).toContain('no space left on device');
  expect(first.stderr).not.toContain('    at ');
  const summary = JSON.parse(first.stdout.trim().split('\n').at(-1) as string);
  expect(summary).toMatchObject({ kind: 'summary', storeFailure: { code: 'storage_full' } });
  fill();
  const status = await runGleaner('status', '--data', data);
  expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining('Writing: fails: no space left') });
  const pages = Number(/Pages: (\d+)/.exec(status.stdout)?.[1]);
  expect(pages).toBeGreaterThanOrEqual(summary.stored);
  expect((await runGleaner('search', 'heron', '--data', data)).stdout).toContain(`${pages} pages match`);
  makeRoom();
  rmSync(ballast);
  const again = await runGleaner('import', files, '--data', data, '--json');
  expect(JSON.parse(again.stdout.trim().split('\n').at(-1) as string).unchanged).toBe(pages);
}, 120_000);

test('gleaner serve starts on a full disk, answers, says that nothing can be stored, and learns again when there is room', async (context) => {
  const { data, fill, makeRoom } = disk(context, 8);
  expect((await runGleaner('import', filesWithPages(3, 200), '--data', data)).code).toBe(0);
  fill();
  const at = await longPages();

  const more = { GLEANER_LEARN: '1', GLEANER_ALLOW_PRIVATE: '1' };
  const service = startGleaner(['serve', '--port', '0', '--data', data], 'open', more);
  const [, url] = await service.says(/listens on (\S+)/);
  const ask = async (path: string) => (await fetch(new URL(path, url))).text();
  const read = async (path: string): Promise<string> => {
    const call = { name: 'fetch_content', arguments: { url: `${at}${path}` } };
    const response = await fetch(new URL('/mcp', url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    return response.text();
  };
  await expect.poll(() => ask('/readyz')).toContain('"ready"');
  expect(await read('/page1')).toContain('Page 99');
  expect(await ask('/readyz')).toContain('no space left on device');
  expect(await ask('/metrics')).toContain('gleaner_store_writable 0');
  expect(JSON.parse(await ask('/api/v1/search?q=heron')).total).toBe(3);
  makeRoom();
  await expect.poll(() => ask('/metrics')).toContain('gleaner_store_writable 1');
  let n = 2;
  const learnAnother = async (): Promise<number> => {
    expect(await read(`/page${n++}`)).toContain('Page 99');
    return JSON.parse(await ask('/api/v1/search?q=heron')).total;
  };
  await expect.poll(learnAnother).toBe(4);
  expect(service.child.exitCode).toBeNull();
}, 90_000);

test('gleaner mcp starts on a full disk, searches, reads a page without storing it, and stores when there is room', async (context) => {
  const { data, fill, makeRoom } = disk(context, 8);
  expect((await runGleaner('import', filesWithPages(3, 200), '--data', data)).code).toBe(0);
  fill();
  const at = await longPages();
  const session = startSession(gleaner, ['--data', data], { GLEANER_ALLOW_PRIVATE: '1' });
  let calls = 0;
  const call = async (name: string, args: object): Promise<Record<string, unknown>> => {
    const id = ++calls;
    session.call(id, name, args);
    const { result } = await session.hears((message) => message.id === id);
    expect(result?.isError).not.toBe(true);
    return result?.structuredContent as Record<string, unknown>;
  };
  expect(await call('web_search', { q: 'heron' })).toMatchObject({ total: 3 });
  expect(await call('fetch_content', { url: `${at}/page1` })).toMatchObject({ id: '', title: 'Page 99' });
  expect(session.stderr()).toContain('could not be stored');
  expect(session.stderr()).toContain('no space left on device');
  expect(await call('web_search', { q: 'heron' })).toMatchObject({ total: 3 });

  makeRoom();
  let n = 2;
  const fetchAnother = async () => (await call('fetch_content', { url: `${at}/page${n++}` })).id;
  await expect.poll(fetchAnother, { timeout: 30_000, interval: 500 }).not.toBe('');
  expect(await call('web_search', { q: 'heron' })).toMatchObject({ total: 4 });
  expect(session.child.exitCode).toBeNull();
}, 90_000);

/** The beginning of a shell that lets no file grow past so many blocks of 512 bytes, and then runs what it is given. */
const underLimit = (blocks: number) => `ulimit -f ${blocks}; exec "$@"`;

test.runIf(process.platform === 'linux')(
  'at the limit of a file’s size an import ends as on a full disk, reading goes on, and without it the import, too',
  async () => {
    const data = join(temporaryFolder(), 'data');
    const files = filesWithPages(60, 10_000);
    expect((await runGleaner('import', filesWithPages(1, 200), '--data', data)).code).toBe(0);
    const limited = (...args: string[]) =>
      startProcess('sh', ['-c', underLimit(4096), 'sh', process.execPath, gleaner, ...args, '--data', data])
        .finished;
    const imported = await limited('import', files, '--json');
    expect(imported.stderr).not.toContain('    at ');
    expect(imported.stderr).toContain('ulimit -f');
    expect(imported.code).toBe(74);
    const summary = JSON.parse(imported.stdout.trim().split('\n').at(-1) as string);
    expect(summary).toMatchObject({ kind: 'summary', storeFailure: { code: 'storage_full' } });
    expect((await limited('search', 'heron')).code).toBe(0);
    expect((await limited('status')).stdout).toContain('Writing: fails: no space left under the limit');
    const again = await runGleaner('import', files, '--data', data, '--json');
    const rest = JSON.parse(again.stdout.trim().split('\n').at(-1) as string);
    expect(rest.stored + rest.unchanged).toBe(60);
    expect((await runGleaner('verify', '--data', data)).code).toBe(0);
  },
  120_000,
);
