import { sleep } from '../../src/async/sleep.ts';
import {
  bodyOf,
  type ClusterClient,
  createClusterClient,
} from '../../src/index/opensearch/cluster-client.ts';
import { feedCluster } from '../../src/index/opensearch/feed/feed.ts';
import { clusterNames } from '../../src/index/opensearch/generation.ts';
import { silentLog } from '../../src/runtime.ts';
import type { PageStore } from '../../src/store/page-store.ts';
import { spent } from './cpu.ts';

export interface ClusterParts {
  readonly store: PageStore;
  readonly urls: readonly string[];
  readonly clusterPid: number;
}

export const names = clusterNames('bench-');

/** Sends every page of the store; what that cost, as lines of a table. */
export async function fillCluster({ store, urls, clusterPid }: ClusterParts): Promise<string[]> {
  const client = createClusterClient({ urls });
  const feed = feedCluster({
    store,
    client,
    names,
    shape: { shards: 3, replicas: 1 },
    log: silentLog,
    now: Date.now,
    sleep,
  });
  const pages = store.pageCount();
  const { clusterMs, nodeMs, wallMs } = await spent(clusterPid, () => feed.settle());
  await feed.stop();
  const written = await diskOfPage({ client, pages });
  // The segments from before are removed some time after.
  const merge = { method: 'POST', path: `/${names.pages}/_forcemerge?max_num_segments=1` } as const;
  await client.send({ ...merge, timeoutMs: 600_000 });
  await sleep(60_000);
  const merged = await diskOfPage({ client, pages });
  await client.close();
  const each = (ms: number): string => `${(ms / pages).toFixed(2)} ms`;
  return [
    '| indexing, a page | |',
    '|---|--:|',
    `| wall | ${each(wallMs)} (${Math.round((pages / wallMs) * 1000)} pages/s) |`,
    `| CPU of the cluster, both copies | ${each(clusterMs)} |`,
    `| CPU of the process that sends: reads the page, makes its terms | ${each(nodeMs)} |`,
    `| disk of a copy, as written | ${written} |`,
    `| disk of a copy, merged to one segment a shard | ${merged} |`,
  ];
}

/** What a page takes in one copy. */
async function diskOfPage({ client, pages }: { readonly client: ClusterClient; readonly pages: number }) {
  await client.send({ method: 'POST', path: `/${names.pages}/_flush?force=true`, timeoutMs: 600_000 });
  const reply = await client.send({ method: 'GET', path: `/${names.pages}/_stats/store` });
  const { _all } = bodyOf<{ _all: { total: { store: { size_in_bytes: number } } } }>(reply, 'its size');
  return `${(_all.total.store.size_in_bytes / 2 / pages / 1000).toFixed(1)} kB`;
}
