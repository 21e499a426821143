import type { Database } from 'lmdb';
import { ServiceError } from '../../contract/errors.ts';
import type { Transactions } from '../lmdb/transactions.ts';
import { describeProcess, isAlive, type ProcessId, thisProcess } from './process-facts.ts';

interface PlaceOptions {
  readonly transactions: Transactions;
  readonly meta: Database<unknown, string>;
  /** The name of the lock: `writer`, `packer`. */
  readonly name: string;
}

/** How a process acquires a lock that another one has or waits for. */
export interface ClaimOptions {
  /** Leaves a note that this process waits, for holders that yield. It is removed with the claim or with the process. */
  readonly leavesNote?: boolean;
  /** Yields to a process that left a note. */
  readonly yieldsToNotes?: boolean;
}

/** Another process has the writer's lock, or is next. */
export class PlaceTaken extends ServiceError {
  readonly heldBy: number;

  constructor(heldBy: number) {
    const message = `${describeProcess(heldBy)} is writing to this data folder: wait until it has ended, or use another --data`;
    super('unavailable', message, { retryAfterSeconds: 5 });
    this.heldBy = heldBy;
  }
}

/** A lock over all processes of a data folder. */
export interface Place {
  /** Acquires it for this process, or returns the process that has it or is next. */
  claim(options?: ClaimOptions): Promise<{ heldBy: number } | undefined>;
  /** Releases it, if this process has it. */
  release(): Promise<void>;
  /** The living process that has it, including this one. */
  holder(): number | undefined;
  /** Whether a process died with it, so that LMDB's locks may be stale too. */
  wasLeft(): boolean;
  /** Another living process that left a note. */
  waiter(): number | undefined;
}

/**
 * The lock is a record in the store, which is written in a transaction; LMDB runs one of these at a time. A dead holder
 * has lost the lock, so there is nothing to clean up after `kill -9`. The record is read before the transaction begins, so
 * a rejected process has not waited for LMDB's lock.
 */
export function createPlace({ transactions, meta, name }: PlaceOptions): Place {
  const noteName = `waits:${name}`;

  const living = (key: string): number | undefined => {
    const found = meta.get(key) as ProcessId | undefined;
    return found && (found.pid === process.pid || isAlive(found)) ? found.pid : undefined;
  };
  const other = (key: string): number | undefined => {
    const pid = living(key);
    return pid === process.pid ? undefined : pid;
  };
  const inTheWay = ({ yieldsToNotes }: ClaimOptions): number | undefined =>
    other(name) ?? (yieldsToNotes ? other(noteName) : undefined);

  return {
    holder: () => living(name),
    wasLeft: () => meta.get(name) !== undefined && living(name) === undefined,
    waiter: () => other(noteName),
    async claim(options = {}) {
      const heldBy = inTheWay(options);
      const leavesNote = options.leavesNote && living(noteName) === undefined;
      if (heldBy !== undefined && !leavesNote) return { heldBy };
      return transactions.run(() => {
        const heldNow = inTheWay(options);
        if (heldNow === undefined) {
          meta.putSync(name, thisProcess());
          if (living(noteName) === process.pid) meta.removeSync(noteName);
          return undefined;
        }
        if (options.leavesNote && living(noteName) === undefined) meta.putSync(noteName, thisProcess());
        return { heldBy: heldNow };
      });
    },
    async release() {
      if (living(name) !== process.pid) return;
      await transactions.run(() => {
        if (living(name) === process.pid) meta.removeSync(name);
      });
    },
  };
}
