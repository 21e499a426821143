import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../contract/errors.ts';
import {
  childrenOf,
  type LmdbFile,
  type LmdbMeta,
  type LmdbPage,
  metaThatOpens,
  nodeFlags,
  nodeHeaderBytes,
  noPage,
  numberAt,
  openLmdbFile,
  pageHeaderBytes,
  readMetas,
  readTreePage,
} from './lmdb-file.ts';
import { databasesIn } from './lmdb-tree.ts';
import { hasDeadReader } from './lock-file.ts';
import { commitFailure, isPanic } from './store-failure.ts';

/** Pages of the trees that are looked at before the file is opened, from the roots on: a few milliseconds. */
const maxPagesLookedAt = 64;
/** And where the last process that had it open has died, perhaps of the file: 64 MB of trees, without the texts. */
const maxPagesAfterDeath = 16_384;
/** A process that writes meanwhile may use a page again while it is looked at, so damage has to be seen this often. */
const maxLooks = 5;

/** Where the pages are: the file of LMDB below the folder of the store. */
export function dataFileOf(storeFolder: string): string {
  return join(storeFolder, 'data.mdb');
}

/**
 * Throws a `ServiceError` (`unavailable`) that says what is wrong when LMDB would not open the store, or would die of
 * it: what is there is no file, no file of LMDB, cut, or leads to pages that are no pages. Looks at the top of all trees,
 * and much deeper where a process that had it open has died without closing it; `gleaner verify` looks at everything.
 * Throws the error of the system where something may not be read.
 */
export function checkStoreFile(storeFolder: string): void {
  const data = dataFileOf(storeFolder);
  const lock = join(storeFolder, 'lock.mdb');
  const why =
    kindTrouble(storeFolder, 'folder') ??
    kindTrouble(lock, 'file') ??
    kindTrouble(data, 'file') ??
    missing(storeFolder) ??
    storeDamage(data, hasDeadReader(storeFolder) ? maxPagesAfterDeath : maxPagesLookedAt);
  if (why !== undefined) throw unusable(storeFolder, why);
}

/** The refusal of a damaged store, which says what to do. */
export function unusable(storeFolder: string, why: string): ServiceError {
  const folder = dirname(storeFolder);
  return new ServiceError(
    'unavailable',
    `the store ${storeFolder} cannot be used: ${why}; "gleaner verify --repair --data ${folder}" keeps what is whole of it, ` +
      'or put a backup of the data folder back, or use another --data',
  );
}

/** The errors of LMDB that say its file is damaged (lmdb.h). */
const damageCodes: readonly unknown[] = [-30797, -30796, -30794, -30793, -30782, -30779];

/** What LMDB threw, as a refusal where it means that the file is damaged; else as it was. */
export function asDamage(storeFolder: string, error: unknown): unknown {
  if (isPanic(error)) return commitFailure(error, dirname(storeFolder));
  if (!(error instanceof Error) || !('code' in error) || !damageCodes.includes(error.code)) return error;
  return unusable(storeFolder, `its file is damaged (${error.message})`);
}

function kindTrouble(path: string, kind: 'file' | 'folder'): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (kind === 'file' ? found.isFile() : found.isDirectory())) return undefined;
  return `${path} is no ${kind}`;
}

/** An index without its store: the store was lost. With no index, the folder is new. */
function missing(storeFolder: string): string | undefined {
  const data = dataFileOf(storeFolder);
  const size = statSync(data, { throwIfNoEntry: false })?.size ?? 0;
  const manifest = join(dirname(storeFolder), 'index', 'manifest.json');
  let indexed = false;
  try {
    indexed = existsSync(manifest);
  } catch {}
  if (size > 0 || !indexed) return undefined;
  return `${data} is ${existsSync(data) ? 'empty' : 'missing'}, though its pages were indexed (${manifest})`;
}

/** What is wrong with a file of LMDB, as far as it can be told at once; undefined for one that is new or sound. */
export function storeDamage(path: string, maxPages = maxPagesLookedAt): string | undefined {
  if (!existsSync(path)) return undefined;
  let file: LmdbFile;
  try {
    file = openLmdbFile(path);
  } catch (error) {
    // That it may not be read is no damage.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
    return `${path} cannot be read: ${(error as Error).message}`;
  }
  try {
    // Made, and killed before anything was in it: LMDB begins such a file again.
    if (file.bytes === 0) return undefined;
    let before: number | undefined;
    let why: string | undefined;
    for (let look = 0; look < maxLooks; look++) {
      const metas = readMetas(file);
      if (typeof metas === 'string') return `${path} is damaged or no store of Gleaner: ${metas}`;
      const meta = metaThatOpens(metas);
      if (why !== undefined && meta.transaction === before) return `${path} is damaged: ${why}`;
      before = meta.transaction;
      why = topDamage(file, meta, maxPages);
      if (why === undefined) return undefined;
    }
    // Another process writes all the time, so the pages are those of a living store.
    return undefined;
  } catch (error) {
    return `${path} cannot be read: ${(error as Error).message}`;
  } finally {
    file.close();
  }
}

/** Goes through the trees level by level, to the end where the file is shorter than it says. */
function topDamage(file: LmdbFile, meta: LmdbMeta, pagesLookedAt: number): string | undefined {
  // The last pages may be free and were never written. Whether they are takes a look at every tree.
  const isShort = file.bytes < (meta.lastPage + 1) * meta.pageSize;
  const maxPages = isShort ? Number.POSITIVE_INFINITY : pagesLookedAt;
  const seen = new Set<number>();
  const queue: { number: number; isMain: boolean }[] = [];
  const add = (number: number, isMain: boolean): string | undefined => {
    if (number === noPage) return undefined;
    if (seen.has(number)) return `page ${number} is in two places of a tree`;
    seen.add(number);
    queue.push({ number, isMain });
    return undefined;
  };
  add(meta.main.root, true);
  add(meta.free.root, false);
  for (let at = 0; at < queue.length && at < maxPages; at++) {
    const { number, isMain } = queue[at] as (typeof queue)[number];
    const page = readTreePage(file, meta, number);
    if (typeof page === 'string') return page;
    const next = page.isLeaf
      ? isMain
        ? databasesIn(page).map(([, { root }]) => root)
        : []
      : childrenOf(page);
    for (const child of next) {
      const why = add(child, isMain && !page.isLeaf);
      if (why !== undefined) return why;
    }
    const why = page.isLeaf ? longValueDamage(file, meta, page) : undefined;
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Values that have pages of their own have to end within the file. */
function longValueDamage(
  file: LmdbFile,
  { pageSize, lastPage }: LmdbMeta,
  page: LmdbPage,
): string | undefined {
  const { bytes, nodes, number } = page;
  for (const at of nodes) {
    if ((bytes.readUInt16LE(at + 4) & nodeFlags.overflow) === 0) continue;
    const first = numberAt(bytes, at + nodeHeaderBytes + bytes.readUInt16LE(at + 6));
    const end = first * pageSize + pageHeaderBytes + bytes.readUInt32LE(at);
    if (first < 2 || first > lastPage || end > file.bytes || end > (lastPage + 1) * pageSize) {
      return `page ${number} has a value outside of the file`;
    }
  }
  return undefined;
}
