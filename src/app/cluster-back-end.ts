import { sleep } from '../async/sleep.ts';
import type { ClusterConfig } from '../config/cluster-settings.ts';
import { type ClusterClient, createClusterClient } from '../index/opensearch/cluster-client.ts';
import { createClusterIndex } from '../index/opensearch/cluster-index.ts';
import { createClusterPages } from '../index/opensearch/cluster-pages.ts';
import { type ClusterFeed, feedCluster } from '../index/opensearch/feed/feed.ts';
import { clusterNames } from '../index/opensearch/generation.ts';
import { createHandOver } from '../index/opensearch/hand-over.ts';
import type { Clock, Log } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';
import { createGivePages, takePages } from './hand-over.ts';
import type { IndexBackEnd } from './index-back-end.ts';
import { createKeySender } from './shared-keys.ts';

export interface ClusterBackEndParts {
  readonly store: PageStore;
  readonly cluster: ClusterConfig;
  readonly log: Log;
  readonly now: Clock;
  /** Gets the pages that others have handed over to this machine; they stay where they are without it. */
  readonly onHandedOver?: ((urls: readonly string[]) => void) | undefined;
}

/** How often the cluster is asked whether it answers. */
export const hearEveryMs = 2000;

export function clientOf({ urls, auth, ca }: ClusterConfig): ClusterClient {
  return createClusterClient({
    urls,
    ca,
    auth:
      auth?.kind === 'password'
        ? { ...auth, password: auth.password.reveal }
        : auth && { ...auth, key: auth.key.reveal },
  });
}

/** Sends the changes of a store into its cluster, until it is stopped. */
export function openFeed(
  { store, cluster, log, now }: ClusterBackEndParts,
  client: ClusterClient,
): ClusterFeed {
  const names = clusterNames(cluster.prefix, cluster.part);
  return feedCluster({ store, client, names, shape: cluster, log, now, sleep });
}

/** The index in a cluster. It opens whether or not the cluster is there, and goes on when it comes. */
export function openClusterBackEnd(parts: ClusterBackEndParts): IndexBackEnd {
  const { store, cluster, log, now, onHandedOver } = parts;
  const client = clientOf(cluster);
  const names = clusterNames(cluster.prefix, cluster.part);
  const feed = openFeed(parts, client);
  const settledSeq = () => feed.state().settledSeq;
  const index = createClusterIndex({ client, names, now, settledSeq, withHeads: cluster.part !== undefined });
  const sendKeys = createKeySender({ client, names, store });
  const handOver = createHandOver(client, names, now);
  const givePages = createGivePages({ handOver, log, now });
  /** What cannot be taken now is taken later. */
  const takeHandedOver = async (): Promise<void> => {
    const urls = await takePages(handOver, cluster.part).catch(() => []);
    if (urls.length > 0) onHandedOver?.(urls);
  };
  const hear = async (): Promise<void> => {
    await index.hear();
    if (feed.state().kind !== 'sending') return;
    // Of several machines that crawl, the first has the keys.
    if ((cluster.part?.number ?? 1) === 1) await sendKeys();
    if (onHandedOver) await takeHandedOver();
  };
  const timer = setInterval(() => void hear(), hearEveryMs).unref();
  return {
    index,
    follower: feed,
    givePages: (urls) => void givePages(urls),
    pages: cluster.part && createClusterPages({ client, index }),
    prepare: hear,
    clusterState: () => {
      const { kind, why, failed } = feed.state();
      return {
        unavailable: index.trouble(),
        feed: kind,
        feedProblem: why,
        lag: Math.max(0, store.lastSeq() - settledSeq()),
        failedPages: Object.keys(failed).length,
      };
    },
    close: async () => {
      clearInterval(timer);
      // Closing the connections ends requests that would take longer than a stop may.
      await Promise.all([feed.stop(), index.close()]);
    },
  };
}
