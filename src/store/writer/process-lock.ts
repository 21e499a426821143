import type { Database } from 'lmdb';
import { ServiceError } from '../../contract/errors.ts';
import type { Transactions } from '../lmdb/transactions.ts';
import { describeProcess, isAlive, type ProcessId, thisProcess } from './process-facts.ts';

interface PlaceOptions {
  readonly transactions: Transactions;
  readonly meta: Database<unknown, string>;
  /** What there is one place for: `writer`, `packer`. */
  readonly name: string;
}

/** How a process comes to a place that another one has or waits for. */
export interface ClaimOptions {
  /** Leaves a note that this process waits, which brief holders see. The note ends with its claim or its process. */
  readonly leavesNote?: boolean;
  /** Lets a process go first that left a note. */
  readonly yieldsToNotes?: boolean;
}

/** Another process has the writer's place, or goes first. */
export class PlaceTaken extends ServiceError {
  readonly heldBy: number;

  constructor(heldBy: number) {
    const message = `${describeProcess(heldBy)} is writing to this data folder: wait until it has ended, or use another --data`;
    super('unavailable', message, { retryAfterSeconds: 5 });
    this.heldBy = heldBy;
  }
}

/** One place over all processes of a data folder. */
export interface Place {
  /** Takes it for this process; says which process has it, or goes first, where one does. */
  claim(options?: ClaimOptions): Promise<{ heldBy: number } | undefined>;
  /** Gives it back, if this process has it. */
  release(): Promise<void>;
  /** The living process that has it, this one included. */
  holder(): number | undefined;
  /** Whether it was left by a process that died, so that LMDB's locks may have been left, too. */
  wasLeft(): boolean;
  /** Another living process that left a note. */
  waiter(): number | undefined;
}

/**
 * A place is a record in the store itself, taken in a transaction that LMDB lets only one process run at a time; a
 * holder that no longer lives has lost it, so nothing is left to clean up after `kill -9`. The record is read before
 * the transaction is asked for: who is refused has waited for nobody.
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
