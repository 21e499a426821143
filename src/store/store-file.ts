import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../contract/errors.ts';
import { hasDeadReader } from './lmdb/lock-file.ts';
import { commitFailure, isPanic } from './store-failure.ts';
import {
  childrenOf,
  type LmdbFile,
  type LmdbMeta,
  type LmdbPage,
  type LmdbTree,
  metaThatOpens,
  nodeFlags,
  nodeHeaderBytes,
  noRootPage,
  numberAt,
  openLmdbFile,
  pageHeaderBytes,
  readMetas,
  readTreePage,
} from './verify/lmdb-file.ts';
import { databasesIn } from './verify/lmdb-tree.ts';

/**
 * Maximum branch pages that are checked before the file is opened, from the top of each tree; they lead to a hundred times
 * as many leaves. Just after a start, each page takes some 0.1 ms.
 */
const maxBranches = 128;
/** Maximum leaves that are checked. */
const maxLeavesLookedAt = 8;
/** The same if the last process with an open store has died, perhaps because of the file: 64 MB of trees, without texts. */
const maxBranchesAfterDeath = 1024;
const maxLeavesAfterDeath = 16_384;

/** How many pages a check reads. */
interface CheckedPages {
  readonly branches: number;
  readonly leaves: number;
}

const checkedAtStart: CheckedPages = { branches: maxBranches, leaves: maxLeavesLookedAt };
const checkedAfterDeath: CheckedPages = { branches: maxBranchesAfterDeath, leaves: maxLeavesAfterDeath };
/** Maximum looks at the file. Damage counts if two in a row see some, and nothing was written between them. */
const maxLooks = 5;

/** The LMDB file with the pages, in the folder of the store. */
export function dataFileOf(storeFolder: string): string {
  return join(storeFolder, 'data.mdb');
}

/**
 * Throws a `ServiceError` (`unavailable`) with the reason if LMDB could not open the store or would crash: there is no
 * file, it is not an LMDB file, it is cut, or its trees lead to invalid pages. Checks the top of all trees, and far more
 * if a process has died without closing the store; `gleaner verify` checks everything. Throws the system's error if
 * something may not be read.
 */
export function checkStoreFile(storeFolder: string): void {
  const data = dataFileOf(storeFolder);
  const lock = join(storeFolder, 'lock.mdb');
  const why =
    kindTrouble(storeFolder, 'folder') ??
    kindTrouble(lock, 'file') ??
    kindTrouble(data, 'file') ??
    missing(storeFolder) ??
    storeDamage(data, hasDeadReader(storeFolder) ? checkedAfterDeath : checkedAtStart);
  if (why !== undefined) throw unusable(storeFolder, why);
}

/** The refusal of a damaged store, which says what to do. */
function unusable(storeFolder: string, why: string): ServiceError {
  const folder = dirname(storeFolder);
  return new ServiceError(
    'unavailable',
    `the store ${storeFolder} cannot be used: ${why}; "gleaner verify --repair --data ${folder}" keeps what is whole of it, ` +
      'or put a backup of the data folder back, or use another --data',
  );
}

/** The errors of LMDB that say its file is damaged (lmdb.h). */
const damageCodes: readonly unknown[] = [-30797, -30796, -30794, -30793, -30782, -30779];

/** An error of LMDB as a `ServiceError` if it means that the file is damaged; else the error itself. */
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

/** An index without a store means that the store was lost. Without an index, the folder is new. */
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

/** What is wrong with an LMDB file, by a quick check; undefined if it is new or sound. */
export function storeDamage(path: string, checked = checkedAtStart): string | undefined {
  if (!existsSync(path)) return undefined;
  let file: LmdbFile;
  try {
    file = openLmdbFile(path);
  } catch (error) {
    // A file without read permission is not damaged.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
    return `${path} cannot be read: ${(error as Error).message}`;
  }
  try {
    // A process was killed just after it created the file. LMDB initializes such a file again.
    if (file.size() === 0) return undefined;
    let before: number | undefined;
    let why: string | undefined;
    for (let look = 0; look < maxLooks; look++) {
      const metas = readMetas(file);
      if (typeof metas === 'string') return `${path} is damaged or no store of Gleaner: ${metas}`;
      const meta = metaThatOpens(metas);
      if (why !== undefined && meta.transaction === before) return `${path} is damaged: ${why}`;
      before = meta.transaction;
      why = topDamage(file, meta, checked);
      if (why === undefined) return undefined;
    }
    // Another process writes all the time, so these are the pages of a store in use.
    return undefined;
  } catch (error) {
    return `${path} cannot be read: ${(error as Error).message}`;
  } finally {
    file.close();
  }
}

interface Visit {
  readonly number: number;
  readonly depth: number;
  readonly tree: LmdbTree;
  readonly isMain: boolean;
}

/** Goes through the trees level by level: through branches first, then through leaves. */
function topDamage(
  file: LmdbFile,
  meta: LmdbMeta,
  { branches, leaves: maxLeaves }: CheckedPages,
): string | undefined {
  // Opened after the state was read, so everything that it leads to is already written.
  const fileBytes = file.size();
  const seen = new Set<number>();
  const queue: Visit[] = [];
  const leaves: Visit[] = [];
  const names = new Set<string>();
  const numberTrouble = (number: number): string | undefined => {
    if (seen.has(number)) return `page ${number} is in two places of a tree`;
    // The last pages may be free and never written, so the file's length alone does not show that it was cut.
    if ((number + 1) * meta.pageSize > fileBytes) return `page ${number} is behind the end of the file`;
    seen.add(number);
    return undefined;
  };
  /** The pages at one depth of a tree. */
  const add = (numbers: readonly number[], depth: number, tree: LmdbTree, isMain = false) => {
    const isToBeLookedAt = isMain || depth < tree.depth;
    for (const number of numbers) {
      if (number === noRootPage) continue;
      const why = numberTrouble(number);
      if (why !== undefined) return why;
      if (isToBeLookedAt) queue.push({ number, depth, tree, isMain });
      // Thousands of leaves are below the branches.
      else if (leaves.length < maxLeaves) leaves.push({ number, depth, tree, isMain });
    }
    return undefined;
  };
  const look = ({ number, depth, tree, isMain }: Visit): string | undefined => {
    const page = readTreePage(file, meta, number);
    if (typeof page === 'string') return page;
    if (page.isLeaf !== (depth === tree.depth)) return `page ${number} is at depth ${depth} of ${tree.depth}`;
    if (!page.isLeaf) return add(childrenOf(page), depth + 1, tree, isMain);
    for (const [name, database] of isMain ? databasesIn(page) : []) {
      names.add(name);
      const why = add([database.root], 1, database);
      if (why !== undefined) return why;
    }
    return longValueDamage(fileBytes, meta, page);
  };
  for (const [tree, isMain] of [[meta.main, true] as const, [meta.free, false] as const]) {
    const why = add([tree.root], 1, tree, isMain);
    if (why !== undefined) return why;
  }
  for (let at = 0; at < queue.length && at < branches; at++) {
    const why = look(queue[at] as Visit);
    if (why !== undefined) return why;
  }
  // A new database instead would hide the loss.
  if (names.has('texts') && !names.has('heads')) return 'its list of databases has no pages';
  for (const leaf of leaves) {
    const why = look(leaf);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Values on overflow pages must end within the file. */
function longValueDamage(
  fileBytes: number,
  { pageSize, lastPage }: LmdbMeta,
  page: LmdbPage,
): string | undefined {
  const { bytes, nodes, number } = page;
  for (const at of nodes) {
    if ((bytes.readUInt16LE(at + 4) & nodeFlags.overflow) === 0) continue;
    const first = numberAt(bytes, at + nodeHeaderBytes + bytes.readUInt16LE(at + 6));
    const end = first * pageSize + pageHeaderBytes + bytes.readUInt32LE(at);
    if (first < 2 || first > lastPage || end > fileBytes || end > (lastPage + 1) * pageSize) {
      return `page ${number} has a value outside of the file`;
    }
  }
  return undefined;
}
