import { ServiceError } from '../contract/errors.ts';
import type { Page, PageHead } from '../page.ts';
import { beginningOf, wholePage } from './beginnings.ts';
import { openEnvironment } from './environment.ts';
import { watchDataFile } from './folder-watch.ts';
import { createPageWriter, openPageDatabases } from './page-databases.ts';
import { isPageId } from './page-id.ts';
import type { Change, PageStore, Table, Writer } from './page-store.ts';
import { createPlace, PlaceTaken } from './place.ts';
import { describeProcess } from './process-facts.ts';
import { scan } from './scan.ts';
import { createHealth } from './store-health.ts';
import { createTable, entryCount, type LmdbTable } from './tables.ts';
import { createTransactions } from './transactions.ts';
import { createWriterPlace } from './writer-place.ts';

export { storePath } from './environment.ts';

export interface StoreOptions {
  /** Told what a write waits for; stderr when not given. */
  readonly warn?: (message: string) => void;
}

/** Pages read one by one are read under one snapshot for as long as the event loop does not turn, but for no more. */
const maxReadsOfSnapshot = 512;
/** A process whose thread waits for another's lock gets this long to end by itself once its store is closed. */
const stuckEndMs = 1000;

/**
 * Opens the page store in `folder`, which is created when missing. Up to `maxReaders` processes may have it open; see
 * `PageStore.write` for who may write. Throws a `ServiceError` (`unavailable`, `storage_full`) when the folder cannot
 * be used or was written by a newer Gleaner. `page-databases.ts` has the layout.
 */
export function openPageStore(folder: string, { warn = sayOnStderr }: StoreOptions = {}): PageStore {
  const environment = openEnvironment(folder);
  const { root } = environment;
  const databases = openPageDatabases(environment, folder);
  const { heads, texts, beginnings, changes, meta } = databases;
  const tables = new Map<string, LmdbTable<unknown>>();
  const transactions = createTransactions({
    root,
    folder,
    warn,
    holder: () => holderOfLock(),
    mayHaveDied: () => writerRecord.wasLeft(),
  });
  const placeOf = (name: string) => createPlace({ transactions, meta, name });
  const writerRecord = placeOf('writer');
  const writerPlace = createWriterPlace(writerRecord);
  const watch = watchDataFile(environment.dataFile, folder);
  const health = createHealth({ transactions, watch, folder });
  const writer = createPageWriter(databases);
  let closed = false;
  let reads = 0;

  /** LMDB does not say who has its lock; nearly always it is the process in the writer's place. */
  function holderOfLock(): string {
    const pid = writerRecord.holder();
    return pid === undefined || pid === process.pid ? 'another process' : describeProcess(pid);
  }

  const letGo = (): void => {
    reads += 1;
    if (reads % maxReadsOfSnapshot === 0) root.resetReadTxn();
  };

  // Whoever asks may bring any string, and LMDB throws at keys that are too long.
  const headOf = (id: string): PageHead | undefined => (isPageId(id) ? heads.get(id) : undefined);

  const pageOf = (id: string): Page | undefined => {
    letGo();
    const head = headOf(id);
    const text = head && texts.get(id);
    return head && text && { ...head, ...text };
  };

  const newestSeq = (): number => [...changes.getKeys({ reverse: true, limit: 1 })][0] ?? 0;

  const makeMissingTables = async (): Promise<void> => {
    const missing = [beginnings, ...tables.values()].filter((table) => table.database() === undefined);
    if (missing.length === 0) return;
    try {
      await transactions.run(() => {
        for (const table of missing) table.make();
      });
    } catch (error) {
      for (const table of missing) table.unmake();
      throw error;
    }
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
    head: headOf,
    page: pageOf,
    beginning: (id) => {
      letGo();
      const head = headOf(id);
      const stored = head && beginnings.database()?.get(id);
      const beginning = head && stored && beginningOf(head, stored);
      if (beginning) return beginning;
      const page = pageOf(id);
      return page && wholePage(page);
    },
    pageCount: () => entryCount(heads),
    *heads() {
      for (const { value } of scan(root, heads)) yield value;
    },
    changesAfter: (seq, limit) => {
      // What is logged during a long look is for the next one.
      const end = newestSeq() + 1;
      const range = scan(root, changes, { start: seq + 1, end, limit });
      return Array.from(range, ({ key, value }): Change => ({ seq: key, ...value }));
    },
    lastSeq: newestSeq,
    table: <Value>(name: string): Table<Value> => {
      const opened = tables.get(name) ?? createTable<unknown>(environment, name);
      tables.set(name, opened);
      return opened as LmdbTable<Value>;
    },
    write: async (work, { leavesNote = false, yieldsToNotes = false } = {}) => {
      if (closed) throw new ServiceError('unavailable', 'the data folder is being closed');
      const written = await writerPlace.within(() => commit(work), { leavesNote, yieldsToNotes });
      if ('heldBy' in written) throw new PlaceTaken(written.heldBy);
      return written.result;
    },
    edit: commit,
    yieldWriter: writerPlace.yield,
    claimPlace: async (name) => {
      const place = placeOf(`place:${name}`);
      return (await place.claim()) ? undefined : place.release;
    },
    health,
    close: async () => {
      if (closed) return;
      closed = true;
      await writerPlace.idle();
      if (!transactions.isStuck()) await writerPlace.yield().catch(() => {});
      // Closing waits for the thread; the lock goes with the process.
      if (transactions.isStuck()) setTimeout(() => process.exit(), stuckEndMs);
      else await root.close();
    },
  };
}

function sayOnStderr(message: string): void {
  process.stderr.write(`gleaner: ${message}\n`);
}
