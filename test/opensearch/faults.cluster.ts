import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { parseQuery } from '../../src/query/parser.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openFed, ownNames } from './cluster/fed-index.ts';
import { startCluster } from './cluster/start-nodes.ts';

const jars = inject('jars');
const query = parseQuery('heron');
const herons = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) =>
    examplePage({ url: `https://a.example/${from + n}`, body: 'heron' }),
  );

async function openNodes(nodes: number) {
  if (!jars) throw new Error('no nodes');
  const cluster = await startCluster(jars, { nodes, apart: true });
  onTestFinished(cluster.stop);
  const store = openPageStore(temporaryFolder());
  onTestFinished(() => store.close());
  return { cluster, store };
}

describe.skipIf(jars === undefined)('a node that is killed', () => {
  test('in the middle of writing and searching loses nothing and fails no search, with a replica', async () => {
    const { cluster, store } = await openNodes(3);
    await store.write((writer) => herons(0, 300).forEach(writer.putPage));
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

  test('with the only copy of some pages makes searches unavailable, never smaller', async () => {
    const { cluster, store } = await openNodes(2);
    await store.write((writer) => herons(0, 300).forEach(writer.putPage));
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
