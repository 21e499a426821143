import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { abortable } from '../../src/async/abortable.ts';
import { within } from '../../src/async/within.ts';

const pending = new Promise<never>(() => {});

test('an aborted wait rejects with the reason, whatever the work does', async () => {
  const stop = new AbortController();
  const result = abortable(pending, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(result).rejects.toThrow('stopped');
  await expect(abortable(Promise.resolve(1), stop.signal)).rejects.toThrow('stopped');
});

test('a wait without an abort settles as the work does, and leaves no listener', async () => {
  const { signal } = new AbortController();
  expect(await abortable(Promise.resolve(1), signal)).toBe(1);
  await expect(abortable(Promise.reject(new Error('no answer')), signal)).rejects.toThrow('no answer');
  expect(await abortable(Promise.resolve(2), undefined)).toBe(2);
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});

test('a time limit gives the result in time, and undefined for late or failed work', async () => {
  expect(await within(60_000, Promise.resolve(1))).toBe(1);
  expect(await within(1, pending)).toBeUndefined();
  expect(await within(60_000, Promise.reject(new Error('no answer')))).toBeUndefined();
});
