import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Entry,
  type FinishedEntry,
  type Frontier,
  type FrontierChange,
  openFrontier,
  runOf,
} from '../../src/crawl/frontier.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import type { PageStore } from '../../src/store/page-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const scope = 'a.example';
const page = (name: string) => `https://a.example/${name}`;
const nothing: FinishedEntry = { links: [], movedTo: [], counts: true };

function openStore(folder = temporaryFolder()): PageStore {
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  return store;
}

const open = (store: PageStore, seeds = ['seed'], maxDepth = Number.POSITIVE_INFINITY) =>
  openFrontier({ store, scope, seeds: seeds.map(page), maxDepth, run: runOf(store, [scope]) });

async function commit(store: PageStore, ...changes: FrontierChange[]): Promise<void> {
  await store.write((writer) => {
    for (const change of changes) change.write(writer);
  });
  for (const change of changes) change.committed();
}

const take = (frontier: Frontier, maxDepth = Number.POSITIVE_INFINITY): Entry => {
  const entry = frontier.take(maxDepth);
  if (entry === undefined) throw new Error('nothing is left');
  return entry;
};

const finish = (frontier: Frontier, entry: Entry, ...names: string[]) =>
  frontier.finish(entry, { ...nothing, links: names.map(page) });

async function drain(store: PageStore, frontier: Frontier): Promise<string[]> {
  const urls: string[] = [];
  for (let entry = frontier.take(99); entry !== undefined; entry = frontier.take(99)) {
    urls.push(entry.url.replace('https://a.example/', ''));
    await commit(store, frontier.finish(entry, nothing));
  }
  return urls;
}

test('entries come by depth, then in the order of their discovery, each once', async () => {
  const store = openStore();
  const frontier = await open(store, ['x', 'y']);
  await commit(store, finish(frontier, take(frontier), 'x1', 'y', 'x2'));
  await commit(store, finish(frontier, take(frontier), 'y1', 'x1', 'x'));
  const deeper = take(frontier);
  expect(deeper).toMatchObject({ url: page('x1'), depth: 1 });
  await commit(store, finish(frontier, deeper, 'x1a'));
  expect(await drain(store, frontier)).toEqual(['x2', 'y1', 'x1a']);
  expect(frontier.queued()).toBe(0);
});

test('what was found can be taken before it is committed', async () => {
  const store = openStore();
  const frontier = await open(store);
  const changes = [finish(frontier, take(frontier), 'a', 'b')];
  changes.push(finish(frontier, take(frontier), 'c', 'b'));
  changes.push(finish(frontier, take(frontier), 'a'));
  expect(frontier.queued()).toBe(1);
  const last = take(frontier);
  expect(last.url).toBe(page('c'));
  await commit(store, ...changes);
  await commit(store, finish(frontier, last, 'a', 'seed', 'd'));
  expect(await drain(store, frontier)).toEqual(['d']);
});

test('no entry is deeper than the limit of the run', async () => {
  const store = openStore();
  const frontier = await open(store);
  await commit(store, finish(frontier, take(frontier), 'a'));
  await commit(store, finish(frontier, take(frontier, 1), 'b'));
  expect(frontier.take(1)).toBeUndefined();
  expect(frontier.take(2)?.url).toBe(page('b'));
});

test('where an entry has moved to is not visited again', async () => {
  const store = openStore();
  const frontier = await open(store);
  await commit(
    store,
    frontier.finish(take(frontier), { links: [page('b'), page('c')], movedTo: [page('b')], counts: true }),
  );
  expect(await drain(store, frontier)).toEqual(['c']);
});

describe('after a kill', () => {
  test('the round goes on where the commits end, and the seeds do not start over', async () => {
    const store = openStore();
    const killed = await open(store);
    await commit(store, finish(killed, take(killed), 'a', 'b', 'c'));
    await commit(store, finish(killed, take(killed), 'a1'));
    finish(killed, take(killed), 'never committed');

    const frontier = await open(store, ['seed', 'new seed']);
    expect(frontier.queued()).toBe(4);
    expect(frontier.pagesBefore).toBe(2);
    expect(await drain(store, frontier)).toEqual(['new seed', 'b', 'c', 'a1']);
  });

  test('hosts that a seed moved to are remembered', async () => {
    const store = openStore();
    const killed = await open(store);
    await commit(store, killed.addHome('https://www.a.example/'), finish(killed, take(killed), 'a'));
    expect([...(await open(store)).hosts].sort()).toEqual(['a.example', 'www.a.example']);
  });
});

describe('a run that ended by itself', () => {
  test('with entries left is carried on, but its pages do not count for the next', async () => {
    const store = openStore();
    const first = await open(store);
    await commit(store, finish(first, take(first), 'a', 'b'));
    await commit(store, first.endRun());
    const second = await open(store);
    expect(second.pagesBefore).toBe(0);
    expect(await drain(store, second)).toEqual(['a', 'b']);
  });

  test('with nothing left is followed by a new round', async () => {
    const store = openStore();
    const first = await open(store);
    await commit(store, finish(first, take(first), 'a'));
    expect(await drain(store, first)).toEqual(['a']);
    const second = await open(store);
    expect(second.isSeen(page('a'))).toBe(false);
    const seed = take(second);
    expect(seed.url).toBe(page('seed'));
    await commit(store, finish(second, seed, 'a'));
    expect(await drain(store, second)).toEqual(['a']);
  });

  test('with only entries that lie too deep for the next is followed by a new round without them', async () => {
    const store = openStore();
    const first = await open(store);
    await commit(store, finish(first, take(first), 'a'));
    const second = await open(store, ['seed'], 0);
    expect(second.queued()).toBe(1);
    expect(await drain(store, second)).toEqual(['seed']);
  });
});

test('scopes do not mix, even when one name begins with another', async () => {
  const store = openStore();
  const scopes = ['a.example', 'a.example:8080', 'a.exampl'];
  for (const each of scopes) {
    await openFrontier({
      store,
      scope: each,
      seeds: [`http://${each}/1`, `http://${each}/2`],
      maxDepth: 9,
      run: 1,
    });
  }
  for (const each of scopes) {
    const frontier = await openFrontier({ store, scope: each, seeds: [], maxDepth: 9, run: 1 });
    expect(await drain(store, frontier)).toEqual([`http://${each}/1`, `http://${each}/2`]);
  }
});

test('a step over a hundred thousand entries costs no more than a few look-ups', async () => {
  const store = openStore();
  const frontier = await open(store);
  const names = Array.from({ length: 150_000 }, (_, i) => `page-${i}`);
  await commit(store, frontier.finish(take(frontier), { ...nothing, links: names.map(page) }));
  let reads = 0;
  const counted: PageStore = {
    ...store,
    table: (name) => {
      const table = store.table<never>(name);
      return {
        ...table,
        *entries(range) {
          for (const entry of table.entries(range)) {
            reads += 1;
            yield entry;
          }
        },
      };
    },
  };
  const resumed = await open(counted);
  for (let i = 0; i < 100; i++) take(resumed);
  expect(reads).toBeLessThan(250);
});
