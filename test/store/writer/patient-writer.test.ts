import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openPageStore } from '../../../src/store/lmdb-store.ts';
import { patientWriter } from '../../../src/store/writer/patient-writer.ts';
import { startProcess } from '../../process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { startWriter } from '../other-writer.ts';

const briefProcess = fileURLToPath(new URL('../brief-process.mjs', import.meta.url));

function openPatient(folder: string, waitMs?: number) {
  const words: string[] = [];
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  return { store: patientWriter(store, (line) => words.push(line), waitMs), words };
}

test('a command gets the lock from a process that holds it for a moment all the time', async () => {
  const folder = temporaryFolder();
  const brief = startProcess(process.execPath, [briefProcess, folder]);
  await brief.says(/c 3/);
  for (let n = 0; n < 5; n++) {
    const { store } = openPatient(folder);
    const table = store.table<number>('mine');
    for (let m = 0; m < 10; m++) await store.write((writer) => writer.put(table, `${n} ${m}`, m));
    await store.close();
  }
  const { store } = openPatient(folder);
  expect(store.table('mine').count()).toBe(50);
  const before = store.table<number>('numbers').get('a') ?? 0;
  await expect.poll(() => store.table<number>('numbers').get('a')).toBeGreaterThan(before);
});

test('a command waits for a process that keeps on writing, says for which, and is refused in the end', async () => {
  const folder = temporaryFolder();
  const { child, reaches } = startWriter(folder);
  await reaches(1);
  const { store, words } = openPatient(folder, 1500);
  const table = store.table<number>('mine');
  await expect(store.write((writer) => writer.put(table, 'a', 1))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(`process ${child.pid}`),
  });
  expect(words).toEqual([expect.stringContaining(`process ${child.pid}`)]);
  const waiting = store.write((writer) => writer.put(table, 'b', 2));
  child.kill('SIGKILL');
  await once(child, 'close');
  await waiting;
  expect(table.get('b')).toBe(2);
});

test('a store that stays open reads and writes on after writers were killed in the middle, again and again', async () => {
  const folder = temporaryFolder();
  const { store } = openPatient(folder);
  const table = store.table<number>('mine');
  for (let round = 0; round < 8; round++) {
    const { child, reaches } = startWriter(folder);
    await reaches(160);
    // At another point of its writing each time.
    await wait(3 + round * 0.7);
    child.kill('SIGKILL');
    await once(child, 'close');
    await store.write((writer) => {
      for (let n = 0; n < 300; n++) writer.put(table, `${round} ${n}`, n);
    });
    await store.yieldWriter();
    expect(table.count()).toBe(300 * (round + 1));
    expect(store.health()).toEqual({ kind: 'ok' });
  }
}, 60_000);

test('the note of a command that died keeps no brief writer waiting', async () => {
  const folder = temporaryFolder();
  const holder = startWriter(folder);
  await holder.reaches(1);
  const waiting = startProcess(process.execPath, [
    '--input-type=module',
    '-e',
    `import { openPageStore } from ${JSON.stringify(new URL('../../../dist/src/store/lmdb-store.js', import.meta.url).href)};
     const store = openPageStore(${JSON.stringify(folder)});
     await store.write(() => {}, { leavesNote: true }).catch(() => process.stderr.write('noted'));
     setInterval(() => {}, 1000);`,
  ]);
  await waiting.says(/noted/);
  holder.child.kill('SIGKILL');
  await once(holder.child, 'close');
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  const write = () => store.write(() => 'written', { yieldsToNotes: true });
  await expect(write()).rejects.toMatchObject({ heldBy: waiting.child.pid });
  waiting.child.kill('SIGKILL');
  await waiting.finished;
  expect(await write()).toBe('written');
});
