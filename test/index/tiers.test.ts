import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { k1, type PerField } from '../../src/index/bm25f.ts';
import { followStore } from '../../src/index/follow.ts';
import { createLiveTier, liveScore } from '../../src/index/live/live-tier.ts';
import { openIndex } from '../../src/index/open-index.ts';
import { readManifest } from '../../src/index/packed/manifest.ts';
import { pack } from '../../src/index/packed/pack.ts';
import type { IndexSearch } from '../../src/index/page-index.ts';
import type { Page } from '../../src/page.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { bruteForce } from './brute-force.ts';
import { randomPage, randomSearch } from './random-index.ts';

/** A store with an index over it, in a folder of its own. */
function openBoth(dataFolder: string) {
  const store = openPageStore(dataFolder);
  const folder = join(dataFolder, 'index');
  const open = () => {
    const index = openIndex({ folder, log: silentLog });
    const follower = followStore({ store, index, log: silentLog, pollMs: 60_000 });
    return { index, follower };
  };
  return { store, folder, open };
}

type Step = { put: Page } | { remove: number } | 'pack' | 'restart';
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: randomPage.map((put) => ({ put })) },
  { weight: 2, arbitrary: fc.nat(5).map((remove) => ({ remove })) },
  { weight: 2, arbitrary: fc.constant('pack' as const) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
);

/** Scores by plain floating point, with the weights and averages that the index says it used. */
function floatScore(
  page: Page,
  weights: ReadonlyMap<string, number>,
  averages: PerField,
  asked: IndexSearch,
): number {
  const tier = createLiveTier();
  tier.put(page);
  const [counted] = tier.match({ query: { kind: 'all', of: [] }, copies: true });
  if (!counted) throw new Error('the page is not there');
  return liveScore(counted, weights, averages) * (asked.prefer?.lang === page.lang ? asked.prefer.factor : 1);
}

test('puts, removals, packings and restarts in any order: matches and totals of a scan, scores of plain BM25F', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), randomSearch, async (steps, asked) => {
      const dataFolder = mkdtempSync(join(tmpdir(), 'gleaner-tiers-'));
      const { store, folder, open } = openBoth(dataFolder);
      let { index, follower } = open();
      try {
        const pages = new Map<string, Page>();
        for (const step of steps) {
          if (step === 'pack') pack(store, folder);
          else if (step === 'restart') {
            await follower.stop();
            await index.close();
            ({ index, follower } = open());
          } else if ('put' in step) {
            pages.set(step.put.id, step.put);
            await store.write((writer) => writer.putPage(step.put));
          } else {
            const id = [...pages.keys()][step.remove];
            if (id !== undefined) await store.write((writer) => writer.removePage(id));
            pages.delete(id ?? '');
          }
          await follower.catchUp();
        }
        await index.refresh();
        const answer = await index.search(asked);
        const expected = bruteForce([...pages.values()], asked);
        expect(answer.total).toBe(expected.length);
        expect(new Set(answer.hits.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
        const averages = index.stats().averageLengths;
        const allWeights = [...answer.weights.values()].reduce((a, b) => a + b, 0);
        const bound = ((k1 + 1) / 255) * allWeights * (asked.prefer?.factor ?? 1) + 1e-9;
        for (const { id, score } of answer.hits) {
          const plain = floatScore(pages.get(id) as Page, answer.weights, averages, asked);
          expect(Math.abs(score - plain)).toBeLessThanOrEqual(bound);
        }
        expect(index.stats()).toMatchObject({ pages: pages.size, seq: store.lastSeq() });
      } finally {
        await follower.stop();
        await index.close();
        await store.close();
        rmSync(dataFolder, { recursive: true, force: true });
      }
    }),
    { numRuns: 60 },
  );
}, 120_000);

/** A store with this many pages, the index packed, and an index that is open over it. */
async function packedIndex(count: number) {
  const both = openBoth(temporaryFolder());
  onTestFinished(() => both.store.close());
  const pages = Array.from({ length: count }, (_, n) =>
    examplePage({ url: `https://a.example/${n}`, title: `Page ${n}`, body: `heron ${n % 10 ? '' : 'pond'}` }),
  );
  await both.store.write((writer) => pages.forEach(writer.putPage));
  pack(both.store, both.folder);
  return { ...both, pages };
}

test.each([
  [40, 1],
  // As many crawls of a few pages, each packed at its end.
  [50, 5],
])('%i packings of %i pages leave few segments, and no file that is not listed', async (packings, pages) => {
  const { store, folder } = openBoth(temporaryFolder());
  onTestFinished(() => store.close());
  for (let n = 0; n < packings; n++) {
    await store.write((writer) => {
      for (let page = 0; page < pages; page++)
        writer.putPage(examplePage({ url: `https://a.example/${n}/${page}`, body: 'heron' }));
    });
    pack(store, folder);
  }
  const listed = readManifest(folder)?.segments.map(({ file }) => file) ?? [];
  expect(listed.length).toBeLessThanOrEqual(10);
  expect(
    readdirSync(folder)
      .filter((file) => file.endsWith('.seg'))
      .sort(),
  ).toEqual([...listed].sort());
});

test('what a killed packing left is gone with the next one, even if that does not end either', async () => {
  const { store, folder } = await packedIndex(20);
  const listed = readdirSync(folder).sort();
  writeFileSync(join(folder, 'left-over.seg'), 'half a segment');
  const failing = {
    ...store,
    changesAfter: () => {
      throw new Error('killed');
    },
  };
  expect(() => pack(failing, folder)).toThrow('killed');
  expect(readdirSync(folder).sort()).toEqual(listed);
});

test('a page that was put again or removed is dead in its segment at once, and after a restart', async () => {
  const { store, pages, open } = await packedIndex(20);
  const first = open();
  await first.follower.catchUp();
  expect(first.index.stats()).toMatchObject({ pages: 20, livePages: 0, segments: 1 });
  await store.write((writer) => {
    writer.putPage({ ...(pages[0] as Page), body: 'egret' });
    writer.removePage(pages[1]?.id ?? '');
  });
  for (const { index, follower } of [first, open()]) {
    await follower.catchUp();
    const ask = async (q: string) => (await index.search({ query: parseQuery(q), limit: 50 })).total;
    expect([await ask('heron'), await ask('egret'), index.stats().pages]).toEqual([18, 1, 19]);
    await follower.stop();
  }
});

test('an index that is open takes over what another process has packed', async () => {
  const { store, folder, open } = await packedIndex(20);
  const { index, follower } = open();
  await store.write((writer) => writer.putPage(examplePage({ url: 'https://b.example/', body: 'egret' })));
  await follower.catchUp();
  expect(index.stats().livePages).toBe(1);
  pack(store, folder);
  await index.refresh();
  expect(index.stats()).toMatchObject({ pages: 21, livePages: 0 });
  expect((await index.search({ query: parseQuery('egret'), limit: 5 })).total).toBe(1);
  await follower.stop();
});

test('what came while another process packed stays in the live tier', async () => {
  const { store, folder, open } = await packedIndex(20);
  const { index, follower } = open();
  const put = async (n: number, body: string) => {
    await store.write((writer) =>
      writer.putPage(examplePage({ url: `https://b.example/${n}`, title: 'B', body })),
    );
    await follower.catchUp();
  };
  for (let n = 0; n < 5; n++) await put(n, 'egret');
  pack(store, folder);
  await put(0, 'bittern');
  await put(5, 'bittern');
  await index.refresh();
  expect(index.stats()).toMatchObject({ pages: 26, livePages: 2, seq: 27, packedSeq: 25 });
  const ask = async (q: string) => (await index.search({ query: parseQuery(q), limit: 50 })).total;
  expect([await ask('egret'), await ask('bittern'), await ask('heron')]).toEqual([4, 2, 20]);
  await follower.stop();
});

test('an index that is ahead of a store restored from an older copy is packed again', async () => {
  const { folder, open, store } = await packedIndex(20);
  const older = openBoth(temporaryFolder());
  onTestFinished(() => older.store.close());
  await older.store.write((writer) =>
    writer.putPage(examplePage({ url: 'https://c.example/', body: 'egret' })),
  );
  const { index, follower } = open();
  await store.write((writer) => writer.putPage(examplePage({ url: 'https://b.example/', body: 'heron' })));
  await follower.catchUp();
  pack(older.store, folder);
  await index.refresh();
  const ask = async (q: string) => (await index.search({ query: parseQuery(q), limit: 50 })).total;
  expect([await ask('heron'), await ask('egret'), index.stats().seq]).toEqual([0, 1, 1]);
  await follower.stop();
});

test('a live tier through which many pages go keeps matching what a scan matches', async () => {
  const index = openIndex({ log: silentLog });
  const page = (n: number, body: string) => examplePage({ url: `https://a.example/${n}`, body });
  let seq = 0;
  for (let n = 0; n < 1300; n++)
    await index.apply([{ seq: ++seq, kind: 'put', page: page(n, `heron ${n}`) }]);
  for (let n = 0; n < 1300; n += 2) await index.apply([{ seq: ++seq, kind: 'remove', id: page(n, '').id }]);
  for (let n = 0; n < 1300; n += 3) await index.apply([{ seq: ++seq, kind: 'put', page: page(n, 'egret') }]);
  const total = async (q: string) => (await index.search({ query: parseQuery(q), limit: 1 })).total;
  expect([await total('heron'), await total('egret'), index.stats().livePages]).toEqual([433, 434, 867]);
});

test('a segment that cannot be read for some moments is taken over later', async () => {
  const { folder, open } = await packedIndex(20);
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.seg'));
  renameSync(join(folder, file), join(folder, 'away'));
  const { index, follower } = open();
  await follower.catchUp();
  expect(index.stats()).toMatchObject({ livePages: 20, segments: 0, needsPacking: true });
  renameSync(join(folder, 'away'), join(folder, file));
  await expect.poll(() => index.stats().livePages).toBe(0);
  expect(index.stats()).toMatchObject({ pages: 20, segments: 1, needsPacking: false });
  await follower.stop();
});

test('a damaged segment or manifest is answered from the store, and mended by the next packing', async () => {
  for (const damage of ['segment', 'manifest', 'missing'] as const) {
    const { store, folder, open } = await packedIndex(20);
    const [file = ''] = readdirSync(folder).filter((name) =>
      name.endsWith(damage === 'manifest' ? '.json' : '.seg'),
    );
    if (damage === 'missing') rmSync(join(folder, file));
    else writeFileSync(join(folder, file), 'torn');
    const { index, follower } = open();
    await follower.catchUp();
    const ask = async () => (await index.search({ query: parseQuery('heron pond'), limit: 5 })).total;
    expect([await ask(), index.stats().livePages]).toEqual([2, 20]);
    pack(store, folder);
    await index.refresh();
    expect([await ask(), index.stats().livePages, index.stats().segments]).toEqual([2, 0, 1]);
    await follower.stop();
  }
});
