import type { ClusterConfig } from '../config/cluster-settings.ts';
import type { ClusterFeed, FeedState } from '../index/opensearch/feed.ts';
import type { Log } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';
import type { Packing } from './packing.ts';

interface FeedingParts {
  readonly store: PageStore;
  readonly cluster: ClusterConfig;
  /** Gets what could not be sent, in words for a person. */
  readonly log: Log;
}

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
      for (;;) {
        const state = feed.state();
        if (state.settledSeq >= seq || state.kind === 'reading') return;
        const why = signal?.aborted ? 'the command was stopped' : whyNotSent(state);
        if (why !== undefined) return notSent(log, why);
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
      await feed.stop();
      await client.close();
    },
  };
}

function whyNotSent({ kind, why = '' }: FeedState): string | undefined {
  return kind === 'waiting' || kind === 'stopped' ? why : undefined;
}

function notSent(log: Log, why: string): void {
  log.warn(
    {},
    `the index in the cluster does not have every page: ${why}. Everything is stored; the next process of this data folder sends the rest.`,
  );
}
