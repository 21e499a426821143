import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startGuardedWorker, terminationGuard } from '../../../src/index/packed/guarded-worker.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const guardModule = new URL('../../../dist/src/index/packed/guarded-worker.js', import.meta.url).href;
const head = `
import { parentPort, workerData } from 'node:worker_threads';
import { terminationGuard } from '${guardModule}';
const waitForGate = () => Atomics.wait(new Int32Array(workerData.gate), 0, 0);
const say = (what) => parentPort.postMessage(what);
`;

/** Starts a worker that does `work`; `end` is not called by itself. */
function startWorker(work: string) {
  const path = join(temporaryFolder(), 'worker.mjs');
  writeFileSync(path, `${head}${work}`);
  const gate = new SharedArrayBuffer(4);
  const { worker, end } = startGuardedWorker(pathToFileURL(path), { gate });
  const messages: string[] = [];
  worker.on('message', (message) => void messages.push(message));
  const openGate = (): void => {
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
  };
  onTestFinished(async () => void (await worker.terminate()));
  return { worker, end, messages, openGate };
}

test.each([
  ['its modules are loaded', `say('busy'); waitForGate(); say('done'); terminationGuard(workerData);`],
  [
    'it does work that must not end',
    `terminationGuard(workerData).run(() => { say('busy'); waitForGate(); say('done'); });
     setInterval(() => undefined, 1000);`,
  ],
  ['it ends by itself', `terminationGuard(workerData).hold(); say('busy'); waitForGate(); say('done');`],
])('a worker is not ended while %s', async (_, work) => {
  const { end, messages, openGate } = startWorker(work);
  await expect.poll(() => messages).toEqual(['busy']);
  let hasEnded = false;
  const ended = end().then(() => {
    hasEnded = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(hasEnded).toBe(false);
  openGate();
  await ended;
  expect(messages).toEqual(['busy', 'done']);
});

test('a worker that fails while it is loaded is not waited for', async () => {
  const { worker, end } = startWorker(`throw new Error('no such module');`);
  const failure = new Promise<Error>((resolve) => worker.once('error', resolve));
  await end();
  expect((await failure).message).toBe('no such module');
});

test('guarded work runs at once where nobody waits, lets go when it throws, and cannot be nested', () => {
  const { run } = terminationGuard({ terminationLock: new SharedArrayBuffer(4) });
  expect(run(() => 7)).toBe(7);
  expect(() => run(() => run(() => 7))).toThrow('cannot be nested');
  expect(run(() => 8)).toBe(8);
});
