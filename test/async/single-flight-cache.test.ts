import { expect, test } from 'vitest';
import { createSingleFlightCache } from '../../src/async/single-flight-cache.ts';

function rig({ maxBytes = 100, keepMs = 1000 } = {}) {
  const clock = { ms: 5000 };
  const cache = createSingleFlightCache<string>({
    ttlMs: (answer) => (answer === 'empty' ? 0 : keepMs),
    bytesOf: ({ length }) => length,
    maxBytes,
    now: () => clock.ms,
  });
  const asked: { key: string; signal: AbortSignal; answer(text: string): void; fail(error: Error): void }[] =
    [];
  const get = (key: string, signal?: AbortSignal) =>
    cache.get(
      key,
      (shared) =>
        new Promise((resolve, reject) => {
          asked.push({ key, signal: shared, answer: resolve, fail: reject });
        }),
      signal,
    );
  /** Asks and answers at once. */
  const fill = async (key: string, text: string) => {
    const got = get(key);
    await started();
    asked.at(-1)?.answer(text);
    return got;
  };
  const started = () => new Promise((resolve) => setImmediate(resolve));
  return { clock, cache, asked, get, fill, started };
}

test('an answer is kept for its time, to the millisecond', async () => {
  const { clock, cache, asked, get, fill } = rig();
  await fill('a', 'one');
  clock.ms += 999;
  expect(await get('a')).toBe('one');
  expect(asked).toHaveLength(1);
  clock.ms += 1;
  expect(cache.peek('a')).toBeUndefined();
  await fill('a', 'two');
  expect(cache.peek('a')).toBe('two');
});

test('what is to be kept for no time is asked again, and so is what failed', async () => {
  const { cache, asked, get, fill, started } = rig();
  await fill('a', 'empty');
  expect(cache.peek('a')).toBeUndefined();
  const failing = get('a');
  await started();
  asked.at(-1)?.fail(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  expect(await fill('a', 'whole')).toBe('whole');
  expect(asked).toHaveLength(3);
});

test('equal questions in flight share one request', async () => {
  const { asked, get, started } = rig();
  const both = [get('a'), get('a'), get('b')];
  await started();
  expect(asked.map(({ key }) => key)).toEqual(['a', 'b']);
  for (const { key, answer } of asked) answer(`answer ${key}`);
  expect(await Promise.all(both)).toEqual(['answer a', 'answer a', 'answer b']);
});

test('one of two callers who gives up leaves the other its answer', async () => {
  const { asked, get, started } = rig();
  const first = new AbortController();
  const gone = get('a', first.signal);
  const staying = get('a', new AbortController().signal);
  await started();
  first.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  expect(asked[0]?.signal.aborted).toBe(false);
  asked[0]?.answer('whole');
  expect(await staying).toBe('whole');
});

test('when nobody waits any longer the request is ended, and the next caller starts another', async () => {
  const { asked, get, started, cache } = rig();
  const callers = [new AbortController(), new AbortController()];
  const waiting = callers.map(({ signal }) => get('a', signal));
  await started();
  for (const caller of callers) caller.abort(new Error('gone'));
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(asked[0]?.signal.aborted).toBe(true);

  const again = get('a');
  await started();
  expect(asked).toHaveLength(2);
  // What the ended request still brings is nobody's.
  asked[0]?.answer('stale');
  await started();
  expect(cache.peek('a')).toBeUndefined();
  asked[1]?.answer('fresh');
  expect(await again).toBe('fresh');
});

test('a caller who has gone already asks nobody', async () => {
  const { asked, get, started } = rig();
  await expect(get('a', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  await started();
  expect(asked).toEqual([]);
});

test('all answers and their keys stay within the bound; what was not used for longest goes first', async () => {
  const { cache, fill } = rig({ maxBytes: 12 });
  await fill('a', 'aaaa');
  await fill('b', 'bbbb');
  cache.peek('a');
  await fill('c', 'cccc');
  expect(['a', 'b', 'c'].map((key) => cache.peek(key))).toEqual(['aaaa', undefined, 'cccc']);
  await fill('d', 'd'.repeat(11));
  expect(['a', 'c', 'd'].map((key) => cache.peek(key))).toEqual(['aaaa', 'cccc', undefined]);
  await fill('a long key', '');
  expect(cache.peek('a long key')).toBeUndefined();
});
