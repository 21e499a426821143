import type { Database } from 'lmdb';
import { isAlive, type ProcessId, thisProcess } from './process-facts.ts';

/** Which process had the last write transaction of a store, written in that transaction itself. */
export interface LastWriter {
  /** Inside of every write transaction. */
  note(): void;
  /** Whether it is another process and no longer lives, so that LMDB's locks may have been left, too. */
  hasDied(): boolean;
}

const key = 'last-writer';

export function createLastWriter(meta: Database<unknown, string>): LastWriter {
  const own = thisProcess();
  const last = () => meta.get(key) as ProcessId | undefined;
  const isOwn = ({ pid, startedAt }: ProcessId): boolean => pid === own.pid && startedAt === own.startedAt;
  return {
    note: () => {
      const found = last();
      if (!found || !isOwn(found)) meta.putSync(key, own);
    },
    hasDied: () => {
      const found = last();
      return found !== undefined && !isOwn(found) && !isAlive(found);
    },
  };
}
