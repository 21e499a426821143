import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../contract/errors.ts';
import type { PageStore } from './page-store.ts';

/** How long a write waits for another process to give the writer's place back, and how often it looks. */
const patienceMs = 500;
const lookEveryMs = 50;

/**
 * The same store for a process that writes now and then beside others: every write gives the writer's place back, and
 * waits a moment for it where another process has it. Rejects as `PageStore.write` does when the place stays taken.
 */
export function briefWriter(store: PageStore): PageStore {
  return {
    ...store,
    async write(work) {
      const until = performance.now() + patienceMs;
      for (;;) {
        try {
          return await store.write(work);
        } catch (error) {
          const isTaken = error instanceof ServiceError && error.retryAfterSeconds !== undefined;
          if (!isTaken || performance.now() > until) throw error;
          await wait(lookEveryMs);
        } finally {
          await store.yieldWriter();
        }
      }
    },
  };
}
