import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { parseQuery } from '../../src/query/parser.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openFed, ownNames } from './cluster/fed-index.ts';
import { type ClusterUnderTest, startCluster } from './cluster/start-nodes.ts';

const jars = inject('jars');
const query = parseQuery('heron');
const herons = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) =>
    examplePage({ url: `https://a.example/${from + n}`, body: 'heron' }),
  );

/** Three processes for all of this file. Their addresses are known before they are started. */
let cluster: ClusterUnderTest;

async function openHerons(count: number) {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  await store.write((writer) => herons(0, count).forEach(writer.putPage));
  return { folder, store };
}

describe.skipIf(jars === undefined)('a cluster', () => {
  beforeAll(async () => {
    if (jars) cluster = await startCluster(jars, { nodes: 3, apart: true, started: false });
  });
  afterAll(() => cluster.stop());

  test('that comes later than the service is waited for: 503 until then', async () => {
    const { folder, store } = await openHerons(12);
    await store.close();
    const server = startGleaner(['serve', '--port', '0', '--data', folder], 'open', {
      GLEANER_INDEX: 'opensearch',
      OPENSEARCH_URL: cluster.urls.join(','),
      OPENSEARCH_PREFIX: 'late-',
    });
    const [, origin] = await server.says(/listens on (\S+)/);
    const search = () => fetch(`${origin}/api/v1/search?q=heron`);
    await expect.poll(async () => (await fetch(`${origin}/readyz`)).status).toBe(503);
    const refused = await search();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    for (const node of [0, 1, 2]) cluster.restart(node);
    await cluster.ready();
    await expect.poll(async () => (await (await search()).json()) as object).toMatchObject({ total: 12 });
    await expect.poll(async () => (await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  test('of which a node is killed in the middle of writing and searching loses nothing and fails no search, with a replica', async () => {
    const { store } = await openHerons(300);
    const fed = openFed(store, ownNames(cluster.urls), { urls: cluster.urls });
    await fed.settle();
    await cluster.ready();
    const totals: number[] = [];
    let isOver = false;
    const searching = (async () => {
      while (!isOver) totals.push((await fed.index.search({ query, limit: 10 })).total);
    })();
    for (let round = 0; round < 10; round++) {
      await store.write((writer) => herons(300 + 100 * round, 400 + 100 * round).forEach(writer.putPage));
      if (round === 3) await cluster.kill(2);
    }
    await fed.settle();
    isOver = true;
    await searching;
    expect((await fed.index.search({ query, limit: 0 })).total).toBe(1300);
    for (const total of totals) expect(total).toBeGreaterThanOrEqual(300);
  });

  test('of which a node with the only copy of some pages is killed makes searches unavailable, never smaller', async () => {
    cluster.restart(2);
    await cluster.ready();
    const { store } = await openHerons(300);
    const fed = openFed(store, ownNames(cluster.urls), { urls: cluster.urls, replicas: 0 });
    await fed.settle();
    expect((await fed.index.search({ query, limit: 0 })).total).toBe(300);
    await cluster.kill(1);
    for (let asked = 0; asked < 20; asked++) {
      const answer = await fed.index.search({ query, limit: 0 }).then(
        ({ total }) => total,
        (error: { code?: string }) => error.code,
      );
      expect([300, 'unavailable']).toContain(answer);
    }
    await expect(fed.index.search({ query, limit: 0 })).rejects.toMatchObject({ code: 'unavailable' });
    await store.write((writer) => herons(300, 310).forEach(writer.putPage));
    cluster.restart(1);
    await cluster.ready();
    await fed.settle();
    expect((await fed.index.search({ query, limit: 0 })).total).toBe(310);
  });
});
