import type { Page, PageHead } from '../page.ts';
import type { PageBeginning } from './page/beginnings.ts';

/** An ordered map of msgpack-able values under string keys, in the same LMDB file as the pages. */
export interface Table<Value> {
  get(key: string): Value | undefined;
  /** Entries with `from <= key < to`, in the order of their keys (UTF-8 bytes). */
  entries(range?: {
    from?: string;
    to?: string;
    limit?: number;
    reverse?: boolean;
  }): Iterable<[string, Value]>;
  count(): number;
}

/** The writing half of a table, usable inside `store.write` alone. */
export interface Writer {
  put<Value>(table: Table<Value>, key: string, value: Value): void;
  delete<Value>(table: Table<Value>, key: string): void;
  /** Stores a page and appends to the change log. */
  putPage(page: Page): void;
  /**
   * Says of a stored page whether it is a copy; appends to the change log where that changes whether it can be found.
   * Does nothing when there is no such page.
   */
  markPage(id: string, mark: Pick<PageHead, 'copyOf' | 'isHidden'>): void;
  /** Appends to the change log that a page reads otherwise than before; does nothing when there is no such page. */
  reindexPage(id: string): void;
  /** Removes a page and appends to the change log; false when there was none. */
  removePage(id: string): boolean;
}

export interface Change {
  readonly seq: number;
  readonly id: string;
  readonly kind: 'put' | 'remove';
}

/** Whether what is stored can be read and written. */
export type StoreHealth =
  | { readonly kind: 'ok' }
  /** Reading goes on, but the last write failed: the disk is full, or another process holds the lock. */
  | { readonly kind: 'read-only'; readonly why: string }
  /** The data folder was deleted or replaced, or LMDB gave it up in this process: only a restart helps. */
  | { readonly kind: 'gone'; readonly why: string };

/** How a write comes to the writer's place where another process has it. */
export interface WriteOptions {
  /** Leaves a note that this process waits for the place. */
  readonly leavesNote?: boolean;
  /** Lets a process go first that left a note. */
  readonly yieldsToNotes?: boolean;
}

/** Here is an id, where is the page? The truth of the service: everything else can be rebuilt from it. */
export interface PageStore {
  /** Undefined, too, for a damaged page; see `damageOf`. */
  head(id: string): PageHead | undefined;
  page(id: string): Page | undefined;
  /** The page with as much of its body as a search reads first; the time does not go with the length of the body. */
  beginning(id: string): PageBeginning | undefined;
  /**
   * The page as it was put. `head`, `page` and `heads` show it without what is its site's: see `host-view.ts`. What is
   * put again, or compared with a page that was just read, has to be this.
   */
  source(id: string): Page | undefined;
  pageCount(): number;
  /**
   * Every page's head, in the order of ids; those after an id where one is given. A damaged one is left out. A page
   * that is put or removed during a scan may come or not.
   */
  heads(after?: string): Iterable<PageHead>;
  /** What is wrong with a page that `head` or `page` did not give, because its checksum is not that of its bytes. */
  damageOf(id: string): string | undefined;
  /** How many damaged pages this process has come across. */
  damagedPages(): number;
  /** The change log after `seq`, at most `limit` entries. */
  changesAfter(seq: number, limit: number): Change[];
  lastSeq(): number;
  /**
   * What tells this change log up to `seq` from any other: the random token of the writer that had begun last by
   * then. A store that was put back from an older copy gets another one with its next write. Undefined for a log
   * that began before there were tokens.
   */
  epochAt(seq: number): string | undefined;
  /** A named table; the same name always opens the same table. */
  table<Value>(name: string): Table<Value>;
  /**
   * Runs `work` in one transaction: all of it or nothing. Resolves with what `work` returned once the commit is
   * on disk. Needs the writer's place, which is taken at the first call and kept until `close` or `yieldWriter`.
   * Rejects with a `ServiceError`: `unavailable` naming the process that has the place, or that holds LMDB's lock for
   * too long, or when the data folder is gone; `storage_full` when the disk has no room.
   */
  write<Result>(work: (writer: Writer) => Result, options?: WriteOptions): Promise<Result>;
  /**
   * Runs `work` in a short transaction beside whoever has the writer's place: for what an operator decides while a
   * crawl is writing, such as API keys, and for what depends on nothing but the store. All of it or nothing; resolves
   * once it is on disk, and rejects as `write` does but for the place.
   */
  edit<Result>(work: (writer: Writer) => Result): Promise<Result>;
  /** Gives the writer's place back once the writes under way are done; the next `write` takes it again. */
  yieldWriter(): Promise<void>;
  /**
   * Takes a named place of which the data folder has one over all processes, such as that of the packer; returns how
   * to give it back, or undefined while a living process has it.
   */
  claimPlace(name: string): Promise<(() => Promise<void>) | undefined>;
  /** How the store stands, looked at about once a second however often it is asked for. */
  health(): StoreHealth;
  close(): Promise<void>;
}
