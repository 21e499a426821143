import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openPageStore, storePath } from '../../src/store/lmdb-store.ts';
import { startProcess } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const endlessWriter = fileURLToPath(new URL('./endless-writer.mjs', import.meta.url));

/** Where `lock.mdb` of 64-bit Linux has the lock of an fsync: a robust mutex of glibc, which begins with this word. */
const syncLockOffset = 104;
const ownerBits = 0x3fffffff;
const ownerDiedBit = 0x40000000;

/** Read by another process: to close the file in this one would end the locks of its open store. */
function syncLockOf(folder: string): number {
  const bytes = execFileSync('head', ['-c', '208', join(storePath(folder), 'lock.mdb')]);
  return bytes.readUInt32LE(syncLockOffset);
}

/** Starts a process that writes, and kills it while it holds the lock of its fsync. */
async function killInFsync(folder: string, way: 'write' | 'edit'): Promise<void> {
  const { child, says, finished } = startProcess(process.execPath, [endlessWriter, folder, way]);
  const pid = child.pid as number;
  await says(/written/);
  for (;;) {
    child.kill('SIGSTOP');
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'latin1')).toMatch(/\) T /);
    const threads = readdirSync(`/proc/${pid}/task`).map(Number);
    if (threads.includes(syncLockOf(folder) & ownerBits)) break;
    child.kill('SIGCONT');
    await wait(1);
  }
  child.kill('SIGKILL');
  await finished;
  expect(syncLockOf(folder) & ownerDiedBit).toBe(ownerDiedBit);
}

const isKnownLayout = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

test.runIf(isKnownLayout).each([
  ['in the writer’s place', 'write'],
  ['without the writer’s place', 'edit'],
] as const)(
  'a store that stays open reads and writes on after a process was killed in its fsync, %s',
  async (_, way) => {
    const folder = temporaryFolder();
    const store = openPageStore(folder);
    onTestFinished(() => store.close());
    const mine = store.table<string>('mine');
    await store.write((writer) => writer.put(mine, 'first', 'heron'));
    await store.yieldWriter();
    await killInFsync(folder, way);
    // LMDB takes the lock inside a transaction where its changed pages, times the transactions since the last of this
    // process, are more than 500.
    await store.write((writer) => {
      for (let n = 0; n < 1000; n++) writer.put(mine, `${n}`, 'text '.repeat(500));
    });
    expect(store.health()).toEqual({ kind: 'ok' });
    expect(mine.get('first')).toBe('heron');
    expect(mine.count()).toBe(1001);
    expect(store.table('numbers').count()).toBe(100);
  },
  120_000,
);
