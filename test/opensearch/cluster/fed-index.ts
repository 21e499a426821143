import { randomUUID } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { sleep } from '../../../src/async/sleep.ts';
import { createClusterClient } from '../../../src/index/opensearch/cluster-client.ts';
import { createClusterIndex } from '../../../src/index/opensearch/cluster-index.ts';
import { type ClusterFeed, feedCluster } from '../../../src/index/opensearch/feed/feed.ts';
import { type ClusterNames, clusterNames } from '../../../src/index/opensearch/generation.ts';
import { silentLog } from '../../../src/runtime.ts';
import type { PageStore } from '../../../src/store/page-store.ts';

/** Names of its own for a test; what is under them is removed when it ends. */
export function ownNames(urls: readonly string[] = inject('clusterUrls')): ClusterNames {
  const prefix = `t${randomUUID().slice(0, 8)}-`;
  onTestFinished(async () => {
    await fetch(`${urls[0]}/${prefix}*`, { method: 'DELETE' }).catch(() => {});
  });
  return clusterNames(prefix);
}

/** `OPENSEARCH_PREFIX` of its own for the processes of a test; what is under it is removed when the test ends. */
export function ownPrefix(): string {
  return ownNames().pages.slice(0, -clusterNames('').pages.length);
}

export interface Fed {
  readonly index: ReturnType<typeof createClusterIndex>;
  readonly feed: ClusterFeed;
  /** Resolves once searches see everything that is in the store now. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface FedOptions {
  readonly urls?: readonly string[];
  readonly replicas?: number;
  /** Limits the pauses between repeated requests. */
  readonly sleepAtMostMs?: number;
}

/** An index in the cluster that follows a store, as a process has it. */
export function openFed(
  store: PageStore,
  names: ClusterNames,
  { urls = inject('clusterUrls'), replicas = 1, sleepAtMostMs = Number.POSITIVE_INFINITY }: FedOptions = {},
): Fed {
  const client = createClusterClient({ urls });
  const shape = { shards: 3, replicas };
  const feed = feedCluster({
    store,
    client,
    names,
    shape,
    log: silentLog,
    now: Date.now,
    sleep: (ms, signal) => sleep(Math.min(ms, sleepAtMostMs), signal),
    pollMs: 50,
  });
  const index = createClusterIndex({
    client,
    names,
    now: Date.now,
    settledSeq: () => feed.state().settledSeq,
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await feed.stop();
    await index.close();
  };
  onTestFinished(close);
  const settle = async (): Promise<void> => {
    await feed.settle();
    await index.refresh();
  };
  return { index, feed, settle, close };
}
