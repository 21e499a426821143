import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { clusterNames } from '../../src/index/opensearch/generation.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openFed, ownPrefix } from './cluster/fed-index.ts';

const urls = inject('clusterUrls');

async function filledFolder(): Promise<string> {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  await store.write((writer) => {
    for (let n = 0; n < 12; n++)
      writer.putPage(examplePage({ url: `https://a.example/${n}`, body: 'A heron.' }));
  });
  await store.close();
  return folder;
}

const environment = (nodes: readonly string[], prefix: string) => ({
  GLEANER_INDEX: 'opensearch',
  OPENSEARCH_URL: nodes.join(','),
  OPENSEARCH_PREFIX: prefix,
});

describe.skipIf(inject('jars') === undefined)('the command line over a cluster', () => {
  test('serves, tells its state, and its commands see and replace the index', async () => {
    const folder = await filledFolder();
    const more = environment(urls, ownPrefix());
    const server = startGleaner(['serve', '--port', '0', '--data', folder], 'open', more);
    const [, origin] = await server.says(/listens on (\S+)/);
    const get = (path: string) => fetch(`${origin}${path}`);
    await expect
      .poll(async () => (await get('/readyz')).json())
      .toMatchObject({ index: { feed: 'sending', lag: 0, failed: 0 } });
    await expect
      .poll(async () => (await (await get('/api/v1/search?q=heron')).json()) as object)
      .toMatchObject({ total: 12 });
    expect(await (await get('/metrics')).text()).toContain('gleaner_opensearch_up 1');

    const store = openPageStore(folder);
    const other = openFed(store, clusterNames(more.OPENSEARCH_PREFIX));
    await expect
      .poll(() => other.feed.state())
      .toMatchObject({ kind: 'reading', settledSeq: store.lastSeq() });
    await other.close();
    await store.close();

    const run = (...args: string[]) => startGleaner([...args, '--data', folder], '', more).finished;
    expect((await run('index', 'status')).stdout).toMatch(
      /Answers: \S+pages-g1, \d+ pages, 0 changes behind, 0 pages failed/,
    );
    expect(await run('index', 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(' 0 missing, 0 too many'),
    });
    expect((await run('index', 'build')).stderr).toContain('pages-g2 is complete');
    expect((await run('index', 'swap')).stderr).toContain('pages-g2 answers now');
    expect((await run('index', 'status')).stdout).toContain('pages-g2');
    expect((await run('search', 'heron')).stdout).toContain('12 pages match');

    server.child.kill('SIGKILL');
    await server.finished;
    expect((await run('remove', 'https://a.example/3')).code).toBe(0);
    await expect.poll(async () => (await run('search', 'heron')).stdout).toContain('11 pages match');
  });
});

describe.skipIf(inject('jars') === undefined)('the move from the index in the folder to a cluster', () => {
  test('goes on without a pause: both answer, the same, while pages come in', async () => {
    const folder = await filledFolder();
    const unlimited = { GLEANER_SEARCH_LIMIT: 'off' };
    const more = { ...environment(urls, ownPrefix()), ...unlimited };
    const state = async (origin: string) => (await (await fetch(`${origin}/readyz`)).json()) as object;
    const old = startGleaner(['serve', '--port', '0', '--data', folder], 'open', unlimited);
    const [, from = ''] = await old.says(/listens on (\S+)/);
    await expect.poll(() => state(from)).toMatchObject({ searchable: 12 });
    const failed: unknown[] = [];
    let answered = 0;
    let isMoved = false;
    const asking = (async () => {
      while (!isMoved) {
        const status = await fetch(`${from}/api/v1/search?q=heron`).then(
          (response) => response.status,
          String,
        );
        if (status === 200) answered++;
        else failed.push(status);
        await wait(50);
      }
    })();

    const next = startGleaner(['serve', '--port', '0', '--data', folder], 'open', more);
    const [, to = ''] = await next.says(/listens on (\S+)/);
    const store = openPageStore(folder);
    for (let n = 12; n < 20; n++)
      await store.edit((writer) =>
        writer.putPage(examplePage({ url: `https://a.example/${n}`, body: 'A heron.' })),
      );
    await store.close();
    await expect.poll(() => state(to)).toMatchObject({ index: { lag: 0, failed: 0 }, searchable: 20 });
    const run = (...args: string[]) => startGleaner([...args, '--data', folder], '', more).finished;
    expect(await run('index', 'verify')).toMatchObject({ code: 0 });
    const answer = async (origin: string) => {
      const response = await fetch(`${origin}/api/v1/search?q=heron&limit=20`);
      const { total, results } = (await response.json()) as { total: number; results: { id: string }[] };
      return { total, ids: results.map(({ id }) => id).sort() };
    };
    await expect.poll(() => answer(to)).toMatchObject({ total: 20 });
    expect(await answer(to)).toEqual(await answer(from));

    isMoved = true;
    await asking;
    old.child.kill('SIGTERM');
    expect((await old.finished).code).toBe(0);
    expect(failed).toEqual([]);
    expect(answered).toBeGreaterThan(5);
    expect(await answer(to)).toMatchObject({ total: 20 });
  });
});
