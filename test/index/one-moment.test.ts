import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Pause } from '../../src/async/time-slices.ts';
import { followStore } from '../../src/index/follow.ts';
import { openIndex } from '../../src/index/open-index.ts';
import { pack } from '../../src/index/packed/pack.ts';
import type { PageIndex } from '../../src/index/page-index.ts';
import { loosenQuery } from '../../src/query/bare-words.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const pageOf = (n: number) => examplePage({ url: `https://a.example/${n}`, body: 'heron pond' });

/** Thirty pages, most of them in several segments, of each of which a page was stored anew. */
async function openSegments() {
  const dataFolder = temporaryFolder();
  const folder = join(dataFolder, 'index');
  const store = openPageStore(dataFolder);
  onTestFinished(() => store.close());
  for (let n = 0; n < 30; n += 10) {
    await store.write((writer) => {
      for (let page = n; page < n + 10; page++) writer.putPage(pageOf(page));
    });
    pack(store, folder);
  }
  const index = openIndex({ folder, log: silentLog });
  onTestFinished(() => index.close());
  const follower = followStore({ store, index, log: silentLog, pollMs: 60_000 });
  onTestFinished(() => follower.stop());
  await follower.catchUp();
  expect(index.stats().segments).toBeGreaterThan(1);
  /** Every page, or one in so many, is stored again, so that it leaves its segment. */
  const storeAgain = async (step = 1) => {
    await store.write((writer) => {
      for (let n = 0; n < 30; n += step) writer.putPage(pageOf(n));
    });
    await follower.catchUp();
  };
  await storeAgain(10);
  return { index, storeAgain };
}

const query = parseQuery('heron pond zeppelin');
const loosened = loosenQuery(query);
if (!loosened) throw new Error('the query cannot be loosened');

const searches = {
  'a search': async (index: PageIndex, pause?: Pause) => {
    const { total, hits } = await index.search({ query: parseQuery('heron'), limit: 100, pause });
    expect(new Set(hits.map(({ id }) => id)).size).toBe(total);
    return total;
  },
  'partial matches': async (index: PageIndex, pause?: Pause) => {
    const { well, rest } = await index.partialMatches({ query, loosened, pause });
    const ids = [...well, ...rest].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    return ids.length;
  },
};

test.each(Object.entries(searches))('others go on between the segments of %s', async (_, search) => {
  const { index } = await openSegments();
  let turns = 0;
  let others = 0;
  const found = await search(index, async () => {
    turns += 1;
    setImmediate(() => {
      others += 1;
    });
    await new Promise((resolve) => setImmediate(resolve));
  });
  expect(found).toBe(30);
  expect(turns).toBeGreaterThanOrEqual(index.stats().segments);
  expect(others).toBe(turns);
});

test.each(Object.entries(searches))(
  'pages that are stored anew while %s gives way, at any time, are found once each',
  async (_, search) => {
    for (let turn = 1; turn <= 6; turn++) {
      const { index, storeAgain } = await openSegments();
      let turns = 0;
      const found = await search(index, () => (++turns === turn ? storeAgain() : undefined));
      expect(found).toBe(30);
    }
  },
);

test('what is explained is not interrupted, because the parts of scores are of the same moment', async () => {
  const { index, storeAgain } = await openSegments();
  const options = { explain: true, pause: () => storeAgain() };
  const { hits } = await index.search({ query: parseQuery('heron'), limit: 100, ...options });
  expect(hits.map(({ parts }) => parts?.has('heron'))).toEqual(hits.map(() => true));
  const { well, rest } = await index.partialMatches({ query, loosened, ...options });
  expect([...well, ...rest].map(({ parts }) => parts?.has('heron'))).toEqual(hits.map(() => true));
});

test.each(Object.entries(searches))('given up in a pause, %s ends with the reason', async (_, search) => {
  const { index } = await openSegments();
  await expect(search(index, () => Promise.reject(new Error('gone away')))).rejects.toThrow('gone away');
});
