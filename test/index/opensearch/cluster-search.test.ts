import { expect, test } from 'vitest';
import { searchCluster } from '../../../src/index/opensearch/cluster-search.ts';
import { type FakeAnswer, fakeCluster } from './fake-cluster.ts';

const answer = (shards: object, more: object = {}): FakeAnswer => ({
  status: 200,
  body: {
    timed_out: false,
    _shards: shards,
    hits: { total: { value: 3, relation: 'eq' }, hits: [] },
    ...more,
  },
});
const whole = answer({ total: 3, successful: 3, failed: 0 });

test('an answer of all shards is given, and partial ones are forbidden', async () => {
  const { client, requests } = await fakeCluster(() => whole);
  expect((await searchCluster(client, 'pages', {}))?.hits.total.value).toBe(3);
  expect(requests[0]?.query.get('allow_partial_search_results')).toBe('false');
  expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ track_total_hits: true });
});

test.each([
  [
    'a shard without any copy, which a cluster does not count as failed',
    answer({ total: 3, successful: 2, failed: 0 }),
  ],
  ['a shard that failed', answer({ total: 3, successful: 3, failed: 1 })],
  ['a search that was cut short', answer({ total: 3, successful: 3, failed: 0 }, { timed_out: true })],
  ['no word about shards', { status: 200, body: { hits: { total: { value: 0, relation: 'eq' } } } }],
] as const)('%s is asked again once, then unavailable, never a smaller total', async (_, partial) => {
  const { client, requests } = await fakeCluster(() => partial);
  await expect(searchCluster(client, 'pages', {})).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 5,
  });
  expect(requests).toHaveLength(2);
});

test('a shard that comes back between the two is no failure', async () => {
  const { client } = await fakeCluster((_, number) =>
    number === 1 ? answer({ total: 3, successful: 2, failed: 0 }) : whole,
  );
  expect(await searchCluster(client, 'pages', {})).toMatchObject({ hits: { total: { value: 3 } } });
});

test.each([
  [429, 'circuit_breaking_exception'],
  [500, 'node_not_connected_exception'],
  [500, 'search_phase_execution_exception'],
  [503, 'search_phase_execution_exception'],
])('status %i is unavailable', async (status, type) => {
  const { client } = await fakeCluster(() => ({ status, body: { error: { type } } }));
  await expect(searchCluster(client, 'pages', {})).rejects.toMatchObject({ code: 'unavailable' });
});

test('too many clauses are a fault of ours: nothing is tried again', async () => {
  const { client, requests } = await fakeCluster(() => ({
    status: 500,
    body: { error: { type: 'search_phase_execution_exception', root_cause: [{ type: 'too_many_clauses' }] } },
  }));
  await expect(searchCluster(client, 'pages', {})).rejects.toThrow('OpenSearch refused a search: 500');
  expect(requests).toHaveLength(1);
});

test('an index that is gone is told apart from an empty one', async () => {
  const { client } = await fakeCluster(() => ({
    status: 404,
    body: { error: { type: 'index_not_found_exception' } },
  }));
  expect(await searchCluster(client, 'pages', {})).toBeUndefined();
});
