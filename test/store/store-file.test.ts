import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { open } from 'lmdb';
import { expect, onTestFinished, test } from 'vitest';
import { pack } from '../../src/index/packed/pack.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { checkStoreFile, storeDamage } from '../../src/store/store-file.ts';
import { examplePage } from '../pages.ts';
import { runGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startWriter } from './other-writer.ts';

/** A folder with 60 packed pages. */
async function filledFolder(): Promise<string> {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  for (let n = 0; n < 3; n++) {
    await store.write((writer) => {
      for (let m = 0; m < 20; m++) {
        const url = `https://a.example/${n * 20 + m}`;
        writer.putPage(examplePage({ url, body: `heron ${n} ${m} `.repeat(200 + m * 90) }));
      }
    });
  }
  pack(store, join(folder, 'index'));
  await store.close();
  return folder;
}

const damages: Record<string, (data: string, lock: string) => void> = {
  'a text': (data) => writeFileSync(data, 'hello\n'),
  'a long text': (data) => writeFileSync(data, 'hello\n'.repeat(50_000)),
  '300 KB of zeros': (data) => writeFileSync(data, Buffer.alloc(300_000)),
  'random bytes': (data) =>
    writeFileSync(data, Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * n) % 251))),
  'zeros in its first 8 KB': (data) =>
    writeFileSync(data, Buffer.concat([Buffer.alloc(8192), readFileSync(data).subarray(8192)])),
  'half of it': (data) => truncateSync(data, Math.floor(statSync(data).size / 2)),
  '8 KB of it': (data) => truncateSync(data, 8192),
  nothing: (data) => truncateSync(data, 0),
  'no file': (data) => rmSync(data),
  'a folder': (data) => {
    rmSync(data);
    mkdirSync(data);
  },
  'a fifo': (data) => {
    rmSync(data);
    execFileSync('mkfifo', [data]);
  },
  'a folder as its lock': (_, lock) => {
    rmSync(lock);
    mkdirSync(lock);
  },
};

test.each(Object.entries(damages))(
  'a store that is %s is refused with a word about what to do',
  async (_, damage) => {
    const folder = await filledFolder();
    damage(join(folder, 'store', 'data.mdb'), join(folder, 'store', 'lock.mdb'));
    const { code, stderr, stdout } = await runGleaner('status', '--data', folder);
    expect(stderr).toMatch(
      /^gleaner: the store .* cannot be used: .*(data|lock)\.mdb.*verify --repair --data/m,
    );
    expect(stderr).not.toMatch(/\n {4}at /);
    expect([code, stdout]).toEqual([1, expect.not.stringContaining('Pages:')]);
  },
);

test('an empty store file without an index is that of a process killed at its first start', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'store'));
  writeFileSync(join(folder, 'store', 'data.mdb'), '');
  const store = openPageStore(folder);
  await store.write((writer) => writer.putPage(examplePage({ url: 'https://a.example/' })));
  expect(store.pageCount()).toBe(1);
  await store.close();
});

test('every file that LMDB writes is let in: new, copied, compacted, copied while it is written, with free pages at its end', async () => {
  const folder = temporaryFolder();
  const root = open<string, string>({ path: join(folder, 'store'), maxDbs: 8 });
  onTestFinished(() => root.close());
  const check = (): void => checkStoreFile(join(folder, 'store'));
  check();
  const databases = ['heads', 'texts', 'changes'].map((name) => root.openDB<string, string>({ name }));
  for (let n = 0; n < 60; n++) {
    for (const database of databases) {
      void database.put(`key${n}`, 'v'.repeat((n * 997) % 20_000));
      if (n % 3 === 0) void database.remove(`key${n / 3}`);
    }
    await databases[0]?.put(`other${n}`, 'x');
    check();
    const copy = temporaryFolder();
    cpSync(join(folder, 'store', 'data.mdb'), join(copy, 'data.mdb'));
    expect(storeDamage(join(copy, 'data.mdb'))).toBeUndefined();
  }
  for (const database of databases) await database.clearAsync();
  await root.flushed;
  check();
  for (const compact of [false, true]) {
    const copy = temporaryFolder();
    await root.backup(copy, compact);
    expect(statSync(join(copy, 'data.mdb')).size).toBeGreaterThan(0);
    expect(storeDamage(join(copy, 'data.mdb'))).toBeUndefined();
  }
});

test('a store that is being written is let in at any moment', async () => {
  const folder = await filledFolder();
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  const path = join(folder, 'store', 'data.mdb');
  const writes = Array.from({ length: 100 }, (_, n) =>
    store.write((writer) =>
      writer.putPage(examplePage({ url: `https://a.example/${n % 60}`, body: `egret ${n} `.repeat(n * 10) })),
    ),
  );
  let done = false;
  const all = Promise.all(writes).then(() => {
    done = true;
  });
  while (!done) {
    expect(storeDamage(path)).toBeUndefined();
    await nextTurn();
  }
  await all;
});

test('after a power loss, the newest state may lead nowhere: the last one on disk is looked at, as LMDB does', async () => {
  const folder = await filledFolder();
  const path = join(folder, 'store', 'data.mdb');
  const bytes = readFileSync(path);
  const [first, second] = [24, 4096 + 24].map((at) => bytes.readBigUInt64LE(at + 128)) as [bigint, bigint];
  const newest = first > second ? 24 : 4096 + 24;
  const lost = (bootId: bigint): Buffer => {
    const image = Buffer.from(bytes);
    image.writeUInt16LE(image.readUInt16LE(newest + 24 + 4) | 0x1000, newest + 24 + 4);
    image.writeBigUInt64LE(BigInt(bytes.length), newest + 120);
    image.writeBigUInt64LE(BigInt(bytes.length - 1), newest + 72 + 40);
    image.writeBigUInt64LE((first > second ? first : second) + 1n, newest + 128);
    image.writeBigInt64LE(bootId, newest + 136);
    return image;
  };
  // Of this run of the machine the newest state is the one that opens, so that it has to be whole.
  writeFileSync(path, lost(bytes.readBigInt64LE(newest + 136)));
  expect(storeDamage(path)).toMatch(/is damaged: page/);
  writeFileSync(path, lost(12_345n));
  expect(storeDamage(path)).toBeUndefined();
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  expect([...store.heads()]).toHaveLength(60);
});

test('a file that another process makes longer while it is looked at is let in', async () => {
  const folder = temporaryFolder();
  const { child, reaches } = startWriter(folder);
  await reaches(1);
  const path = join(folder, 'store', 'data.mdb');
  const before = statSync(path).size;
  const found = new Set<string | undefined>();
  await expect
    .poll(() => {
      for (let look = 0; look < 20; look++) found.add(storeDamage(path));
      return statSync(path).size;
    })
    .toBeGreaterThan(4 * before);
  child.kill('SIGKILL');
  expect([...found]).toEqual([undefined]);
});
