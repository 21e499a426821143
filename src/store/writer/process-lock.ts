import type { Database } from 'lmdb';
import { ServiceError } from '../../contract/errors.ts';
import type { Transactions } from '../lmdb/transactions.ts';
import { describeProcess, isAlive, type ProcessId, thisProcess } from './process-facts.ts';

interface ProcessLockOptions {
  readonly transactions: Transactions;
  readonly meta: Database<unknown, string>;
  /** The name of the lock: `writer`, `packer`. */
  readonly name: string;
}

/** How a process acquires a lock that another one has or waits for. */
export interface AcquireOptions {
  /** Leaves a note that this process waits, for holders that yield. It ends when this process has the lock, or ends itself. */
  readonly leavesNote?: boolean;
  /** Yields to a process that left a note. */
  readonly yieldsToNotes?: boolean;
}

/** Another process has the writer's lock, or is next. */
export class LockTaken extends ServiceError {
  readonly heldBy: number;

  constructor(heldBy: number) {
    const message = `${describeProcess(heldBy)} is writing to this data folder: wait until it has ended, or use another --data`;
    super('unavailable', message, { retryAfterSeconds: 5 });
    this.heldBy = heldBy;
  }
}

/** A lock over all processes of a data folder. */
export interface ProcessLock {
  /** Acquires it for this process, or returns the process that has it or is next. */
  acquire(options?: AcquireOptions): Promise<{ heldBy: number } | undefined>;
  /** Releases it, if this process has it. */
  release(): Promise<void>;
  /** The living process that has it, including this one. */
  holder(): number | undefined;
  /** Whether a process died with it, so that LMDB's locks may be stale too. */
  isStale(): boolean;
  /** Another living process that left a note. */
  waiter(): number | undefined;
}

/**
 * The lock is a record in the store, which is written in a transaction; LMDB runs one of these at a time. A dead holder
 * has lost the lock, so there is nothing to clean up after `kill -9`. The record is read before the transaction begins, so
 * a rejected process has not waited for LMDB's lock.
 */
export function createProcessLock({ transactions, meta, name }: ProcessLockOptions): ProcessLock {
  const noteName = `waits:${name}`;

  const living = (key: string): number | undefined => {
    const record = meta.get(key) as ProcessId | undefined;
    return record && (record.pid === process.pid || isAlive(record)) ? record.pid : undefined;
  };
  const other = (key: string): number | undefined => {
    const pid = living(key);
    return pid === process.pid ? undefined : pid;
  };
  const blockingPid = ({ yieldsToNotes }: AcquireOptions): number | undefined =>
    other(name) ?? (yieldsToNotes ? other(noteName) : undefined);

  return {
    holder: () => living(name),
    isStale: () => meta.get(name) !== undefined && living(name) === undefined,
    waiter: () => other(noteName),
    async acquire(options = {}) {
      const heldBy = blockingPid(options);
      const leavesNote = options.leavesNote && living(noteName) === undefined;
      if (heldBy !== undefined && !leavesNote) return { heldBy };
      return transactions.run(() => {
        const blocking = blockingPid(options);
        if (blocking === undefined) {
          meta.putSync(name, thisProcess());
          if (living(noteName) === process.pid) meta.removeSync(noteName);
          return undefined;
        }
        if (options.leavesNote && living(noteName) === undefined) meta.putSync(noteName, thisProcess());
        return { heldBy: blocking };
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
