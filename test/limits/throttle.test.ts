import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sleep } from '../../src/async/sleep.ts';
import { createThrottle } from '../../src/limits/throttle.ts';

function heldWork() {
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const work = (name: number) => () => {
    started.push(name);
    return new Promise<number>((resolve) => {
      finish[name] = () => resolve(name);
    });
  };
  return { started, finish, work };
}

async function settle() {
  for (let i = 0; i < 5; i++) await nextTurn();
}

test('no more than `concurrency` is under way, and the next starts when one ends', async () => {
  const throttle = createThrottle({ concurrency: 2 });
  const { started, finish, work } = heldWork();
  const results = [0, 1, 2].map((name) => throttle.run(work(name)));
  await settle();
  expect(started).toEqual([0, 1]);
  finish[1]?.();
  await settle();
  expect(started).toEqual([0, 1, 2]);
  finish[0]?.();
  finish[2]?.();
  expect(await Promise.all(results)).toEqual([0, 1, 2]);
});

test('starts beyond the burst wait for the rate', async () => {
  const clock = { ms: 0 };
  const throttle = createThrottle({
    concurrency: 10,
    perSecond: 2,
    burst: 2,
    now: () => clock.ms,
    sleep: async (ms) => {
      clock.ms += ms;
    },
  });
  const startedAt: number[] = [];
  for (let i = 0; i < 5; i++) await throttle.run(async () => startedAt.push(clock.ms));
  expect(startedAt).toEqual([0, 0, 500, 1000, 1500]);
});

test('work that fails hands on its error and frees its place', async () => {
  const throttle = createThrottle({ concurrency: 1 });
  await expect(throttle.run(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
  expect(await throttle.run(async () => 'next')).toBe('next');
});

test('an abort while waiting for the turn rejects at once and never starts the work', async () => {
  const throttle = createThrottle({ concurrency: 1 });
  const { started, finish, work } = heldWork();
  const first = throttle.run(work(0));
  const stop = new AbortController();
  const second = throttle.run(work(1), { signal: stop.signal });
  await settle();
  stop.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  finish[0]?.();
  await first;
  await settle();
  expect(started).toEqual([0]);
  await expect(throttle.run(work(2), { signal: stop.signal })).rejects.toThrow('stopped');
});

test('a sleep ends with its signal', async () => {
  const stop = new AbortController();
  const slept = sleep(3_600_000, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(slept).rejects.toThrow('stopped');
  await expect(sleep(0, stop.signal)).rejects.toThrow('stopped');
  await sleep(0);
});

test('work that is not willing to wait for the rate is refused at once, and told for how long', async () => {
  const clock = { ms: 0 };
  const throttle = createThrottle({ concurrency: 4, perSecond: 0.5, burst: 1, now: () => clock.ms });
  const options = { maxWaitSeconds: 1 };
  expect(await throttle.run(async () => 'first', options)).toBe('first');
  await expect(throttle.run(async () => 'second', options)).rejects.toMatchObject({
    name: 'RateExceeded',
    retryAfterSeconds: 2,
  });
  clock.ms = 2000;
  expect(await throttle.run(async () => 'third', options)).toBe('third');
});

test('a clock that is set back neither gives nor takes starts', async () => {
  const clock = { ms: 1_000_000 };
  const throttle = createThrottle({ concurrency: 4, perSecond: 1, burst: 2, now: () => clock.ms });
  const start = () =>
    throttle
      .run(async () => 'started', { maxWaitSeconds: 0 })
      .catch(({ retryAfterSeconds }) => retryAfterSeconds);
  expect([await start(), await start(), await start()]).toEqual(['started', 'started', 1]);
  clock.ms -= 3_600_000;
  expect(await start()).toBe(1);
  clock.ms += 1000;
  expect([await start(), await start()]).toEqual(['started', 1]);
});
