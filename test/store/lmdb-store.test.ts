import { once } from 'node:events';
import { join } from 'node:path';
import { open } from 'lmdb';
import { expect, onTestFinished, test } from 'vitest';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { openFailure } from '../../src/store/store-failure.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startWriter } from './other-writer.ts';

const a = examplePage({ url: 'https://a.example/', body: 'first' });
const b = examplePage({ url: 'https://b.example/', body: 'second' });

function openStore(folder = temporaryFolder()) {
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  return store;
}

test('a page comes back as it was put, and its head without the text', async () => {
  const store = openStore();
  await store.write((writer) => writer.putPage(a));
  expect(store.page(a.id)).toEqual(a);
  const { body, headings, ...head } = a;
  expect(store.head(a.id)).toEqual(head);
  expect(store.pageCount()).toBe(1);
  expect(store.page(b.id)).toBeUndefined();
  expect([store.has(a.id), store.has(b.id)]).toEqual([true, false]);
  await store.write((writer) => writer.removePage(a.id));
  expect(store.has(a.id)).toBe(false);
});

test('any string may be asked for', () => {
  const store = openStore();
  for (const id of ['', 'x'.repeat(5000), '\u0000', '\ud800']) {
    expect(store.page(id)).toBeUndefined();
    expect(store.head(id)).toBeUndefined();
    expect(store.has(id)).toBe(false);
  }
});

test('every put and remove is in the change log, an older change of the same page is not', async () => {
  const store = openStore();
  await store.write((writer) => {
    writer.putPage(a);
    writer.putPage(b);
  });
  await store.write((writer) => writer.putPage({ ...a, body: 'again' }));
  await store.write((writer) => expect(writer.removePage(b.id)).toBe(true));
  expect(store.changesAfter(0, 10)).toEqual([
    { seq: 3, id: a.id, kind: 'put' },
    { seq: 4, id: b.id, kind: 'remove' },
  ]);
  expect(store.changesAfter(3, 10)).toHaveLength(1);
  expect(store.lastSeq()).toBe(4);
});

test('removing what is not there changes nothing', async () => {
  const store = openStore();
  expect(await store.write((writer) => writer.removePage(a.id))).toBe(false);
  expect(store.lastSeq()).toBe(0);
});

test('an edit of tables is all or nothing, and needs no place of a writer', async () => {
  const folder = temporaryFolder();
  await startWriter(folder).reaches(1);
  const store = openStore(folder);
  const table = store.table<number>('numbers');
  await store.edit((writer) => writer.put(table, 'one', 1));
  const failing = store.edit((writer) => {
    writer.put(table, 'two', 2);
    writer.delete(table, 'one');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect([...table.entries()]).toEqual([['one', 1]]);
  await expect(store.write((writer) => writer.put(table, 'three', 3))).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('a write that throws leaves nothing behind', async () => {
  const store = openStore();
  const failing = store.write((writer) => {
    writer.putPage(a);
    throw new Error('half way');
  });
  await expect(failing).rejects.toThrow('half way');
  expect(store.page(a.id)).toBeUndefined();
  expect(store.lastSeq()).toBe(0);
});

test('a table can be read at every moment while its first write creates it', async () => {
  const store = openPageStore(temporaryFolder());
  onTestFinished(() => store.close());
  for (let round = 0; round < 20; round++) {
    const table = store.table<string>(`t${round}`);
    let written = false;
    const write = store
      .edit((writer) => writer.put(table, 'a', 'b'))
      .finally(() => {
        written = true;
      });
    while (!written) {
      expect([undefined, 'b']).toContain(table.get('a'));
      await new Promise(setImmediate);
    }
    await write;
    expect(table.get('a')).toBe('b');
  }
});

test('a table gives its entries in order, in both directions and within bounds', async () => {
  const store = openStore();
  const table = store.table<number>('numbers');
  await store.write((writer) => ['a', 'b', 'c', 'd'].forEach((key, at) => void writer.put(table, key, at)));
  expect([...table.entries()]).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
    ['d', 3],
  ]);
  expect([...table.entries({ from: 'b', to: 'd' })]).toEqual([
    ['b', 1],
    ['c', 2],
  ]);
  expect([...table.entries({ from: 'b', to: 'd', reverse: true })]).toEqual([
    ['c', 2],
    ['b', 1],
  ]);
  expect([...table.entries({ limit: 1 })]).toEqual([['a', 0]]);
  await store.write((writer) => writer.delete(table, 'a'));
  expect(table.get('a')).toBeUndefined();
  expect(table.count()).toBe(3);
});

test('what one write put, the next one reads, even when both were started at once', async () => {
  const store = openStore();
  const table = store.table<number>('counter');
  const increment = () => store.write((writer) => writer.put(table, 'n', (table.get('n') ?? 0) + 1));
  await Promise.all(Array.from({ length: 50 }, increment));
  expect(table.get('n')).toBe(50);
});

test('a store of a newer format is refused with a word about what to do', async () => {
  const folder = temporaryFolder();
  const root = open({ path: join(folder, 'store'), maxDbs: 64 });
  await root.openDB({ name: 'meta' }).put('format', 99);
  await root.close();
  expect(() => openPageStore(folder)).toThrow(/format 99.*another --data/);
});

test("nothing that was acknowledged is lost by SIGKILL, and the writer's place is free again", async () => {
  const folder = temporaryFolder();
  for (let round = 0; round < 3; round++) {
    const { child, acknowledged, reaches } = startWriter(folder);
    await reaches(20);
    child.kill('SIGKILL');
    await once(child, 'close');
    const store = openPageStore(folder);
    for (const id of acknowledged()) expect(store.page(id)).toBeDefined();
    expect(store.changesAfter(0, 1e6)).toHaveLength(store.pageCount());
    await store.close();
  }
});

test('a second process may read but not write, until the first has ended', async () => {
  const folder = temporaryFolder();
  const { child, acknowledged, reaches } = startWriter(folder);
  await reaches(1);
  const store = openStore(folder);
  expect(store.page(acknowledged()[0] ?? '')).toBeDefined();
  await expect(store.write((writer) => writer.putPage(a))).rejects.toThrow(`process ${child.pid} is writing`);
  child.kill('SIGKILL');
  await once(child, 'close');
  await store.write((writer) => writer.putPage(a));
  expect(store.page(a.id)).toEqual(a);
});

test('a folder that this user may not write to is refused in words', () => {
  const failure = openFailure(Object.assign(new Error('Permission denied'), { code: 13 }), '/data', 9);
  expect(failure.message).toMatch(
    /^cannot open the data folder \/data: .* must be able to write to it, also to search/,
  );
});
