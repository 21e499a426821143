import { join } from 'node:path';
import { type Database, type DatabaseOptions, type Key, openAsClass, type RootDatabase } from 'lmdb';
import { fileModeIn, makePrivateFolder } from '../private-files.ts';
import { openFailure } from '../store-failure.ts';
import { checkStoreFile } from '../store-file.ts';
import { allocateLockFile } from './lock-file.ts';
import { quietCommitErrors } from './quiet-commit-errors.ts';

/** Threads and processes that may have one data folder open; each takes one slot, and few take a second one. */
const maxReaders = 1024;
const maxDatabases = 64;

export type Root = RootDatabase<unknown, string>;

/** An LMDB environment whose databases can be opened while another process holds the write lock. */
export interface Environment {
  readonly root: Root;
  /** The file of the environment, for checks whether it still exists. */
  readonly dataFile: string;
  /** Opens a database in a read transaction, which never waits for a lock; undefined if it does not exist yet. */
  find<Value, K extends Key>(name: string, options?: DatabaseOptions): Database<Value, K> | undefined;
  /** The number of databases that exist now. None is ever removed, so it changes with each new one. */
  databaseCount(): number;
  /** Opens a database, and creates it if it is missing. Only inside a write transaction. */
  make<Value, K extends Key>(name: string, options?: DatabaseOptions): Database<Value, K>;
}

/** The path of the store in a data folder. */
export function storePath(folder: string): string {
  return join(folder, 'store');
}

/**
 * Opens the environment in `folder`, which is created when missing. Throws a `ServiceError` (`unavailable`,
 * `storage_full`) when the folder cannot be used.
 *
 * lmdb-js opens every database in a synchronous write transaction, on the calling thread: a process that is stopped in
 * the middle of a write would stop all others there. So what exists is opened as in its read-only mode.
 */
export function openEnvironment(folder: string): Environment {
  const path = storePath(folder);
  let readsOnly = true;
  quietCommitErrors();
  try {
    makePrivateFolder(folder);
    checkStoreFile(path);
    makePrivateFolder(path);
    allocateLockFile(join(path, 'lock.mdb'), maxReaders);
    // The types call the class an object of it.
    const Opened = openAsClass<unknown, string>({
      path,
      maxDbs: maxDatabases,
      maxReaders,
      // Missing in the types, as below.
      ...{ permissionsMode: fileModeIn(path) },
      // Batches have their own promise, which rejects with a failed commit and which our code cannot catch.
      eventTurnBatching: false,
    }) as unknown as new (
      name: null,
      options: object,
    ) => Root;
    const { prototype } = Opened as unknown as { prototype: Root };
    const transact = prototype.transactionSync;
    prototype.transactionSync = function <Result>(this: ReadsFirst, action: () => Result, flags?: number) {
      if (!readsOnly) return transact.call(this, action, flags) as Result;
      this.resetReadTxn();
      this.ensureReadTxn();
      return action();
    };
    // lmdb-js ends the writes under way and closes the environment with its root alone.
    const root = new Opened(null, { isRoot: true });
    readsOnly = false;

    return {
      root,
      dataFile: join(path, 'data.mdb'),
      find: (name, options = {}) => {
        readsOnly = true;
        try {
          // `create` is read by lmdb-js and missing in its types; undefined is its answer to a missing database.
          return root.openDB({ ...options, name, ...{ create: false } });
        } finally {
          readsOnly = false;
        }
      },
      databaseCount: () => (root.getStats() as { entryCount: number }).entryCount,
      make: (name, options = {}) => root.openDB({ ...options, name }),
    };
  } catch (error) {
    throw openFailure(error, folder, maxReaders);
  }
}

/** What of a database lmdb-js does not declare. */
interface ReadsFirst extends Root {
  ensureReadTxn(): void;
}
