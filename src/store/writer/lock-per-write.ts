import { setTimeout as wait } from 'node:timers/promises';
import type { PageStore } from '../page-store.ts';
import { PlaceTaken } from './process-lock.ts';

/** How long a write waits for another process to give the writer's place back, and how often it looks. */
const patienceMs = 500;
const lookEveryMs = 50;

/**
 * The same store for a process that writes now and then beside others: every write gives the writer's place back, waits
 * a moment for it where another process has it, and lets a command go first that waits for it. Rejects as
 * `PageStore.write` does when the place stays taken.
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
          if (!(error instanceof PlaceTaken) || performance.now() > until) throw error;
          await wait(lookEveryMs);
        } finally {
          // A place that cannot be given back now stays this process's own; the next write takes it as it is.
          await store.yieldWriter().catch(() => {});
        }
      }
    },
  };
}
