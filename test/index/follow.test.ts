import { expect, onTestFinished, test, vi } from 'vitest';
import { followStore } from '../../src/index/follow.ts';
import { openIndex } from '../../src/index/open-index.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const pages = Array.from({ length: 100 }, (_, n) => examplePage({ url: `https://a.example/${n}` }));

function open(pollMs: number) {
  const store = openPageStore(temporaryFolder());
  const index = openIndex({ log: silentLog });
  const follower = followStore({ store, index, log: silentLog, pollMs });
  onTestFinished(async () => {
    await follower.stop();
    await store.close();
  });
  return { store, index, follower };
}

test('after a catch-up the index holds what the store holds, removals included', async () => {
  const { store, index, follower } = open(60_000);
  await store.write((writer) => pages.forEach(writer.putPage));
  await store.write((writer) => writer.removePage(pages[0]?.id ?? ''));
  await follower.catchUp();
  expect(index.stats()).toMatchObject({ pages: 99, seq: store.lastSeq() });
});

test('a page that was put before the call is in the index after it, even when a catch-up was under way', async () => {
  const { store, index, follower } = open(60_000);
  await store.write((writer) => pages.slice(0, 50).forEach(writer.putPage));
  const first = follower.catchUp();
  await store.write((writer) => pages.slice(50).forEach(writer.putPage));
  await follower.catchUp();
  expect(index.stats().pages).toBe(100);
  await first;
});

test('changes by other processes are noticed', async () => {
  const { store, index } = open(5);
  await store.write((writer) => pages.forEach(writer.putPage));
  await vi.waitFor(() => expect(index.stats().pages).toBe(100), 10_000);
});
