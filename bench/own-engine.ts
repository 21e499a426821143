import { createEngine, type Engine } from '../src/engine/engine.ts';
import { createStoredPages } from '../src/engine/stored-pages.ts';
import { openIndex } from '../src/index/open-index.ts';
import { indexFolderOf } from '../src/index/packed/read-ahead.ts';
import type { PageIndex } from '../src/index/page-index.ts';
import { silentLog } from '../src/runtime.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';

export interface OwnEngine {
  readonly engine: Engine;
  readonly index: PageIndex;
  /** An engine with the same pages and another index. */
  over(index: PageIndex): Engine;
  close(): Promise<void>;
}

/**
 * The engine over a packed data folder. It is not the whole service, whose upkeep puts pages into the live tier and reviews
 * what is stored: its CPU would be in the figures.
 */
export function openOwnEngine(dataFolder: string): OwnEngine {
  const store = openPageStore(dataFolder);
  const index = openIndex({ folder: indexFolderOf(dataFolder), log: silentLog, changeLog: store });
  const over = (own: PageIndex): Engine =>
    createEngine({ pages: createStoredPages(store), index: own, now: Date.now, log: silentLog });
  return {
    engine: over(index),
    index,
    over,
    async close() {
      await index.close();
      await store.close();
    },
  };
}
