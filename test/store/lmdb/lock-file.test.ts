import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasDeadReader, processesOver } from '../../../src/store/lmdb/lock-file.ts';
import { openPageStore } from '../../../src/store/lmdb-store.ts';
import { checkStoreFile } from '../../../src/store/store-file.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { startWriter } from '../other-writer.ts';

const storeOf = (folder: string): string => join(folder, 'store');

test('looking for other processes leaves the locks of this one, by which LMDB knows that it is there', () => {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  store.lastSeq();
  const { ino } = statSync(join(storeOf(folder), 'lock.mdb'));
  const locks = () =>
    readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .filter((line) => line.includes('POSIX') && new RegExp(`:${ino} `).test(line)).length;
  const before = locks();
  expect(before).toBeGreaterThan(0);
  expect(hasDeadReader(storeOf(folder))).toBe(false);
  expect(processesOver(storeOf(folder))).toEqual([]);
  checkStoreFile(storeOf(folder));
  expect(locks()).toBe(before);
});

test('a process that has the store open is seen without its slot, as one that has not read yet', async () => {
  const folder = temporaryFolder();
  const { child, reaches } = startWriter(folder);
  await reaches(1);
  child.kill('SIGSTOP');
  const lock = join(storeOf(folder), 'lock.mdb');
  writeFileSync(lock, readFileSync(lock).fill(0, 208), { flag: 'r+' });
  expect(processesOver(storeOf(folder))).toEqual([child.pid]);
});

test('a process that has the store open is told from one that died over it, and from one that closed it', async () => {
  const folder = temporaryFolder();
  const { child, reaches } = startWriter(folder);
  await reaches(1);
  expect(processesOver(storeOf(folder))).toEqual([child.pid]);
  expect(hasDeadReader(storeOf(folder))).toBe(false);
  child.kill('SIGKILL');
  await expect.poll(() => hasDeadReader(storeOf(folder))).toBe(true);
  expect(processesOver(storeOf(folder))).toEqual([]);
  const store = openPageStore(folder);
  store.lastSeq();
  await store.close();
  expect(hasDeadReader(storeOf(folder))).toBe(false);
});
