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

/** The write access to a table; only inside `store.write`. */
export interface Writer {
  put<Value>(table: Table<Value>, key: string, value: Value): void;
  delete<Value>(table: Table<Value>, key: string): void;
  /** Stores a page and appends to the change log. */
  putPage(page: Page): void;
  /**
   * Sets whether a stored page is a copy. Appends to the change log if that changes whether the page is searchable. Does
   * nothing if there is no such page.
   */
  markPage(id: string, mark: Pick<PageHead, 'copyOf' | 'isHidden'>): void;
  /** Appends to the change log that a page has another view than before; does nothing if there is no such page. */
  reindexPage(id: string): void;
  /** Removes a page and appends to the change log; false if there was no such page. */
  removePage(id: string): boolean;
}

export interface Change {
  readonly seq: number;
  readonly id: string;
  readonly kind: 'put' | 'remove';
}

/** Whether the store can be read and written. */
export type StoreHealth =
  | { readonly kind: 'ok' }
  /** Reads work, but the last write failed: the disk is full, or another process holds the lock. */
  | { readonly kind: 'read-only'; readonly why: string }
  /** The data folder was deleted or replaced, or LMDB has closed it in this process. Only a restart helps. */
  | { readonly kind: 'gone'; readonly why: string };

/** How a write gets the writer's lock if another process has it. */
export interface WriteOptions {
  /** Leaves a note that this process waits for the lock. */
  readonly leavesNote?: boolean;
  /** Yields to a process that left a note. */
  readonly yieldsToNotes?: boolean;
}

/** Pages by id. The store is the source of truth: everything else can be rebuilt from it. */
export interface PageStore {
  /** Undefined also for a damaged page; see `damageOf`. */
  head(id: string): PageHead | undefined;
  /** Whether a page is stored and not known to be damaged. It is not decoded, so damage is not noticed here. */
  has(id: string): boolean;
  page(id: string): Page | undefined;
  /** The page with the beginning of its body that a search reads first. The time does not depend on the body's length. */
  beginning(id: string): PageBeginning | undefined;
  /**
   * The page as it was put. `head`, `page` and `heads` return it without the frame of its site: see `host-view.ts`. Use
   * this one to put a page again, and to compare it with a page that was just fetched.
   */
  source(id: string): Page | undefined;
  pageCount(): number;
  /**
   * The heads of all pages, or of those after an id, in the order of ids. Damaged heads are left out. Pages that are put or
   * removed during the scan may be returned or not.
   */
  heads(after?: string): Iterable<PageHead>;
  /** The ids of all pages, damaged ones included, in order. Nothing is decoded; else as `heads`. */
  ids(): Iterable<string>;
  /** What is wrong with a page that `head` or `page` did not return because its checksum is wrong. */
  damageOf(id: string): string | undefined;
  /** The number of damaged pages that this process has seen. */
  damagedPages(): number;
  /** The change log after `seq`, at most `limit` entries. */
  changesAfter(seq: number, limit: number): Change[];
  lastSeq(): number;
  /**
   * Identifies this change log up to `seq`: the random token of the last writer that had begun by then. A store that was
   * restored from an older copy gets another token with its next write. Undefined for a log from before there were
   * tokens.
   */
  epochAt(seq: number): string | undefined;
  /** A named table; the same name always opens the same table. */
  table<Value>(name: string): Table<Value>;
  /**
   * Runs `work` in one transaction: all of it or nothing. Resolves with what `work` returned once the commit is
   * on disk. Needs the writer's lock, which is acquired at the first call and held until `close` or `yieldWriter`.
   * Rejects with a `ServiceError`: `unavailable` with the process that has that lock, or that holds LMDB's lock for too
   * long, or if the data folder is gone; `storage_full` if the disk has no room.
   */
  write<Result>(work: (writer: Writer) => Result, options?: WriteOptions): Promise<Result>;
  /**
   * Runs `work` in a short transaction without the writer's lock: for changes by an operator while a crawl is writing,
   * such as API keys, and for work that depends on the store alone. All of it or nothing. Resolves once it is on disk, and
   * rejects as `write` does, except for the writer's lock.
   */
  edit<Result>(work: (writer: Writer) => Result): Promise<Result>;
  /** Releases the writer's lock once the writes under way are done; the next `write` acquires it again. */
  yieldWriter(): Promise<void>;
  /**
   * Acquires a named lock of the data folder, such as the packer's, for which all processes compete. Returns the function
   * that releases it, or undefined while another living process has it.
   */
  acquireLock(name: string): Promise<(() => Promise<void>) | undefined>;
  /** The health of the store, checked about once a second regardless of the number of calls. */
  health(): StoreHealth;
  close(): Promise<void>;
}
