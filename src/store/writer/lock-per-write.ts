import { setTimeout as wait } from 'node:timers/promises';
import type { PageStore } from '../page-store.ts';
import { LockTaken } from './process-lock.ts';

/** How long a write waits for the writer's lock of another process, and how often it tries. */
const patienceMs = 500;
const lookEveryMs = 50;

/**
 * The same store for a process that writes occasionally while others write too. Each write releases the writer's lock at
 * its end, waits a moment for it if another process has it, and yields to a command that waits for it. Rejects as
 * `PageStore.write` does if the lock is not released in time.
 */
export function briefWriter(store: PageStore): PageStore {
  return {
    ...store,
    async write(work) {
      const until = performance.now() + patienceMs;
      for (;;) {
        try {
          return await store.write(work, { yieldsToNotes: true });
        } catch (error) {
          if (!(error instanceof LockTaken) || performance.now() > until) throw error;
          await wait(lookEveryMs);
        } finally {
          // If the lock cannot be released now, this process keeps it, and the next write uses it.
          await store.yieldWriter().catch(() => {});
        }
      }
    },
  };
}
