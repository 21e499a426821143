import { within } from '../async/within.ts';
import { ServiceError } from '../contract/errors.ts';
import { createEpochs } from './epochs.ts';
import { watchDataFile } from './folder-watch.ts';
import { type HostFacts, hostFactsTable } from './host/host-facts.ts';
import { createHostView } from './host/host-view.ts';
import { openEnvironment, storePath } from './lmdb/environment.ts';
import { createTransactions } from './lmdb/transactions.ts';
import { createDatabaseWriter } from './page/database-writer.ts';
import { openPageDatabases } from './page/page-databases.ts';
import { createPageReader, type OnDamage } from './page/page-reader.ts';
import type { Change, PageStore, Table, Writer } from './page-store.ts';
import { scan } from './scan.ts';
import { asDamage } from './store-file.ts';
import { createHealth } from './store-health.ts';
import { createTable, entryCount, type LmdbTable } from './tables.ts';
import { createLastWriter } from './writer/last-writer.ts';
import { describeProcess } from './writer/process-facts.ts';
import { createProcessLock, LockTaken } from './writer/process-lock.ts';
import { createWriterLock } from './writer/writer-lock.ts';

export { storePath } from './lmdb/environment.ts';

export interface StoreOptions {
  /** Called with what a write waits for; default: prints to stderr. */
  readonly warn?: (message: string) => void;
  /** Called once for every page that is found to be damaged. */
  readonly onDamage?: OnDamage;
}

/** Pages read one by one are read under one snapshot for as long as the event loop does not turn, but for no more. */
const maxReadsOfSnapshot = 512;
/** A process whose thread waits for another's lock gets this long to end by itself once its store is closed. */
const stuckEndMs = 1000;
/**
 * Closing waits no longer than this: after a commit that failed, lmdb-js waits for a flush that never comes. Every write
 * has ended by then, and what was acknowledged is on disk.
 */
const maxCloseMs = 2000;

/**
 * Opens the page store in `folder`, which is created when missing. Up to `maxReaders` processes may have it open; see
 * `PageStore.write` for who may write. Throws a `ServiceError` (`unavailable`, `storage_full`) when the folder cannot
 * be used or was written by a newer Gleaner. `page-databases.ts` has the layout.
 */
export function openPageStore(folder: string, options: StoreOptions = {}): PageStore {
  try {
    return openStore(folder, options);
  } catch (error) {
    throw asDamage(storePath(folder), error);
  }
}

function openStore(folder: string, { warn = sayOnStderr, onDamage }: StoreOptions): PageStore {
  const environment = openEnvironment(folder);
  const { root } = environment;
  const databases = openPageDatabases(environment, folder);
  const { heads, beginnings, changes, meta } = databases;
  const tables = new Map<string, LmdbTable<unknown>>();
  const lastWriter = createLastWriter(meta);
  const transactions = createTransactions({
    root,
    folder,
    warn,
    holder: () => holderOfLock(),
    // Versions before `last-writer` left their lock as it was.
    mayHaveDied: () => lastWriter.hasDied() || writerRecord.isStale(),
    begin: lastWriter.note,
  });
  const lockNamed = (name: string) => createProcessLock({ transactions, meta, name });
  const writerRecord = lockNamed('writer');
  const writerLock = createWriterLock(writerRecord);
  const watch = watchDataFile(environment.dataFile, folder);
  const health = createHealth({ transactions, watch, folder });
  let closed = false;
  let reads = 0;

  /** LMDB does not say which process has its lock; nearly always it is the one with the writer's lock. */
  function holderOfLock(): string {
    const pid = writerRecord.holder();
    return pid === undefined || pid === process.pid ? 'another process' : describeProcess(pid);
  }

  const letGo = (): void => {
    reads += 1;
    if (reads % maxReadsOfSnapshot === 0) root.resetReadTxn();
  };

  const damage = (error: unknown): unknown => asDamage(storePath(folder), error);
  const reading = <Result>(read: () => Result): Result => {
    try {
      return read();
    } catch (error) {
      throw damage(error);
    }
  };
  const reader = createPageReader({ root, databases, asDamage: damage, ...(onDamage && { onDamage }) });
  const epochs = createEpochs(meta);
  const writer = createDatabaseWriter(databases, reader, epochs);

  const tableOf = <Value>(name: string): Table<Value> => {
    const opened = tables.get(name) ?? createTable<unknown>(environment, name, damage);
    tables.set(name, opened);
    return opened as LmdbTable<Value>;
  };
  const view = createHostView(tableOf<HostFacts>(hostFactsTable), reader.page);

  const newestSeq = (): number => [...changes.getKeys({ reverse: true, limit: 1 })][0] ?? 0;

  const makeMissingTables = async (): Promise<void> => {
    const missing = [beginnings, ...tables.values()].filter((table) => table.database() === undefined);
    if (missing.length === 0) return;
    await transactions.run(() => {
      for (const table of missing) table.make();
    });
    // A read of an older state would not know the new databases.
    root.resetReadTxn();
    for (const table of missing) table.publish();
  };

  const commit = async <Result>(work: (writer: Writer) => Result): Promise<Result> => {
    if (closed) throw new ServiceError('unavailable', 'the data folder is being closed');
    const before = watch.missing();
    if (before) throw before;
    await makeMissingTables();
    const result = await transactions.run(() => work(writer));
    // Not acknowledged when the file has lost its name meanwhile.
    const after = watch.missing();
    if (after) throw after;
    return result;
  };

  return {
    head: (id) => {
      const head = reader.head(id);
      return head && view.head(head);
    },
    has: reader.has,
    page: (id) => {
      letGo();
      const page = reader.page(id);
      return page && view.page(page);
    },
    source: (id) => {
      letGo();
      return reader.page(id);
    },
    beginning: (id) => {
      letGo();
      const beginning = reader.beginning(id);
      return beginning && view.beginning(beginning);
    },
    pageCount: () => entryCount(heads),
    *heads(after) {
      for (const head of reader.heads(after)) yield view.head(head);
    },
    ids: reader.ids,
    damageOf: reader.damageOf,
    damagedPages: reader.damagedPages,
    epochAt: epochs.at,
    changesAfter: (seq, limit) =>
      reading(() => {
        // What is logged during a long look is for the next one.
        const end = newestSeq() + 1;
        const range = scan(root, changes, { start: seq + 1, end, limit });
        return Array.from(range, ({ key, value }): Change => ({ seq: key, ...value }));
      }),
    lastSeq: () => reading(newestSeq),
    table: tableOf,
    write: async (work, { leavesNote = false, yieldsToNotes = false } = {}) => {
      if (closed) throw new ServiceError('unavailable', 'the data folder is being closed');
      const written = await writerLock.within(() => commit(work), { leavesNote, yieldsToNotes });
      if ('heldBy' in written) throw new LockTaken(written.heldBy);
      return written.result;
    },
    edit: commit,
    yieldWriter: writerLock.yield,
    acquireLock: async (name) => {
      const lock = lockNamed(`place:${name}`);
      return (await lock.acquire()) ? undefined : lock.release;
    },
    health,
    close: async () => {
      if (closed) return;
      closed = true;
      await writerLock.idle();
      if (!transactions.isStuck()) await writerLock.yield().catch(() => {});
      // Closing waits for the thread; the lock goes with the process.
      if (transactions.isStuck()) setTimeout(() => process.exit(), stuckEndMs);
      else await within(maxCloseMs, root.close());
    },
  };
}

function sayOnStderr(message: string): void {
  process.stderr.write(`gleaner: ${message}\n`);
}
