import { expect, test } from 'vitest';
import { type Channel, type Offer, openPeer } from '../../../src/cli/cluster/calls.ts';
import { ServiceError } from '../../../src/contract/errors.ts';
import { type Log, silentLog } from '../../../src/runtime.ts';

/** Two ends of a channel that carries JSON. */
function channelPair(): { one: Channel; other: Channel; close(): void } {
  const closers: (() => void)[] = [];
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const end = (own: number): Channel => ({
    send: (message) => {
      const text = JSON.stringify(message);
      setImmediate(() => {
        for (const listener of listeners[1 - own] ?? []) listener(JSON.parse(text));
      });
    },
    onMessage: (listener) => listeners[own]?.push(listener),
    onClose: (listener) => closers.push(listener),
  });
  const close = (): void => {
    for (const closer of closers) closer();
  };
  return { one: end(0), other: end(1), close };
}

function peerOf<Theirs extends Offer>(theirs: Theirs, log: Log = silentLog) {
  const { one, other, close } = channelPair();
  openPeer(other, theirs, log);
  return { ...openPeer<Theirs>(one, {}, silentLog), close };
}

const forever = () => new Promise<never>(() => {});

test('a call settles as the function does, errors for users included', async () => {
  const peer = peerOf({
    double: (number: number) => 2 * number,
    refuse: () => {
      throw new ServiceError('unreadable', 'no', { retryAfterSeconds: 7 });
    },
  });
  expect(await Promise.all([1, 2, 3].map((number) => peer.call('double', number)))).toEqual([2, 4, 6]);
  await expect(peer.call('refuse', undefined)).rejects.toMatchObject({
    code: 'unreadable',
    message: 'no',
    retryAfterSeconds: 7,
  });
});

test('an error that is a bug is logged where it is, and says nothing to the caller', async () => {
  const logged: object[] = [];
  const log = { ...silentLog, error: (details: object) => logged.push(details) };
  const fail = () => {
    throw new Error('a secret');
  };
  await expect(peerOf({ fail }, log).call('fail', undefined)).rejects.toMatchObject({ code: 'internal' });
  expect(logged).toMatchObject([{ name: 'fail', err: { message: 'a secret' } }]);
});

test('cancelling a call aborts the signal of the function', async () => {
  const cancelled: unknown[] = [];
  const wait = (_: null, signal: AbortSignal) => {
    signal.addEventListener('abort', () => cancelled.push(signal.aborted));
    return forever();
  };
  const controller = new AbortController();
  const call = peerOf({ wait }).call('wait', null, { signal: controller.signal });
  setImmediate(() => setImmediate(() => controller.abort(new Error('enough'))));
  await expect(call).rejects.toThrow('enough');
  await expect.poll(() => cancelled).toEqual([true]);
});

test('a call without an answer in time, and one whose channel closes, are unavailable', async () => {
  const peer = peerOf({ wait: forever });
  await expect(peer.call('wait', undefined, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'unavailable' });
  const call = peer.call('wait', undefined);
  peer.close();
  await expect(call).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  await expect(peer.call('wait', undefined)).rejects.toMatchObject({ code: 'unavailable' });
});
