import { expect, test } from 'vitest';
import type { Generation } from '../../../src/index/opensearch/generation.ts';
import { createTermStatistics } from '../../../src/index/opensearch/term-statistics.ts';
import { fakeCluster } from './fake-cluster.ts';

const generation: Generation = {
  name: 'pages-g1',
  shards: 2,
  meta: { format: 1, termsVersion: 1, averageLengths: [1, 1, 1, 1], averagedOver: 1, swap: 'auto' },
};

/** Two shards: `heron` is on 3 and 1 of their 10 and 20 pages. Routing values lead to them in turn. */
const openStatistics = async (now: () => number, vectors?: object) => {
  const shard = (docCount: number, docFreq: number) => ({
    term_vectors: {
      terms: {
        field_statistics: { doc_count: docCount },
        terms: { heron: { doc_freq: docFreq }, zeppelin: {} },
      },
    },
  });
  const { client, requests } = await fakeCluster(({ path, query }) =>
    path.endsWith('_search_shards')
      ? { status: 200, body: { shards: [[{ shard: Number(query.get('routing')) % 2 }]] } }
      : { status: 200, body: { docs: [shard(10, 3), vectors ?? shard(20, 1)] } },
  );
  const asked = () => requests.filter(({ path }) => path === '/_mtermvectors').length;
  return { statistics: createTermStatistics(client, now), asked };
};

test('counts are summed over the shards, and kept for a while', async () => {
  let time = 0;
  const { statistics, asked } = await openStatistics(() => time);
  const read = () =>
    statistics.of(generation, ({ pages, documentFrequency }) => [
      pages,
      documentFrequency('heron'),
      documentFrequency('zeppelin'),
    ]);
  expect(await read()).toEqual([30, 4, 0]);
  expect(await read()).toEqual([30, 4, 0]);
  expect(asked()).toBe(1);
  time = 10_000;
  expect(await read()).toEqual([30, 4, 0]);
  expect(asked()).toBe(2);
});

test('a search without terms asks for nothing, and spoils no later counts', async () => {
  const { statistics, asked } = await openStatistics(() => 0);
  await statistics.of(generation, () => 0);
  expect(asked()).toBe(0);
  expect(
    await statistics.of(generation, ({ documentFrequency, pages }) => pages - documentFrequency('heron')),
  ).toBe(26);
});

test('a shard that cannot count makes the answer unavailable', async () => {
  const { statistics } = await openStatistics(() => 0, {
    error: { type: 'no_shard_available_action_exception' },
  });
  await expect(
    statistics.of(generation, ({ documentFrequency }) => documentFrequency('heron')),
  ).rejects.toMatchObject({
    code: 'unavailable',
  });
});
