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
