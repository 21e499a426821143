import { setTimeout as wait } from 'node:timers/promises';
import type { PageStore } from '../page-store.ts';
import { describeProcess } from './process-facts.ts';
import { PlaceTaken } from './process-lock.ts';

/** How long a command waits for the writer's place, how often it looks, and after what time it says so. */
const maxPlaceWaitMs = 30_000;
const lookEveryMs = 100;
const noticeAfterMs = 1000;

/**
 * The same store for a command: its first write waits for its turn where another process has the writer's place, and
 * leaves a note there, by which a server that writes now and then lets it go first. Rejects with a `ServiceError`
 * (`unavailable`) that names the other process when the place stays taken for `maxPlaceWaitMs`.
 */
export function patientWriter(
  store: PageStore,
  say: (line: string) => void,
  waitMs = maxPlaceWaitMs,
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
          if (!(error instanceof PlaceTaken)) throw error;
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
