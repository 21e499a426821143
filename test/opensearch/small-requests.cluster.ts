import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { parseQuery } from '../../src/query/parser.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openFed, ownNames } from './cluster/fed-index.ts';
import { type ClusterUnderTest, startCluster } from './cluster/start-nodes.ts';

const jars = inject('jars');
const query = parseQuery('heron');

/** A node of its own: on several, a copy that refuses a write for such a limit is given up. */
let cluster: ClusterUnderTest;

/** The first limit is 413, the second 429 for a request that can never pass as a whole. */
const tight = { 'http.max_content_length': '256kb', 'indexing_pressure.memory.limit': '200kb' };

describe.skipIf(jars === undefined)('a cluster', () => {
  beforeAll(async () => {
    if (jars) cluster = await startCluster(jars, { nodes: 1, settings: tight });
  });
  afterAll(() => cluster.stop());

  test('that takes little at once gets requests halved until it takes them, and a page that is too large alone is named', async () => {
    const names = ownNames(cluster.urls);
    const folder = temporaryFolder();
    const store = openPageStore(folder);
    onTestFinished(() => store.close());
    const page = (n: number, words: number) =>
      examplePage({ url: `https://b.example/${n}`, body: `heron ${'pond '.repeat(words)}` });
    const tooLarge = page(500, 60_000);
    await store.write((writer) => {
      for (let n = 0; n < 400; n++) writer.putPage(page(n, 200));
      writer.putPage(tooLarge);
    });
    const fed = openFed(store, names, { urls: cluster.urls, sleepAtMostMs: 200, replicas: 0 });
    await fed.settle();
    expect((await fed.index.search({ query, limit: 0 })).total).toBe(400);
    expect(fed.feed.state().failed).toEqual({ [tooLarge.id]: 'too large for a request' });

    const sendBytes = async (bytes: number): Promise<number> => {
      const lines = `{"index":{"_index":"${names.pages}"}}\n{"lang":"${'x'.repeat(bytes)}"}\n`;
      const headers = { 'content-type': 'application/x-ndjson' };
      return (await fetch(`${cluster.urls[0]}/_bulk`, { method: 'POST', headers, body: lines })).status;
    };
    expect([await sendBytes(300_000), await sendBytes(240_000)]).toEqual([413, 429]);
  });
});
