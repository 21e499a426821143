import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../src/contract/errors.ts';
import { createClusterClient } from '../../src/index/opensearch/cluster-client.ts';
import { searchCluster } from '../../src/index/opensearch/cluster-search.ts';
import { createGeneration } from '../../src/index/opensearch/feed/build-generation.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import type { PageStore } from '../../src/store/page-store.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openFed, ownNames } from './cluster/fed-index.ts';

const query = parseQuery('heron');
const heron = (number: number) => examplePage({ url: `https://a.example/${number}`, body: 'heron' });

async function openHerons(count: number): Promise<PageStore> {
  const store = openPageStore(temporaryFolder());
  onTestFinished(() => store.close());
  await store.write((writer) => Array.from({ length: count }, (_, n) => writer.putPage(heron(n))));
  return store;
}

function openClient() {
  const client = createClusterClient({ urls: inject('clusterUrls') });
  onTestFinished(client.close);
  const send = async (method: 'GET' | 'PUT', path: string, body?: object) => {
    const reply = await client.send({ method, path, ...(body && { body }) });
    if (reply.kind !== 'answer') throw new Error(reply.why);
    return reply;
  };
  return { client, send };
}

describe.skipIf(inject('jars') === undefined)('what a cluster may do to an index', () => {
  test('more clauses than it takes are a fault of ours, and no outage', async () => {
    const names = ownNames();
    const fed = openFed(await openHerons(1), names);
    await fed.settle();
    const { client } = openClient();
    const should = Array.from({ length: 1100 }, (_, n) => ({ term: { terms: { value: `w${n}` } } }));
    const refused = await searchCluster(client, names.pages, { query: { bool: { should } } }).catch(
      (error: Error) => error,
    );
    expect(refused).toBeInstanceOf(Error);
    expect(refused).not.toBeInstanceOf(ServiceError);
    const han = Array.from({ length: 512 }, (_, n) => String.fromCodePoint(0x4e00 + 7 * n)).join('');
    for (const longest of [han, `intitle:"${han.slice(0, 500)}"`, `-"${han.slice(0, 500)}" heron`]) {
      const { total } = await fed.index.search({ query: parseQuery(longest), limit: 10 });
      expect(total).toBe(longest.endsWith('heron') ? 1 : 0);
    }
  });

  test('removed pages are remembered for longer than any write is repeated', async () => {
    const names = ownNames();
    const fed = openFed(await openHerons(1), names);
    await fed.settle();
    const { body } = await openClient().send('GET', `/${names.generation(1)}/_settings`);
    expect(body).toMatchObject({ [names.generation(1)]: { settings: { index: { gc_deletes: '1h' } } } });
  });

  test('while its disks are full nothing is lost, and that is said; then it goes on by itself', async () => {
    const names = ownNames();
    const store = await openHerons(3);
    const fed = openFed(store, names, { sleepAtMostMs: 200 });
    await fed.settle();
    const { send } = openClient();
    const disk = (settings: Record<string, string | boolean | null>) => {
      const named = Object.entries(settings).map(([name, value]) => [
        `cluster.routing.allocation.disk.${name}`,
        value,
      ]);
      return send('PUT', '/_cluster/settings', {
        transient: { ...Object.fromEntries(named), 'cluster.info.update.interval': '10s' },
      });
    };
    const usual = {
      threshold_enabled: null,
      'watermark.low': null,
      'watermark.high': null,
      'watermark.flood_stage': null,
    };
    onTestFinished(async () => {
      await disk(usual);
      await send('PUT', '/_all/_settings', { 'index.blocks.read_only_allow_delete': null });
      await send('PUT', '/_cluster/settings', { persistent: { 'cluster.blocks.create_index': null } });
    });
    // More must be free than any disk has.
    const full = { 'watermark.low': '12pb', 'watermark.high': '11pb', 'watermark.flood_stage': '10pb' };
    expect(await disk({ threshold_enabled: true, ...full })).toMatchObject({ status: 200 });
    await expect
      .poll(async () => JSON.stringify((await send('GET', `/${names.generation(1)}/_settings`)).body))
      .toContain('read_only_allow_delete');
    await store.write((writer) => {
      writer.putPage(heron(3));
      writer.removePage(heron(0).id);
    });
    await expect
      .poll(() => fed.feed.state())
      .toMatchObject({ kind: 'waiting', why: expect.stringContaining('the disks of the cluster are full') });
    expect((await fed.index.search({ query, limit: 0 })).total).toBe(3);
    const roomy = { 'watermark.low': '3b', 'watermark.high': '2b', 'watermark.flood_stage': '1b' };
    await disk({ threshold_enabled: true, ...roomy });
    await fed.settle();
    const { hits } = await fed.index.search({ query, limit: 9 });
    expect(hits.map(({ id }) => id).sort()).toEqual([1, 2, 3].map((n) => heron(n).id).sort());
  });

  test('an index of another format is neither searched nor written to', async () => {
    const names = ownNames();
    const store = await openHerons(2);
    const { client, send } = openClient();
    await createGeneration({ client, names, store, shape: { shards: 1, replicas: 0 } }, 'pages');
    const { body } = await send('GET', `/${names.generation(1)}/_mapping`);
    const { _meta } = (body as Record<string, { mappings: { _meta: object } }>)[names.generation(1)]
      ?.mappings ?? { _meta: {} };
    await send('PUT', `/${names.generation(1)}/_mapping`, { _meta: { ..._meta, format: 99 } });
    const fed = openFed(store, names);
    await expect(fed.index.search({ query, limit: 1 })).rejects.toThrow(
      /another format.*gleaner index build/,
    );
    await expect
      .poll(() => fed.feed.state())
      .toMatchObject({ kind: 'waiting', why: expect.stringContaining('another format') });
    const { body: counted } = await send('GET', `/${names.generation(1)}/_count`);
    expect(counted).toMatchObject({ count: 0 });
  });
});
