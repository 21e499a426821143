import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTimeSlices } from '../../src/async/time-slices.ts';
import { followStore } from '../../src/index/follow.ts';
import { openIndex } from '../../src/index/open-index.ts';
import { pack } from '../../src/index/packed/pack.ts';
import { createSegmentMapping } from '../../src/index/packed/segment-mapping.ts';
import type { IndexSearch, PageIndex } from '../../src/index/page-index.ts';
import {
  createSearchThreads,
  type DividedSearch,
  type SearchThreadsOptions,
} from '../../src/index/threads/search-threads.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const words = 'heron pond egret reed crane marsh stork'.split(' ');
const langs = ['en', 'de', 'fr'];

const pageOf = (n: number) =>
  examplePage({
    url: `https://${n % 4 ? 'a' : 'b'}.example/${n}`,
    title: `Page ${n} ${words[n % 7]}`,
    lang: langs[n % 3] as string,
    body: words.filter((_, index) => (n * 7 + index * index * 3) % (index + 2) < 2).join(' '),
  });

/** Pages in mapped segments, some of them dead, and some pages that are not packed. */
async function segmentsWithChanges(options: Partial<SearchThreadsOptions> = {}) {
  const dataFolder = temporaryFolder();
  const folder = join(dataFolder, 'index');
  const store = openPageStore(dataFolder);
  onTestFinished(() => store.close());
  const mapping = createSegmentMapping({ log: silentLog, minBytes: 1 });
  const put = (first: number, end: number, step = 1) =>
    store.write((writer) => {
      for (let n = first; n < end; n += step) writer.putPage(pageOf(n));
    });
  // Segments of one size would be merged.
  for (const [first, end] of [
    [0, 320],
    [320, 384],
    [384, 400],
  ] as const) {
    await put(first, end);
    pack(store, folder, mapping);
  }
  await put(0, 400, 9);
  await store.write((writer) => writer.removePage(pageId(pageOf(10).url)));
  const log = { ...silentLog, warn: vi.fn(), info: vi.fn() };
  const threads = createSearchThreads({ count: 2, minPostings: 0, folder, log, ...options });
  let divided: DividedSearch[] = [];
  const watched: typeof threads = {
    ...threads,
    divide: (...asked) => {
      const division = threads.divide(...asked);
      divided.push(division);
      return division;
    },
  };
  const open = async (shared: boolean) => {
    const index = openIndex({ folder, log: silentLog, mapping, ...(shared && { threads: watched }) });
    const follower = followStore({ store, index, log: silentLog, pollMs: 60_000 });
    onTestFinished(async () => {
      await follower.stop();
      await index.close();
    });
    await follower.catchUp();
    return { index, follower };
  };
  const shared = await open(true);
  const alone = await open(false);
  expect(alone.index.stats().mappedSegments).toBe(3);
  /** What threads were asked since the last call, or what the last search divided. */
  const shares = () => {
    const all = divided.flatMap((division) => division.shares);
    divided = [];
    return all;
  };
  const ready = async () => {
    await vi.waitFor(async () => {
      await ask(shared.index, { query: parseQuery('heron'), limit: 10 });
      expect(shares()).toHaveLength(options.count ?? 2);
    }, 30_000);
    shares();
  };
  return { store, folder, mapping, put, shared, alone, shares, ready, log };
}

const ask = (index: PageIndex, search: IndexSearch) => index.search({ ...search, pause: createTimeSlices() });

const searches: readonly Omit<IndexSearch, 'limit'>[] = [
  ...['heron', 'heron pond', 'heron OR egret OR reed', '"pond egret"', 'intitle:crane OR stork', ''],
  ...['heron -pond', 'site:b.example', 'site:a.example heron', '(marsh OR reed) crane', 'zeppelin'],
]
  .map((q) => ({ query: parseQuery(q) }))
  .flatMap((search) => [
    search,
    { ...search, lang: 'de' },
    { ...search, prefer: { lang: 'fr', factor: 1.5 } },
    { ...search, publicOnly: true },
  ]);

/** An answer without what is not data. */
async function answerOf(index: PageIndex, search: IndexSearch) {
  const { total, hits, weights } = await ask(index, search);
  return { total, hits: hits.map(({ marks, ...hit }) => ({ ...hit, marks: marks !== undefined })), weights };
}

test('a search that threads share answers like one that runs alone', async () => {
  const { shared, alone, ready, shares, put, store, folder, mapping } = await segmentsWithChanges();
  await ready();
  const compare = async () => {
    for (const search of searches)
      for (const limit of [1, 10, 1000])
        expect(await answerOf(shared.index, { ...search, limit })).toEqual(
          await answerOf(alone.index, { ...search, limit }),
        );
  };
  await compare();
  expect(shares()).toHaveLength(searches.length * 3 * 2);

  // Other pages, then other segments.
  await put(0, 400, 5);
  for (const { follower } of [shared, alone]) await follower.catchUp();
  await compare();
  pack(store, folder, mapping);
  for (const { index } of [shared, alone]) await index.refresh();
  await compare();
  expect(shares().length).toBeGreaterThan(0);
});

test('a search does not wait for a thread that is starting', async () => {
  const { shared, shares } = await segmentsWithChanges();
  await ask(shared.index, { query: parseQuery('heron'), limit: 10 });
  expect(shares()).toEqual([]);
});

test('only searches that read many postings are shared', async () => {
  const { shared, shares } = await segmentsWithChanges({ minPostings: 1000 });
  await vi.waitFor(async () => {
    await ask(shared.index, { query: parseQuery('heron OR pond OR egret OR reed'), limit: 10 });
    expect(shares()).toHaveLength(2);
  }, 30_000);
  await ask(shared.index, { query: parseQuery('stork'), limit: 10 });
  expect(shares()).toEqual([]);
});

test('segments that a thread cannot open are searched without it', async () => {
  const { shared, alone, shares, folder, log } = await segmentsWithChanges();
  const search = { query: parseQuery('heron OR pond'), limit: 1000 };
  const expected = await answerOf(alone.index, search);
  await ask(shared.index, search);
  for (const file of readdirSync(folder)) if (file.endsWith('.seg')) rmSync(join(folder, file));
  await vi.waitFor(async () => {
    expect(await answerOf(shared.index, search)).toEqual(expected);
    const answers = await Promise.all(shares().map(({ answer }) => answer));
    expect(answers).toEqual([undefined, undefined]);
  }, 30_000);
  expect(log.info).toHaveBeenCalledWith({ why: expect.stringContaining('ENOENT') }, expect.anything());
  expect(log.warn).not.toHaveBeenCalled();
});

test('a thread that is too slow is ended, its segments are searched without it, and it rests', async () => {
  const { shared, alone, shares, log } = await segmentsWithChanges({ count: 1, maxAnswerMs: 0 });
  const search = { query: parseQuery('heron OR pond'), limit: 1000 };
  const expected = await answerOf(alone.index, search);
  await vi.waitFor(async () => {
    expect(await answerOf(shared.index, search)).toEqual(expected);
    expect(log.warn).toHaveBeenCalledTimes(1);
  }, 30_000);
  shares();
  expect(await answerOf(shared.index, search)).toEqual(expected);
  expect(shares()).toEqual([]);
});

test('a thread ends when it is idle, and starts again when it is needed', async () => {
  const { shared, ready, shares } = await segmentsWithChanges({ idleMs: 500 });
  await ready();
  const search = { query: parseQuery('heron'), limit: 10 };
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await ask(shared.index, search);
  expect(shares()).toEqual([]);
  await ready();
});

test('a search that was begun ends well after the index is closed', async () => {
  const { shared, ready, shares, log } = await segmentsWithChanges();
  await ready();
  const begun = ask(shared.index, { query: parseQuery('heron'), limit: 10 });
  expect(shares()).toHaveLength(2);
  await shared.index.close();
  expect((await begun).total).toBeGreaterThan(0);
  expect(log.warn).not.toHaveBeenCalled();
});
