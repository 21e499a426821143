import { readFileSync } from 'node:fs';
import type { Database, RootDatabase } from 'lmdb';

interface Holder {
  readonly pid: number;
  /** The process's start in the kernel's clock, so that a reused pid is not taken for the old process. */
  readonly startedAt: string | null;
}

interface PlaceOptions {
  readonly root: RootDatabase<unknown, string>;
  readonly meta: Database<unknown, string>;
  /** What there is one place for: `writer`, `packer`. */
  readonly name: string;
}

/**
 * Takes a place of which a data folder has one, for this process; says which process has it instead, if one does.
 * The place is a record in the store itself, taken in a transaction that LMDB lets only one process run at a time; a
 * holder that no longer lives has lost it, so nothing is left to clean up after `kill -9`.
 */
export function claimPlace({ root, meta, name }: PlaceOptions): { heldBy: number } | undefined {
  return root.transactionSync(() => {
    const holder = meta.get(name) as Holder | undefined;
    if (holder && holder.pid !== process.pid && isAlive(holder)) return { heldBy: holder.pid };
    meta.putSync(name, { pid: process.pid, startedAt: startOf(process.pid) } satisfies Holder);
    return undefined;
  });
}

/** Gives the place back, if this process has it. */
export function releasePlace({ root, meta, name }: PlaceOptions): void {
  root.transactionSync(() => {
    const holder = meta.get(name) as Holder | undefined;
    if (holder?.pid === process.pid) meta.removeSync(name);
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
