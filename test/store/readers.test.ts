import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { startProcess } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const readerProcess = fileURLToPath(new URL('./reader-process.mjs', import.meta.url));
const a = examplePage({ url: 'https://a.example/', body: 'heron' });

async function hold(folder: string, slots: number, held: number) {
  const reader = startProcess(process.execPath, [readerProcess, folder, String(slots), String(held)]);
  await reader.says(/holds/);
  return reader;
}

test('far more than a hundred readers may have a folder open', async () => {
  const folder = temporaryFolder();
  const first = openPageStore(folder);
  onTestFinished(() => first.close());
  await first.write((writer) => writer.putPage(a));
  await hold(folder, 0, 300);
  const script = `import { openPageStore } from ${JSON.stringify(new URL('../../dist/src/store/lmdb-store.js', import.meta.url).href)};
    process.stderr.write('read ' + openPageStore(${JSON.stringify(folder)}).page(${JSON.stringify(a.id)}).body);`;
  await startProcess(process.execPath, ['--input-type=module', '-e', script]).says(/read heron/);
});

test('a reader too many is refused with words, and let in once another has gone', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'store'));
  const reader = await hold(folder, 4, 4);
  expect(() => openPageStore(folder)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  expect(() => openPageStore(folder)).toThrow(/too many processes/);
  reader.child.kill('SIGKILL');
  await reader.finished;
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  await store.write((writer) => writer.putPage(a));
  expect(store.page(a.id)).toEqual(a);
});

test('a data folder that is deleted is noticed: nothing is acknowledged that would be lost', async () => {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  await store.write((writer) => writer.putPage(a));
  expect(store.health()).toEqual({ kind: 'ok' });
  rmSync(folder, { recursive: true });
  await expect(store.write((writer) => writer.putPage(a))).rejects.toThrow(/deleted or replaced/);
  await expect.poll(() => store.health().kind).toBe('gone');
  // Another folder at the same place is not the one that is open.
  mkdirSync(folder);
  await expect(store.write((writer) => writer.putPage(a))).rejects.toThrow(/restart/);
});

test('a scan that stands still keeps the file from growing no more than the pages it has yet to give', async () => {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  const pageOf = (n: number) =>
    examplePage({ url: `https://a.example/${n}`, body: `heron ${n} `.repeat(300) });
  await store.write((writer) => {
    for (let n = 0; n < 600; n++) writer.putPage(pageOf(n));
  });
  const size = () => statSync(join(folder, 'store', 'data.mdb')).size;
  const scan = store.heads()[Symbol.iterator]();
  const seen = new Set<string>();
  for (let n = 0; n < 100; n++) seen.add(scan.next().value?.id ?? '');
  const before = size();
  for (let n = 0; n < 200; n++) await store.write((writer) => writer.putPage(pageOf(n % 600)));
  expect(size() - before).toBeLessThan(3_000_000);
  for (let next = scan.next(); !next.done; next = scan.next()) seen.add(next.value.id);
  expect(seen.size).toBe(600);
});
