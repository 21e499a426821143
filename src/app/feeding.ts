import type { ClusterConfig } from '../config/cluster-settings.ts';
import type { ClusterFeed } from '../index/opensearch/feed/feed.ts';
import type { Log } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';
import type { Packing } from './packing.ts';

interface FeedingParts {
  readonly store: PageStore;
  readonly cluster: ClusterConfig;
  /** Gets what could not be sent, in words for a person. */
  readonly log: Log;
}

/** A cluster that takes nothing for this long is not waited for. */
const patienceMs = 10_000;
/** How often a command that ends looks whether the cluster has taken the rest. */
const lookEveryMs = 200;

/** What `openPacking` is for the embedded index: a command that adds or removes pages sends them to the cluster. */
export function openFeeding({ store, cluster, log }: FeedingParts): Packing {
  const opening = open({ store, cluster, log });
  return {
    pagesDone: () => {},
    async packRest(signal) {
      const { feed } = await opening;
      const seq = store.lastSeq();
      await feed.catchUp();
      let waitsSince: number | undefined;
      for (;;) {
        const state = feed.state();
        if (state.settledSeq >= seq || state.kind === 'reading') return;
        waitsSince = state.kind === 'waiting' ? (waitsSince ?? performance.now()) : undefined;
        const isOver = waitsSince !== undefined && performance.now() - waitsSince >= patienceMs;
        if (signal?.aborted) return notSent(log, 'the command was stopped');
        if (isOver || state.kind === 'stopped') return notSent(log, state.why ?? 'the cluster takes nothing');
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
    },
    close: async () => (await opening).close(),
  };
}

async function open(parts: FeedingParts): Promise<{ readonly feed: ClusterFeed; close(): Promise<void> }> {
  const { clientOf, openFeed } = await import('./cluster-back-end.ts');
  const client = clientOf(parts.cluster);
  const feed = openFeed({ ...parts, now: Date.now }, client);
  return {
    feed,
    close: async () => {
      await Promise.all([feed.stop(), client.close()]);
    },
  };
}

function notSent(log: Log, why: string): void {
  log.warn(
    {},
    `the index in the cluster does not have every page: ${why}. Everything is stored; the next process of this data folder sends the rest.`,
  );
}
