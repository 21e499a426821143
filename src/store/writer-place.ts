import { readFileSync } from 'node:fs';
import type { Database, RootDatabase } from 'lmdb';
import { ServiceError } from '../contract/errors.ts';

interface Holder {
  readonly pid: number;
  /** The process's start in the kernel's clock, so that a reused pid is not taken for the old process. */
  readonly startedAt: string | null;
}

const key = 'writer';

/**
 * Takes the one writer's place of a data folder for this process. The place is a record in the store itself, taken
 * in a transaction that LMDB lets only one process run at a time; a holder that no longer lives has lost it, so
 * nothing is left to clean up after `kill -9`. Throws a `ServiceError` (`unavailable`) while another process has it.
 */
export function claimWriterPlace(root: RootDatabase<unknown, string>, meta: Database<unknown, string>): void {
  root.transactionSync(() => {
    const holder = meta.get(key) as Holder | undefined;
    if (holder && holder.pid !== process.pid && isAlive(holder)) {
      throw new ServiceError(
        'unavailable',
        `process ${holder.pid} is writing to this data folder: wait until it has ended, or use another --data`,
        { retryAfterSeconds: 5 },
      );
    }
    meta.putSync(key, { pid: process.pid, startedAt: startOf(process.pid) } satisfies Holder);
  });
}

/** Gives the place back, if this process has it. */
export function releaseWriterPlace(
  root: RootDatabase<unknown, string>,
  meta: Database<unknown, string>,
): void {
  root.transactionSync(() => {
    const holder = meta.get(key) as Holder | undefined;
    if (holder?.pid === process.pid) meta.removeSync(key);
  });
}

function isAlive({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return startedAt === null || startOf(pid) === startedAt;
}

/** The start time of a process from Linux's /proc (field 22 of `stat`, proc(5)); null where there is none. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
