import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { ServiceError } from '../contract/errors.ts';
import type { Page, PageHead } from '../page.ts';
import { beginningOf, type StoredBeginning, storedBeginningOf, wholePage } from './beginnings.ts';
import { isPageId } from './page-id.ts';
import type { Change, PageStore, Table, Writer } from './page-store.ts';
import { claimPlace, releasePlace } from './place.ts';

/** Raised when the layout below changes in a way that older data cannot be read with. */
const formatVersion = 1;

interface StoredText {
  headings: string;
  body: string;
}

/** A `Table` that also hands its database to `store.write`. */
interface LmdbTable<Value> extends Table<Value> {
  readonly database: Database<Value, string>;
}

/**
 * Opens the page store in `folder`, which is created when missing. Any number of processes may have it open; see
 * `PageStore.write` for who may write. Throws a `ServiceError` (`unavailable`) when the folder cannot be used or
 * was written by a newer Gleaner.
 *
 * Layout (one LMDB environment): `heads` id -> PageHead, `texts` id -> headings and body (LZ4),
 * `beginnings` id -> the first part of a long body (LZ4), `changes` seq -> Change, `seqs` id -> the seq of its newest change, `meta`, and one database a table. A page's
 * older changes are dropped, so the log never outgrows the number of pages that ever were.
 */
export function openPageStore(folder: string): PageStore {
  const root = openEnvironment(folder);
  const heads: Database<PageHead, string> = root.openDB({ name: 'heads' });
  const texts: Database<StoredText, string> = root.openDB({ name: 'texts', compression: true });
  const beginnings: Database<StoredBeginning, string> = root.openDB({
    name: 'beginnings',
    compression: true,
  });
  const changes: Database<Omit<Change, 'seq'>, number> = root.openDB({ name: 'changes' });
  const seqs: Database<number, string> = root.openDB({ name: 'seqs' });
  const meta: Database<unknown, string> = root.openDB({ name: 'meta' });
  const tables = new Map<string, LmdbTable<unknown>>();
  let isWriter = false;
  let closed = false;
  const pending = new Set<Promise<unknown>>();

  const writerPlace = { root, meta, name: 'writer' };
  checkFormat(meta, folder);

  // Whoever asks may bring any string, and LMDB throws at keys that are too long.
  const headOf = (id: string): PageHead | undefined => (isPageId(id) ? heads.get(id) : undefined);

  const pageOf = (id: string): Page | undefined => {
    const head = headOf(id);
    const text = head && texts.get(id);
    return head && text && { ...head, ...text };
  };

  const newestSeq = (): number => [...changes.getKeys({ reverse: true, limit: 1 })][0] ?? 0;

  const logChange = (id: string, kind: Change['kind']): void => {
    const older = seqs.get(id);
    const seq = ((meta.get('seq') as number | undefined) ?? 0) + 1;
    if (older !== undefined) changes.removeSync(older);
    changes.putSync(seq, { id, kind });
    seqs.putSync(id, seq);
    meta.putSync('seq', seq);
  };

  const writer: Writer = {
    put: (table, key, value) => databaseOf(table).putSync(key, value),
    delete: (table, key) => {
      databaseOf(table).removeSync(key);
    },
    putPage: (page: Page) => {
      const { headings, body, ...head } = page;
      heads.putSync(head.id, head);
      texts.putSync(head.id, { headings, body });
      const beginning = storedBeginningOf(page);
      if (beginning) beginnings.putSync(head.id, beginning);
      else beginnings.removeSync(head.id);
      logChange(head.id, 'put');
    },
    markPage: (id, { copyOf, isHidden }) => {
      const stored = headOf(id);
      if (!stored) return;
      const { copyOf: wasCopyOf, isHidden: wasHidden, ...head } = stored;
      heads.putSync(id, { ...head, ...(copyOf !== undefined && { copyOf }), ...(isHidden && { isHidden }) });
      const isFoundAlike = (copyOf === undefined) === (wasCopyOf === undefined) && isHidden === wasHidden;
      if (!isFoundAlike) logChange(id, 'put');
    },
    removePage: (id) => {
      if (!heads.removeSync(id)) return false;
      texts.removeSync(id);
      beginnings.removeSync(id);
      logChange(id, 'remove');
      return true;
    },
  };

  const commit = async <Result>(work: (writer: Writer) => Result): Promise<Result> => {
    let result: { value: Result } | undefined;
    await root.childTransaction(() => {
      result = { value: work(writer) };
    });
    await root.flushed;
    if (result === undefined) throw new Error('the transaction did not run');
    return result.value;
  };

  const yieldWriter = async (): Promise<void> => {
    await Promise.allSettled(pending);
    if (isWriter) releasePlace(writerPlace);
    isWriter = false;
  };

  return {
    head: headOf,
    page: pageOf,
    beginning: (id) => {
      const head = headOf(id);
      const stored = head && beginnings.get(id);
      const beginning = head && stored && beginningOf(head, stored);
      if (beginning) return beginning;
      const page = pageOf(id);
      return page && wholePage(page);
    },
    pageCount: () => entryCount(heads),
    *heads() {
      for (const { value } of heads.getRange({})) yield value;
    },
    changesAfter: (seq, limit) =>
      Array.from(changes.getRange({ start: seq + 1, limit }), ({ key, value }) => ({ seq: key, ...value })),
    lastSeq: newestSeq,
    table: <Value>(name: string): Table<Value> => {
      const opened = tables.get(name) ?? openTable(root.openDB<unknown, string>({ name: `table:${name}` }));
      tables.set(name, opened);
      return opened as LmdbTable<Value>;
    },
    write: async (work) => {
      if (closed) throw new ServiceError('unavailable', 'the data folder is being closed');
      if (!isWriter) {
        const taken = claimPlace(writerPlace);
        if (taken) throw busy(taken.heldBy);
        isWriter = true;
      }
      const committed = commit(work);
      pending.add(committed);
      try {
        return await committed;
      } finally {
        pending.delete(committed);
      }
    },
    edit: async (work) => {
      const result = root.transactionSync(() => work(writer));
      await root.flushed;
      return result;
    },
    yieldWriter,
    claimPlace: (name) => {
      const place = { root, meta, name: `place:${name}` };
      return claimPlace(place) ? undefined : () => releasePlace(place);
    },
    close: async () => {
      if (closed) return;
      closed = true;
      await yieldWriter();
      await root.close();
    },
  };
}

function busy(pid: number): ServiceError {
  return new ServiceError(
    'unavailable',
    `process ${pid} is writing to this data folder: wait until it has ended, or use another --data`,
    { retryAfterSeconds: 5 },
  );
}

/** Where in a data folder the store is. */
export function storePath(folder: string): string {
  return join(folder, 'store');
}

/** Node's own `recursive` never returns where a parent refuses with ENOENT, as /proc does (seen on Node 20). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

function openEnvironment(folder: string): RootDatabase<unknown, string> {
  try {
    makeFolder(folder);
    return open({ path: storePath(folder), maxDbs: 64 });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ServiceError('unavailable', `cannot open the data folder ${folder}: ${why}`);
  }
}

function checkFormat(meta: Database<unknown, string>, folder: string): void {
  const found = meta.get('format') as number | undefined;
  if (found === undefined) meta.putSync('format', formatVersion);
  else if (found !== formatVersion) {
    throw new ServiceError(
      'unavailable',
      `the data folder ${folder} has format ${found}, this Gleaner reads ${formatVersion}: use the Gleaner that wrote it, or another --data`,
    );
  }
}

function openTable<Value>(database: Database<Value, string>): LmdbTable<Value> {
  return {
    database,
    get: (key) => database.get(key),
    *entries({ from, to, limit, reverse = false } = {}) {
      const [start, end] = reverse ? [to, from] : [from, to];
      const range = {
        reverse,
        ...(start !== undefined && { start }),
        ...(end !== undefined && { end }),
        ...(limit !== undefined && { limit }),
        // Reversed, LMDB would take `to` in and leave `from` out: the other way round than `Table` promises.
        ...(reverse && { exclusiveStart: true, inclusiveEnd: true }),
      };
      for (const { key, value } of database.getRange(range)) yield [key, value];
    },
    count: () => entryCount(database),
  };
}

function databaseOf<Value>(table: Table<Value>): Database<Value, string> {
  return (table as LmdbTable<Value>).database;
}

function entryCount(database: Database<never, string> | Database): number {
  return (database.getStats() as { entryCount: number }).entryCount;
}
