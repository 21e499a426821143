import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createClusterClient } from '../../src/index/opensearch/cluster-client.ts';
import { createGeneration } from '../../src/index/opensearch/feed/build-generation.ts';
import { readGeneration } from '../../src/index/opensearch/generation.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import type { PageStore } from '../../src/store/page-store.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Fed, openFed, ownNames } from './cluster/fed-index.ts';

const heron = (number: number, body = 'heron') => examplePage({ url: `https://a.example/${number}`, body });
const many = (count: number, body?: string) =>
  Array.from({ length: count }, (_, number) => heron(number, body));

function openStore(folder = temporaryFolder()): PageStore {
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  return store;
}

async function totalOf({ index }: Fed, q: string): Promise<number> {
  return (await index.search({ query: parseQuery(q), limit: 0 })).total;
}

describe.skipIf(inject('jars') === undefined)('the feed of a cluster', () => {
  test('puts, replacements, removals and hidden copies arrive', async () => {
    const store = openStore();
    await store.write((writer) => many(20).forEach(writer.putPage));
    const fed = openFed(store, ownNames());
    await fed.settle();
    expect(await totalOf(fed, 'heron')).toBe(20);
    await store.write((writer) => {
      writer.putPage(heron(1, 'kingfisher'));
      writer.removePage(heron(2).id);
      writer.markPage(heron(3).id, { copyOf: heron(4).id, isHidden: true });
    });
    await fed.settle();
    expect(await totalOf(fed, 'heron')).toBe(17);
    expect(await totalOf(fed, 'kingfisher')).toBe(1);
    expect(fed.index.stats().pages).toBe(18);
  });

  test('a feed that is stopped anywhere goes on where it was: index equals store', async () => {
    const store = openStore();
    const names = ownNames();
    for (let round = 0; round < 8; round++) {
      await store.write((writer) => many(40, `heron round${round}`).slice(round).forEach(writer.putPage));
      const fed = openFed(store, names);
      await new Promise((resolve) => setTimeout(resolve, 40 * round));
      await fed.close();
    }
    const fed = openFed(store, names);
    await fed.settle();
    expect(await totalOf(fed, 'heron')).toBe(40);
    expect(await totalOf(fed, 'round7')).toBe(33);
    for (let round = 0; round < 7; round++) expect(await totalOf(fed, `round${round}`)).toBe(1);
  });

  test('four times more pages get a generation with new averages, and searches never miss one meanwhile', async () => {
    const store = openStore();
    const names = ownNames();
    await store.write((writer) => many(10).forEach(writer.putPage));
    const fed = openFed(store, names);
    await fed.settle();
    await store.write((writer) => many(60).forEach(writer.putPage));
    await fed.settle();
    const client = createClusterClient({ urls: inject('clusterUrls') });
    onTestFinished(client.close);
    const totals = new Set<number>();
    await expect
      .poll(async () => {
        totals.add(await totalOf(fed, 'heron'));
        return (await readGeneration(client, names.pages))?.name;
      })
      .toBe(names.generation(2));
    await fed.index.refresh();
    totals.add(await totalOf(fed, 'heron'));
    expect([...totals]).toEqual([60]);
    expect(await readGeneration(client, names.next)).toBeUndefined();
  });

  test('two machines that begin the next generation have one', async () => {
    const names = ownNames();
    const client = createClusterClient({ urls: inject('clusterUrls') });
    onTestFinished(client.close);
    const parts = { client, names, store: openStore(), shape: { shards: 1, replicas: 0 } };
    await createGeneration(parts, 'pages');
    // The second machine has looked for a next generation before the first one made it.
    await createGeneration(parts, 'next');
    await createGeneration(parts, 'next');
    expect((await readGeneration(client, names.next))?.name).toBe(names.generation(2));
  });

  test('a store that was put back from an older copy gets a new generation, not a stale index', async () => {
    const folder = temporaryFolder();
    const copy = mkdtempSync(join(tmpdir(), 'gleaner-copy-'));
    const names = ownNames();
    const store = openPageStore(folder);
    await store.write((writer) => many(5, 'old').forEach(writer.putPage));
    cpSync(folder, copy, { recursive: true });
    await store.write((writer) => many(30, 'lost').forEach(writer.putPage));
    const fed = openFed(store, names);
    await fed.settle();
    expect(await totalOf(fed, 'lost')).toBe(30);
    await fed.close();
    await store.close();

    const putBack = openStore(copy);
    await putBack.write((writer) => many(3, 'newer').forEach(writer.putPage));
    const again = openFed(putBack, names);
    await again.settle();
    expect(await totalOf(again, 'newer')).toBe(3);
    expect(await totalOf(again, 'old')).toBe(2);
    expect(await totalOf(again, 'lost')).toBe(0);
  });

  test('two stores under one prefix: the second one replaces it at its start, and the first one stops and says why', async () => {
    const names = ownNames();
    const [one, other] = [openStore(), openStore()];
    await one.write((writer) => many(5).forEach(writer.putPage));
    await other.write((writer) => many(7).forEach(writer.putPage));
    const first = openFed(one, names);
    await first.settle();
    const second = openFed(other, names);
    await second.settle();
    expect(await totalOf(second, 'heron')).toBe(7);
    await expect
      .poll(() => first.feed.state())
      .toMatchObject({ kind: 'stopped', why: expect.stringContaining('prefix') });
    expect(await totalOf(second, 'heron')).toBe(7);
  });

  test('a page that can never be indexed is named, and the others go on', async () => {
    const names = ownNames();
    const store = openStore();
    await store.write((writer) => many(6).forEach(writer.putPage));
    // A date that no field of a cluster takes, and no store gives.
    let crawledAt = 2 ** 70;
    const strange: PageStore = {
      ...store,
      page: (id) => {
        const page = store.page(id);
        return page && id === heron(5).id ? { ...page, crawledAt } : page;
      },
    };
    const fed = openFed(strange, names);
    await fed.settle();
    expect(await totalOf(fed, 'heron')).toBe(5);
    expect(Object.keys(fed.feed.state().failed)).toEqual([heron(5).id]);
    crawledAt = 1;
    await store.write((writer) => writer.putPage(heron(5)));
    await fed.settle();
    expect(fed.feed.state().failed).toEqual({});
    expect(await totalOf(fed, 'heron')).toBe(6);
  });
});
