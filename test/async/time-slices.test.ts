import { expect, test } from 'vitest';
import { createTimeSlices, sliceMs } from '../../src/async/time-slices.ts';

test('work goes on until a slice is over, then waits for a turn of the event loop and begins another', async () => {
  const clock = { ms: 100 };
  const pause = createTimeSlices({ now: () => clock.ms });
  clock.ms += sliceMs - 1;
  expect(pause()).toBeUndefined();
  clock.ms += 1;
  let others = 0;
  setImmediate(() => {
    others += 1;
  });
  await pause();
  expect(others).toBe(1);
  expect(pause()).toBeUndefined();
});

test('work that is given up meanwhile ends with the reason', async () => {
  const clock = { ms: 0 };
  const giveUp = new AbortController();
  const pause = createTimeSlices({ signal: giveUp.signal, now: () => clock.ms });
  clock.ms += sliceMs;
  const paused = pause();
  giveUp.abort(new Error('gone away'));
  await expect(paused).rejects.toThrow('gone away');
});
