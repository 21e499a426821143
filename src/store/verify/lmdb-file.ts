import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';

/** The layout of LMDB's data version 2 on 64-bit machines, as `dependencies/lmdb/libraries/liblmdb/mdb.c` of `lmdb` writes it. */
export const pageHeaderBytes = 24;
export const nodeHeaderBytes = 8;
export const pageFlags = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const;
export const nodeFlags = { overflow: 1, database: 2, duplicates: 4 } as const;
/** The root page number of an empty tree. */
export const noRootPage = Number(0xffff_ffff_ffff_ffffn);
/** Flags for the kind of a page. The other flags are for pages in memory. */
const kindMask = 0x2f;
export const lmdbMagic = 0xbeef_c0de;
export const lmdbDataVersion = 2;
const unsyncedFlag = 0x1000;
const pageSizes: readonly number[] = [4096, 8192, 16_384, 32_768, 65_536];

/** One B-tree: LMDB's `MDB_db`. */
export interface LmdbTree {
  readonly flags: number;
  readonly depth: number;
  readonly entries: number;
  /** The number of its root page; `noRootPage` for an empty tree. */
  readonly root: number;
}

/** A state of the file: LMDB's `MDB_meta`. */
export interface LmdbMeta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: number;
  /** Committed, but perhaps not on disk when the machine stopped. */
  readonly isUnsynced: boolean;
  readonly bootId: bigint;
  readonly free: LmdbTree;
  readonly main: LmdbTree;
}

/** A file of LMDB, read without LMDB: malformed bytes are rejected and cannot crash the process. */
export interface LmdbFile {
  readonly path: string;
  /** Its current length. A writer may extend it. */
  size(): number;
  /** `length` bytes from `offset` on; fewer at the end of the file. */
  read(offset: number, length: number): Buffer;
  close(): void;
}

export function openLmdbFile(path: string): LmdbFile {
  // Opening a fifo would wait for its writer.
  if (!statSync(path).isFile()) throw new Error(`${path} is no file`);
  const file = openSync(path, 'r');
  return {
    path,
    size: () => fstatSync(file).size,
    read: (offset, length) => {
      const buffer = Buffer.allocUnsafe(length);
      let end = 0;
      for (let read = -1; end < length && read !== 0; end += read) {
        read = readSync(file, buffer, end, length - end, offset + end);
      }
      return buffer.subarray(0, end);
    },
    close: () => closeSync(file),
  };
}

export interface LmdbMetas {
  /** The two meta pages, and the state that was last known to be on disk (half a page into the file). */
  readonly first: LmdbMeta;
  readonly second: LmdbMeta;
  readonly synced: LmdbMeta | undefined;
}

/** The meta pages; a string with the reason if LMDB did not write the file. */
export function readMetas(file: LmdbFile): LmdbMetas | string {
  const start = file.read(0, 200);
  if (start.length < 200) return `it has ${file.size()} bytes, fewer than its two first pages`;
  if (start.readUInt32LE(pageHeaderBytes) !== lmdbMagic) return 'it does not begin as a store does';
  const version = start.readUInt32LE(pageHeaderBytes + 4) & 0xffff;
  if (version !== lmdbDataVersion) return `its data version is ${version}, not ${lmdbDataVersion}`;
  if ((start.readUInt16LE(18) & pageFlags.meta) === 0) return 'its first page is not marked as such';
  const first = metaAt(start);
  if (typeof first === 'string') return `page 0: ${first}`;
  const next = file.read(first.pageSize, 200);
  if (next.length < 200) return `it has ${file.size()} bytes, fewer than its two first pages`;
  if (next.readUInt32LE(pageHeaderBytes) !== lmdbMagic) return 'its second page does not begin as it must';
  const second = metaAt(next);
  if (typeof second === 'string') return `page 1: ${second}`;
  if (second.pageSize !== first.pageSize) return 'its two first pages name different page sizes';
  const half = metaAt(file.read(first.pageSize / 2, 200));
  const synced = typeof half === 'string' || half.transaction === 0 ? undefined : half;
  return { first, second, synced };
}

function metaAt(bytes: Buffer): LmdbMeta | string {
  if (bytes.length < pageHeaderBytes + 144) return 'it is cut';
  const at = pageHeaderBytes;
  const pageSize = bytes.readUInt32LE(at + 24);
  if (!pageSizes.includes(pageSize)) return `a page size of ${pageSize} bytes`;
  const [free, main] = [treeAt(bytes, at + 24), treeAt(bytes, at + 72)];
  const lastPage = numberAt(bytes, at + 120);
  if (lastPage < 1 || lastPage > Number.MAX_SAFE_INTEGER / pageSize) return `a last page ${lastPage}`;
  for (const { root } of [free, main]) {
    if (root !== noRootPage && (root < 2 || root > lastPage)) return `a root page ${root} of ${lastPage}`;
  }
  return {
    pageSize,
    lastPage,
    free,
    main,
    transaction: numberAt(bytes, at + 128),
    isUnsynced: (free.flags & unsyncedFlag) !== 0,
    bootId: bytes.readBigInt64LE(at + 136),
  };
}

/** Reads an `MDB_db`, which is 48 bytes long. */
export function treeAt(bytes: Buffer, at: number): LmdbTree {
  return {
    flags: bytes.readUInt16LE(at + 4),
    depth: bytes.readUInt16LE(at + 6),
    entries: numberAt(bytes, at + 32),
    root: numberAt(bytes, at + 40),
  };
}

export function numberAt(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}

/**
 * Which state LMDB opens: the newest one when it is on disk or this machine has run since; else the older of two, in
 * turn against what was last synced (`mdb_pick_meta`). With `isShared`, as when another process has it open, always
 * the newest.
 */
export function metaThatOpens({ first, second, synced }: LmdbMetas, isShared = false): LmdbMeta {
  const pick = (a: LmdbMeta, b: LmdbMeta): LmdbMeta => {
    const newest = a.transaction >= b.transaction ? a : b;
    if (isShared || b.transaction === 0) return b.transaction === 0 ? a : newest;
    if (!newest.isUnsynced || (newest.bootId !== 0n && newest.bootId === currentBootId())) return newest;
    return a.transaction > b.transaction ? b : a;
  };
  const latest = pick(first, second);
  return synced && !isShared ? pick(latest, synced) : latest;
}

let bootId: bigint | undefined;

/** Identifies the time since this machine was started; 0 where the system does not tell (all but Linux). */
export function currentBootId(): bigint {
  if (bootId === undefined) {
    try {
      const text = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1');
      bootId = BigInt(`0x${/^[0-9a-f]+/.exec(text)?.[0] ?? '0'}`);
    } catch {
      bootId = 0n;
    }
  }
  return bootId;
}

/** A page of a B-tree, or what is wrong with it. */
export interface LmdbPage {
  readonly number: number;
  readonly transaction: number;
  readonly isLeaf: boolean;
  readonly bytes: Buffer;
  /** The offsets of its entries in `bytes`. */
  readonly nodes: readonly number[];
}

/** Reads a page of a tree, and checks everything in it that LMDB trusts without a check. */
export function readTreePage(file: LmdbFile, meta: Pick<LmdbMeta, 'pageSize' | 'lastPage'>, number: number) {
  const { pageSize, lastPage } = meta;
  if (number < 2 || number > lastPage) return `page ${number} of ${lastPage}`;
  const bytes = file.read(number * pageSize, pageSize);
  if (bytes.length < pageSize) return `page ${number} is behind the end of the file`;
  return treePage(bytes, number, lastPage);
}

/** The page in these bytes; a string with the reason if it is not a valid branch or leaf page of this number. */
export function treePage(bytes: Buffer, number: number, lastPage: number): LmdbPage | string {
  const wrong = (why: string): string => `page ${number} ${why}`;
  if (numberAt(bytes, 0) !== number) return wrong('has the number of another page');
  const kind = bytes.readUInt16LE(18) & kindMask;
  if (kind !== pageFlags.branch && kind !== pageFlags.leaf) return wrong('is no page of a tree');
  const isLeaf = kind === pageFlags.leaf;
  const units = unitsOf(bytes);
  const room = bytes.length - pageHeaderBytes;
  const [lower = 0, upper = 0] = [units[10], units[11]];
  const nodeCount = lower >> 1;
  if (lower > upper || upper > room || lower % 2 !== 0 || nodeCount === 0) return wrong('has wrong bounds');
  const nodes: number[] = [];
  for (let index = 0; index < nodeCount; index++) {
    const offset = units[pageHeaderBytes / 2 + index] as number;
    if (offset < upper || offset % 2 !== 0 || offset + nodeHeaderBytes > room)
      return wrong('has an entry outside');
    const why = nodeTrouble(units, offset, room, isLeaf, lastPage);
    if (why !== undefined) return wrong(why);
    nodes.push(offset + pageHeaderBytes);
  }
  return { number, transaction: numberAt(bytes, 8), isLeaf, bytes, nodes };
}

/** LMDB writes the machine's own order, and one view is much faster than a call for every number. */
function unitsOf(bytes: Buffer): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
}

/** What is wrong with the node at an offset after the header. */
function nodeTrouble(
  units: Uint16Array,
  offset: number,
  room: number,
  isLeaf: boolean,
  lastPage: number,
): string | undefined {
  const unit = (offset + pageHeaderBytes) >> 1;
  const size = (units[unit] as number) + (units[unit + 1] as number) * 0x1_0000;
  const flags = units[unit + 2] as number;
  // LMDB ignores the other bits, so an entry with one of them flipped can still be read.
  const kind = flags & (nodeFlags.overflow | nodeFlags.database | nodeFlags.duplicates);
  const keyBytes = units[unit + 3] as number;
  let dataBytes = 0;
  if (!isLeaf) {
    const child = size + flags * 0x1_0000_0000;
    if (child < 2 || child > lastPage) return `leads to page ${child} of ${lastPage}`;
  } else if (kind === nodeFlags.overflow) dataBytes = 24;
  else if (kind === nodeFlags.database) dataBytes = 48;
  else if (kind === 0) dataBytes = size;
  else return 'has an entry of an unknown kind';
  const isInside = offset + nodeHeaderBytes + keyBytes + dataBytes <= room;
  return isInside && (!isLeaf || keyBytes > 0) ? undefined : 'has an entry outside';
}

/**
 * The usable part of a damaged page that `treePage` rejects: the entries within it, which may be wrong too. The flags may
 * be damaged, so the caller passes `isLeaf`.
 */
export function restOfPage(bytes: Buffer, number: number, lastPage: number, isLeaf: boolean): LmdbPage {
  const units = unitsOf(bytes);
  const room = bytes.length - pageHeaderBytes;
  const nodes: number[] = [];
  // The offsets end before the first node. The bound in the header may be damaged.
  let end = room;
  for (let index = 0; index * 2 < end; index++) {
    const offset = units[pageHeaderBytes / 2 + index] as number;
    if (offset % 2 !== 0 || offset < index * 2 || offset + nodeHeaderBytes > room) continue;
    if (nodeTrouble(units, offset, room, isLeaf, lastPage) !== undefined) continue;
    nodes.push(offset + pageHeaderBytes);
    end = Math.min(end, Math.max(offset, (units[10] as number) & ~1));
  }
  return { number, transaction: numberAt(bytes, 8), isLeaf, bytes, nodes };
}

/** The children of a branch page, in the order of their keys. */
export function childrenOf({ bytes, nodes }: LmdbPage): number[] {
  const units = unitsOf(bytes);
  return nodes.map((at) => {
    const unit = at >> 1;
    const low = (units[unit] as number) + (units[unit + 1] as number) * 0x1_0000;
    return low + (units[unit + 2] as number) * 0x1_0000_0000;
  });
}

/** The key of the node at an offset. */
export function keyAt(bytes: Buffer, at: number): Buffer {
  return bytes.subarray(at + nodeHeaderBytes, at + nodeHeaderBytes + bytes.readUInt16LE(at + 6));
}
