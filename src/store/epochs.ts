import { randomUUID } from 'node:crypto';
import type { Database } from 'lmdb';

/** So many writers are remembered; an index that was packed before them is packed again. */
const maxEpochs = 256;
const prefix = 'epoch:';

/** The random tokens by which two change logs that began alike are told apart; see `PageStore.epochAt`. */
export interface Epochs {
  /** Notes, in a transaction that appends entry `seq` to the log, that this writer does so. */
  note(seq: number): void;
  at(seq: number): string | undefined;
}

/**
 * One token for every time that the store was opened and written, under the first entry it wrote. Whoever puts an older
 * copy of the store back has to open it again to write, so the log forks where a new token stands. Entries of the log
 * itself cannot tell it: a page's older changes are dropped.
 */
export function createEpochs(meta: Database<unknown, string>): Epochs {
  const token = randomUUID();
  let ownKey: string | undefined;

  return {
    note: (seq) => {
      // Looked at again each time: the transaction that noted it may have been taken back.
      if (ownKey !== undefined && meta.get(ownKey) === token) return;
      ownKey = keyOf(seq);
      meta.putSync(ownKey, token);
      const keys = [...meta.getKeys({ start: prefix, end: keyOf(Number.MAX_SAFE_INTEGER) })];
      for (const key of keys.slice(0, -maxEpochs)) meta.removeSync(key);
    },
    at: (seq) => {
      const [newest] = meta.getRange({ start: keyOf(seq), end: prefix, reverse: true, limit: 1 });
      return newest?.value as string | undefined;
    },
  };
}

function keyOf(seq: number): string {
  return prefix + String(seq).padStart(16, '0');
}
