import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceError } from '../contract/errors.ts';
import type { FolderWatch } from './folder-watch.ts';
import { storePath } from './lmdb/environment.ts';
import type { Transactions } from './lmdb/transactions.ts';
import type { StoreHealth } from './page-store.ts';
import { commitFailure, fileSizeLimitFailure } from './store-failure.ts';

interface HealthOptions {
  readonly transactions: Transactions;
  readonly watch: FolderWatch;
  readonly folder: string;
}

/** Minimum time between two checks of a disk, however often the state is read. */
const lookEveryMs = 1000;
/** Enough for a page of some length, and what LMDB writes with it. */
const probeBytes = 256 * 1024;

/**
 * How the store stands. A failed write counts until another succeeds, or until the disk takes a probe again: a service
 * that learns nothing meanwhile would else say forever that its disk is full.
 */
export function createHealth({ transactions, watch, folder }: HealthOptions): () => StoreHealth {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let missing: ServiceError | undefined;
  return () => {
    if (performance.now() - lookedAt >= lookEveryMs) {
      lookedAt = performance.now();
      missing = watch.missing();
      if (transactions.failure()?.code === 'storage_full' && probe(folder) === undefined)
        transactions.forgetFailure();
    }
    if (missing) return { kind: 'gone', why: missing.message };
    const failure = transactions.failure();
    if (failure && transactions.isBroken()) return { kind: 'gone', why: failure.message };
    if (failure) return { kind: 'read-only', why: failure.message };
    if (transactions.isStuck())
      return { kind: 'read-only', why: `another process holds the lock of the data folder ${folder}` };
    return { kind: 'ok' };
  };
}

/** Checks whether the disk has room for a small file in the store's folder; returns the error if it has not. */
export function probe(folder: string): ServiceError | undefined {
  const atLimit = fileSizeLimitFailure(folder);
  if (atLimit) return atLimit;
  const file = join(storePath(folder), `.room-${process.pid}`);
  try {
    const handle = openSync(file, 'w', 0o600);
    try {
      const bytes = Buffer.alloc(probeBytes);
      for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    } finally {
      closeSync(handle);
      rmSync(file, { force: true });
    }
    return undefined;
  } catch (error) {
    return commitFailure(error, folder);
  }
}
