import type { Config } from './config.ts';
import { createEngine, type Engine } from './engine/engine.ts';
import { createKeep, type Keep } from './engine/keep.ts';
import { type Follower, followStore } from './index/follow.ts';
import { openIndex } from './index/open-index.ts';
import type { PageIndex } from './index/page-index.ts';
import type { Clock, Log } from './outside.ts';
import { openPageStore } from './store/lmdb-store.ts';
import type { PageStore } from './store/page-store.ts';

/** The parts of a running service, made and put together here and nowhere else. */
export interface App {
  readonly store: PageStore;
  readonly index: PageIndex;
  readonly follower: Follower;
  readonly engine: Engine;
  readonly keep: Keep;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Pick<Config, 'dataFolder'>;
  readonly log: Log;
  readonly now?: Clock;
}

/** Opens the data folder and the engine over it. The index is empty until `follower.catchUp()` has filled it. */
export function openApp({ config, log, now = Date.now }: AppOptions): App {
  const store = openPageStore(config.dataFolder);
  const index = openIndex();
  const follower = followStore({ store, index, log });
  return {
    store,
    index,
    follower,
    engine: createEngine({ store, index, now }),
    keep: createKeep({ store, catchUp: follower.catchUp }),
    close: async () => {
      await follower.stop();
      await index.close();
      await store.close();
    },
  };
}
