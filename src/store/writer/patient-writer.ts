import { setTimeout as wait } from 'node:timers/promises';
import type { PageStore } from '../page-store.ts';
import { describeProcess } from './process-facts.ts';
import { LockTaken } from './process-lock.ts';

/** How long a command waits for the writer's lock, how often it tries, and when it reports that it waits. */
const maxWriterLockWaitMs = 30_000;
const lookEveryMs = 100;
const noticeAfterMs = 1000;

/**
 * The same store for a command. If another process has the writer's lock, its first write waits, and leaves a note, so
 * that a server that writes occasionally yields to it. Rejects with a `ServiceError` (`unavailable`) that names the other
 * process after `maxWriterLockWaitMs`.
 */
export function patientWriter(
  store: PageStore,
  say: (line: string) => void,
  waitMs = maxWriterLockWaitMs,
): PageStore {
  let said = false;
  return {
    ...store,
    async write(work) {
      const from = performance.now();
      for (;;) {
        try {
          return await store.write(work, { leavesNote: true });
        } catch (error) {
          if (!(error instanceof LockTaken)) throw error;
          const waitedMs = performance.now() - from;
          if (waitedMs > waitMs) throw error;
          if (!said && waitedMs > noticeAfterMs) {
            said = true;
            say(
              `Waiting up to ${waitMs / 1000} s for ${describeProcess(error.heldBy)}, which writes to the data folder`,
            );
          }
          await wait(lookEveryMs);
        }
      }
    },
  };
}
