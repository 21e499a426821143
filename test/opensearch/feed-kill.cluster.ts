import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import type { ClusterNames } from '../../src/index/opensearch/generation.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openFed, ownNames } from './cluster/fed-index.ts';

const urls = inject('clusterUrls');
const feedProcess = fileURLToPath(new URL('./cluster/feed-process.mjs', import.meta.url));
const kills = Number(process.env.GLEANER_TEST_KILLS ?? 12);

/** A process that is loaded but does nothing until `go`. */
function startFeeder(folder: string, { pages, generation }: ClusterNames) {
  const prefix = pages.slice(0, -'pages'.length);
  expect(generation(1)).toBe(`${prefix}pages-g1`);
  const child = spawn(process.execPath, [feedProcess, folder, urls.join(','), prefix], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const newest = (line: RegExp): number => Number([...printed.matchAll(line)].at(-1)?.[1] ?? 0);
  return {
    go: async () => {
      child.stdin.write('go\n');
      await once(child.stdout, 'data');
    },
    sends: () => expect.poll(() => newest(/^sent (\d+)\n/gm), { interval: 5 }).toBeGreaterThan(0),
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
      return { stored: newest(/^(\d+)\n/gm), sent: newest(/^sent (\d+)\n/gm) };
    },
  };
}

/** Opens what a killed process has left, and compares the index in the cluster with the store, which is the truth. */
async function checkIndex(folder: string, names: ClusterNames, stored: number): Promise<void> {
  const store = openPageStore(folder);
  const fed = openFed(store, names);
  try {
    expect(store.lastSeq()).toBeGreaterThanOrEqual(stored);
    await fed.settle();
    expect(fed.index.stats()).toMatchObject({ pages: store.pageCount(), seq: store.lastSeq() });
    for (const word of ['heron', 'kind0', 'kind1', 'kind2', 'kind3']) {
      const expected = [...store.heads()].flatMap(({ id }) =>
        store.page(id)?.body.split(' ').includes(word) ? [id] : [],
      );
      const { total, hits } = await fed.index.search({ query: parseQuery(word), limit: 1000 });
      expect(hits.map(({ id }) => id).sort()).toEqual(expected.sort());
      expect(total).toBe(hits.length);
    }
  } finally {
    await fed.close();
    await store.close();
  }
}

describe.skipIf(inject('jars') === undefined)('a process that follows the store', () => {
  test(`may be killed at any point (${kills} times; GLEANER_TEST_KILLS): the index still holds what the store holds`, async () => {
    const folder = temporaryFolder();
    const names = ownNames();
    let next = startFeeder(folder, names);
    let whileSending = 0;
    for (let round = 0; round < kills; round++) {
      const feeder = next;
      next = startFeeder(folder, names);
      await feeder.go();
      // Half of the kills come while it opens what the process before it has left.
      if (round % 2 === 1) await feeder.sends();
      await after(Math.random() * 500);
      const { stored, sent } = await feeder.kill();
      if (sent > 0) whileSending++;
      await checkIndex(folder, names, stored);
    }
    await next.kill();
    process.stdout.write(`${whileSending} of ${kills} kills came while changes were being sent\n`);
    expect(whileSending).toBeGreaterThan(0);
  });
});
