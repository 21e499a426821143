import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { type App, type AppOptions, openApp as openEmbedded } from '../../src/app/app.ts';
import type { ClusterConfig } from '../../src/config/cluster-settings.ts';

/** `openApp`, for suites of every back end: its index is in the cluster of the run, if the run has one. */
export function openApp(options: AppOptions): App {
  const [url] = inject('clusterUrls') ?? [];
  return url === undefined ? openEmbedded(options) : openOverCluster(options, url);
}

/** What is put or removed is found by the next search, as in the embedded index, where users of a cluster wait seconds. */
function openOverCluster(options: AppOptions, url: string): App {
  const prefix = `t${randomUUID().slice(0, 8)}-`;
  const cluster: ClusterConfig = {
    urls: [url],
    auth: undefined,
    ca: undefined,
    prefix,
    shards: 2,
    replicas: 0,
  };
  const app = openEmbedded({ ...options, config: { ...options.config, cluster } });
  const { store, index, follower, engine } = app;
  let settledSeq = -1;
  const settle = async (): Promise<void> => {
    const seq = store.lastSeq();
    if (seq === settledSeq) return;
    await follower.catchUp();
    const until = Date.now() + maxWaitMs;
    while (app.clusterState()?.feed !== 'sending' || app.clusterState()?.lag !== 0) {
      if (Date.now() > until) throw new Error(`not in the cluster: ${JSON.stringify(app.clusterState())}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await index.refresh();
    settledSeq = seq;
  };
  const settled = <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) => {
    return (...given: Given) => settle().then(() => ask(...given));
  };
  return {
    ...app,
    index: {
      ...index,
      search: settled(index.search),
      partialMatches: settled(index.partialMatches),
    },
    engine: {
      ...engine,
      search: settled(engine.search),
      didYouMean: settled(engine.didYouMean),
      explain: settled(engine.explain),
    },
    close: async () => {
      await app.close();
      await fetch(`${url}/${prefix}*`, { method: 'DELETE' }).catch(() => {});
    },
  };
}

const maxWaitMs = 60_000;
