import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import {
  allowTermination,
  terminationLockMemory,
  withoutTermination,
} from '../../../src/index/packed/termination-lock.ts';

/** Does such work from `holding` until the gate is open. */
const worker = `
const { parentPort, workerData } = require('node:worker_threads');
const { module, memory, gate } = workerData;
import(module).then(({ withoutTermination }) => {
  withoutTermination(memory, () => {
    parentPort.postMessage('holding');
    Atomics.wait(new Int32Array(gate), 0, 0);
  });
  parentPort.postMessage('left');
});`;

test('a worker is not ended while it does work that must not end', async () => {
  const memory = terminationLockMemory();
  const gate = new SharedArrayBuffer(4);
  const module = new URL('../../../dist/src/index/packed/termination-lock.js', import.meta.url).href;
  const thread = new Worker(worker, { eval: true, workerData: { module, memory, gate } });
  onTestFinished(async () => void (await thread.terminate()));
  const messages: string[] = [];
  thread.on('message', (message) => void messages.push(message));
  await expect.poll(() => messages).toEqual(['holding']);
  let isAllowed = false;
  const allowed = allowTermination(memory).then(() => {
    isAllowed = true;
  });
  await new Promise(setImmediate);
  expect(isAllowed).toBe(false);
  Atomics.store(new Int32Array(gate), 0, 1);
  Atomics.notify(new Int32Array(gate), 0);
  await allowed;
  await expect.poll(() => messages).toContain('left');
  expect(messages).toEqual(['holding', 'left']);
});

test('work runs at once where nobody waits, and lets go when it throws', async () => {
  const memory = terminationLockMemory();
  expect(withoutTermination(memory, () => 7)).toBe(7);
  expect(() =>
    withoutTermination(memory, () => {
      throw new Error('no file');
    }),
  ).toThrow('no file');
  expect(withoutTermination(memory, () => 8)).toBe(8);
  await allowTermination(memory);
});
