import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';
import type { IndexChange, PageIndex } from './page-index.ts';

interface FollowOptions {
  readonly store: PageStore;
  readonly index: PageIndex;
  readonly log: Log;
  /** How often to look for changes by other processes. */
  readonly pollMs?: number;
  /** Called after every slice of changes, to pack when due; not awaited. */
  readonly onAdvance?: () => Promise<void>;
}

export interface Follower {
  /** Resolves once the index has everything that was in the store at the time of the call. */
  catchUp(): Promise<void>;
  /** Stops following. A catch-up under way ends after its current slice. */
  stop(): Promise<void>;
}

/** Changes that are applied in one turn of the event loop: a few tens of milliseconds at most. */
const changesPerSlice = 16;

/**
 * Keeps an index in step with the store's change log, by replaying all entries that the index does not have. There is one
 * path for the start, for recovery from a crash and for writes by other processes.
 */
export function followStore(options: FollowOptions): Follower {
  const { store, index, log, pollMs = 250, onAdvance = async () => {} } = options;
  let running: Promise<void> | undefined;
  let stopped = false;

  const failed = (error: unknown): void => log.error({ err: error }, 'the index could not follow the store');

  const advance = async (): Promise<void> => {
    while (!stopped) {
      const changes = store.changesAfter(index.stats().seq, changesPerSlice);
      if (changes.length === 0) return;
      await index.apply(changes.map((change) => indexChange(change, store)));
      onAdvance().catch(failed);
      await nextTurn();
    }
  };

  const catchUp = async (): Promise<void> => {
    // A run that began before the call may have read the log too early, so it is followed by another.
    await running;
    running ??= advance().finally(() => {
      running = undefined;
    });
    await running;
  };

  const timer = setInterval(() => {
    if (store.lastSeq() > index.stats().seq) catchUp().catch(failed);
  }, pollMs);
  timer.unref();

  return {
    catchUp,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running?.catch(() => {});
    },
  };
}

/** An entry of the change log with its page. A page that searches do not return is removed from an index. */
export function indexChange(
  { seq, id, kind }: ReturnType<PageStore['changesAfter']>[number],
  store: PageStore,
): IndexChange {
  const page = kind === 'put' ? store.page(id) : undefined;
  return page && !page.isHidden ? { seq, kind: 'put', page } : { seq, kind: 'remove', id };
}
