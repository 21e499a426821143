import { expect, test } from 'vitest';
import { type BulkOperation, sendOperations } from '../../../src/index/opensearch/feed/send-operations.ts';
import { silentLog } from '../../../src/runtime.ts';
import { type FakeAnswer, type FakeRequest, fakeCluster } from './fake-cluster.ts';

const operations = (count: number): BulkOperation[] =>
  Array.from({ length: count }, (_, n) => ({ id: `p${n}`, lines: `{"delete":{"_id":"p${n}"}}\n` }));
const idsIn = ({ body }: FakeRequest) => [...body.matchAll(/"_id":"(\w+)"/g)].map(([, id = '']) => id);
const item = (id: string, status: number, type?: string) => ({
  delete: { _id: id, status, ...(type && { error: { type } }) },
});
const allDone = (request: FakeRequest): FakeAnswer => ({
  status: 200,
  body: { errors: false, items: idsIn(request).map((id) => item(id, 200)) },
});
const refused = (status: number, type: string): FakeAnswer => ({ status, body: { error: { type }, status } });

/** Sends to a cluster that answers as it is told; pauses take no time but on the clock. */
async function send(count: number, answer: (request: FakeRequest, number: number) => FakeAnswer) {
  const { client, requests } = await fakeCluster(answer);
  const pauses: number[] = [];
  let time = 0;
  const sleep = async (ms: number): Promise<void> => {
    pauses.push(ms);
    time += ms;
  };
  const { signal } = new AbortController();
  const parts = { client, now: () => time, sleep, log: silentLog, signal, random: () => 1 };
  const result = await sendOperations(operations(count), parts);
  return { result, pauses, sent: requests.map(idsIn) };
}

test('a whole request that is refused with 429 is halved until it passes', async () => {
  const { result, sent } = await send(8, (request) =>
    idsIn(request).length > 2 ? refused(429, 'rejected_execution_exception') : allDone(request),
  );
  expect(result).toEqual({ kind: 'settled', failed: new Map() });
  expect(sent.map((ids) => ids.length)).toEqual([8, 4, 2, 2, 2, 2]);
});

test('a request that is too large is halved at once, and one page alone fails', async () => {
  const { result, pauses } = await send(4, (request) =>
    idsIn(request).includes('p2') ? refused(413, '') : allDone(request),
  );
  expect(result).toEqual({ kind: 'settled', failed: new Map([['p2', 'too large for a request']]) });
  expect(pauses).toEqual([]);
});

test('a page that is refused alone again and again, while others pass, fails and holds up none', async () => {
  const { result, sent } = await send(3, (request) =>
    idsIn(request).includes('p1') ? refused(429, 'rejected_execution_exception') : allDone(request),
  );
  expect(result).toEqual({
    kind: 'settled',
    failed: new Map([['p1', 'more than the cluster takes at once']]),
  });
  expect(sent.slice(0, 5)).toEqual([['p0', 'p1', 'p2'], ['p0', 'p1'], ['p0'], ['p1'], ['p2']]);
});

test('where nothing passes, the cluster is busy, and no page fails', async () => {
  const { result } = await send(2, () => refused(429, 'rejected_execution_exception'));
  expect(result).toEqual({ kind: 'stale' });
});

test('only the pages that are to be sent again are sent again, after longer and longer pauses', async () => {
  const { result, sent, pauses } = await send(3, (request, number) => ({
    status: 200,
    body: {
      items: idsIn(request).map((id) =>
        id === 'p1' && number < 4 ? item(id, 503, 'unavailable_shards_exception') : item(id, 200),
      ),
    },
  }));
  expect(result.kind).toBe('settled');
  expect(sent).toEqual([['p0', 'p1', 'p2'], ['p1'], ['p1'], ['p1']]);
  expect(pauses).toEqual([500, 1000, 2000]);
});

test.each([
  [200, undefined, 'settled'],
  [201, undefined, 'settled'],
  [409, 'version_conflict_engine_exception', 'settled'],
  [404, undefined, 'settled'],
  [400, 'strict_dynamic_mapping_exception', 'failed'],
  [400, 'mapper_parsing_exception', 'failed'],
] as const)('an item with status %i %s is %s', async (status, type, kind) => {
  const { result, sent } = await send(1, () => ({
    status: 200,
    body: { items: [item('p0', status, type)] },
  }));
  expect(sent).toHaveLength(1);
  expect(result).toEqual({ kind: 'settled', failed: new Map(kind === 'failed' ? [['p0', type]] : []) });
});

test.each([
  [429, 'circuit_breaking_exception', 500],
  [429, 'cluster_block_exception', 30_000],
  [500, 'node_not_connected_exception', 500],
  [503, 'unavailable_shards_exception', 500],
])('an item with status %i %s is sent again after %i ms', async (status, type, pause) => {
  const { result, pauses } = await send(1, (request, number) =>
    number === 1 ? { status: 200, body: { items: [item('p0', status, type)] } } : allDone(request),
  );
  expect(result.kind).toBe('settled');
  expect(pauses).toEqual([pause]);
});

test('a generation that is gone ends the sending', async () => {
  const { result } = await send(2, () => ({
    status: 200,
    body: {
      items: [item('p0', 404, 'index_not_found_exception'), item('p1', 404, 'index_not_found_exception')],
    },
  }));
  expect(result).toEqual({ kind: 'gone' });
});

test('an answer that is cut, or for other pages, settles nothing', async () => {
  const { result, sent } = await send(2, (request, number) => {
    if (number === 1) return 'cut';
    return number === 2 ? { status: 200, body: { items: [item('p0', 200)] } } : allDone(request);
  });
  expect(result.kind).toBe('settled');
  expect(sent).toEqual([
    ['p0', 'p1'],
    ['p0', 'p1'],
    ['p0', 'p1'],
  ]);
});

test('a request that is malformed is a fault of ours', async () => {
  await expect(send(1, () => refused(400, 'illegal_argument_exception'))).rejects.toThrow(
    'refused a bulk request',
  );
});

test('after an outage of half an hour nothing is repeated: the log is read again', async () => {
  const { result, pauses } = await send(1, () => refused(503, 'cluster_manager_not_discovered_exception'));
  expect(result).toEqual({ kind: 'stale' });
  expect(Math.max(...pauses)).toBe(30_000);
});
