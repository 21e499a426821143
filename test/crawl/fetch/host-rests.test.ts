import { expect, onTestFinished, test } from 'vitest';
import { createHostPace } from '../../../src/crawl/fetch/host-pace.ts';
import { createHostRests } from '../../../src/crawl/fetch/host-rests.ts';
import { openPageStore } from '../../../src/store/lmdb-store.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const host = 'a.example';

/** Paces of several processes, one after another, over one data folder. */
function openFolder() {
  const store = openPageStore(temporaryFolder());
  onTestFinished(() => store.close());
  const clock = { ms: 1_000_000 };
  const openPace = () =>
    createHostPace({ now: () => clock.ms, sleep: async () => {}, rests: createHostRests(store) });
  // The table is written in the background; a write of ours comes after those.
  const written = () => store.write(() => {});
  return { clock, openPace, written, rest: () => createHostRests(store).of(host) };
}

test('a long pause is known to the next process, and how often the host has failed', async () => {
  const { clock, openPace, written } = openFolder();
  const first = openPace();
  for (let i = 0; i < 5; i++) first.failed(host);
  await written();
  expect(openPace().paused(host)).toEqual({ seconds: 40, asked: false });
  clock.ms += 40_000;
  const next = openPace();
  expect(next.paused(host)).toBeNull();
  expect(next.failed(host)).toBe(80);
});

test('a short pause is not worth a write', async () => {
  const { openPace, written, rest } = openFolder();
  const pace = openPace();
  for (let i = 0; i < 3; i++) pace.failed(host);
  await written();
  expect(rest()).toBeUndefined();
});

test('pauses grow to a day and no further', () => {
  const pace = openFolder().openPace();
  const seconds = Array.from({ length: 20 }, () => pace.failed(host));
  expect(seconds.slice(0, 5)).toEqual([0, 5, 10, 20, 40]);
  expect(seconds.at(-1)).toBe(86_400);
});

test.each(['wake', 'answered'] as const)(
  '%s ends a pause for silence, also for the next process',
  async (how) => {
    const { openPace, written, rest } = openFolder();
    const pace = openPace();
    for (let i = 0; i < 9; i++) pace.failed(host);
    await written();
    pace[how](host);
    await written();
    expect(rest()).toBeUndefined();
    expect(openPace().paused(host)).toBeNull();
  },
);

test('an answer does not end a pause that the host asked for', async () => {
  const { openPace, written } = openFolder();
  const pace = openPace();
  pace.failed(host);
  pace.pause(host, 3600);
  pace.answered(host);
  pace.wake(host);
  await written();
  expect(pace.paused(host)).toEqual({ seconds: 3600, asked: true });
  expect(openPace().paused(host)).toEqual({ seconds: 3600, asked: true });
});
