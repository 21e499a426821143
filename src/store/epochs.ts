import { randomUUID } from 'node:crypto';
import type { Database } from 'lmdb';

/** Maximum number of tokens. An index that was packed before the oldest one is packed again. */
const maxEpochs = 256;
const prefix = 'epoch:';

/** Random tokens that distinguish two change logs with the same beginning; see `PageStore.epochAt`. */
export interface Epochs {
  /** Stores this writer's token, in the transaction that appends entry `seq` to the log. */
  note(seq: number): void;
  at(seq: number): string | undefined;
}

/**
 * One token for each time that the store was opened and written, under the first entry that was written. After an older
 * copy of the store is restored, it has to be opened again to write, so a forked log has another token at the fork. The
 * entries of the log cannot show a fork, because older changes of a page are dropped.
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
