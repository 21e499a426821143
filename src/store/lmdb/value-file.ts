import {
  lmdbDataVersion,
  lmdbMagic,
  nodeFlags,
  nodeHeaderBytes,
  pageFlags,
  pageHeaderBytes,
} from '../verify/lmdb-file.ts';

/** LMDB takes the page size of a file from the file, also on machines with larger pages. */
const pageBytes = 4096;
const leafPage = 2;
const valuePage = 3;

/** The key of the value. Nodes have an even length. */
export const valueKey = 'data';

/** Where the value begins, a multiple of 8: after two meta pages, the leaf with the key, and the header of its first page. */
export const valueOffset = valuePage * pageBytes + pageHeaderBytes;

/** In the first page, behind what LMDB reads of it: our own fields, the boot in which the file was written, and when. */
const bootOffset = 1024;
const writtenOffset = bootOffset + 8;
const nodeBytes = nodeHeaderBytes + valueKey.length + 24;
const nodeOffset = pageBytes - pageHeaderBytes - nodeBytes;
const nodeAt = leafPage * pageBytes + pageHeaderBytes + nodeOffset;
const noRoot = 0xffff_ffff_ffff_ffffn;

/** What stands around the value in a value file. */
export interface ValueFrame {
  readonly byteLength: number;
  /** The boot in which the file was written; 0 once all its bytes were checked in a later one. */
  readonly bootId: bigint;
  /** When its bytes were written or checked last, in seconds since 1970; 0 in files of earlier versions. */
  readonly writtenAt: bigint;
}

/** Whether a file begins as a value file does; `head` are its first bytes. */
export function isValueFile(head: Buffer): boolean {
  return head.length >= pageHeaderBytes + 4 && head.readUInt32LE(pageHeaderBytes) === lmdbMagic;
}

/**
 * The bytes around a value of less than 4 GiB that make it an LMDB file (data version 2) with one entry, which LMDB can
 * map. The file is written without LMDB, so that the value is never copied and no lock is taken.
 */
export function frameValue(
  byteLength: number,
  { bootId, writtenAt }: Pick<ValueFrame, 'bootId' | 'writtenAt'>,
): { readonly before: Buffer; readonly after: Buffer } {
  const end = valueOffset + byteLength;
  const pages = Math.ceil(end / pageBytes) - valuePage;
  const before = Buffer.alloc(valueOffset);
  // Both states are the same, so it does not matter which one LMDB opens.
  writeMeta(before, 0, 2, pages);
  writeMeta(before, 1, 1, pages);
  before.writeBigInt64LE(BigInt.asIntN(64, bootId), bootOffset);
  before.writeBigInt64LE(BigInt.asIntN(64, writtenAt), writtenOffset);
  writePageHeader(before, leafPage, 1, pageFlags.leaf);
  const leaf = leafPage * pageBytes;
  // One entry: the end of the offsets, the start of the nodes, the offset of the node.
  before.writeUInt16LE(2, leaf + 20);
  before.writeUInt16LE(nodeOffset, leaf + 22);
  before.writeUInt16LE(nodeOffset, leaf + pageHeaderBytes);
  before.writeUInt32LE(byteLength, nodeAt);
  before.writeUInt16LE(nodeFlags.overflow, nodeAt + 4);
  before.writeUInt16LE(valueKey.length, nodeAt + 6);
  before.write(valueKey, nodeAt + nodeHeaderBytes, 'latin1');
  const overflow = nodeAt + nodeHeaderBytes + valueKey.length;
  writeNumber(before, valuePage, overflow);
  writeNumber(before, 1, overflow + 8);
  writeNumber(before, pages, overflow + 16);
  writePageHeader(before, valuePage, 1, pageFlags.overflow);
  before.writeUInt32LE(pages, valuePage * pageBytes + 20);
  return { before, after: Buffer.alloc((valuePage + pages) * pageBytes - end) };
}

/**
 * The frame of a value file, or what is wrong with it. LMDB trusts what it reads, so every byte before the value must be
 * as `frameValue` writes it, and the file must be as long: reading behind its end would end the process with SIGBUS.
 */
export function readValueFrame(head: Buffer, fileBytes: number): ValueFrame | string {
  if (head.length < valueOffset) return 'shorter than its frame';
  const byteLength = head.readUInt32LE(nodeAt);
  const bootId = head.readBigInt64LE(bootOffset);
  const writtenAt = head.readBigInt64LE(writtenOffset);
  const { before, after } = frameValue(byteLength, { bootId, writtenAt });
  if (!before.equals(head.subarray(0, valueOffset))) return 'its frame is damaged';
  const expected = valueOffset + byteLength + after.length;
  if (fileBytes !== expected) return `${fileBytes} bytes long, not ${expected}`;
  return { byteLength, bootId, writtenAt };
}

/** The offset and the bytes of our fields in a file whose bytes were checked at a time. */
export function checkedMark(writtenAt: bigint): { readonly offset: number; readonly bytes: Buffer } {
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64LE(BigInt.asIntN(64, writtenAt), 8);
  return { offset: bootOffset, bytes };
}

function writeMeta(bytes: Buffer, page: number, transaction: number, valuePages: number): void {
  writePageHeader(bytes, page, transaction, pageFlags.meta);
  const at = page * pageBytes + pageHeaderBytes;
  bytes.writeUInt32LE(lmdbMagic, at);
  bytes.writeUInt32LE(lmdbDataVersion, at + 4);
  writeNumber(bytes, (valuePage + valuePages) * pageBytes, at + 16);
  // The tree of free pages, empty; its numbers are as wide as a page number (MDB_INTEGERKEY).
  bytes.writeUInt32LE(pageBytes, at + 24);
  bytes.writeUInt16LE(8, at + 28);
  bytes.writeBigUInt64LE(noRoot, at + 64);
  // The main tree: a depth of 1, one leaf, the pages of the value, one entry.
  bytes.writeUInt16LE(1, at + 78);
  writeNumber(bytes, 1, at + 88);
  writeNumber(bytes, valuePages, at + 96);
  writeNumber(bytes, 1, at + 104);
  writeNumber(bytes, leafPage, at + 112);
  writeNumber(bytes, valuePage + valuePages - 1, at + 120);
  writeNumber(bytes, transaction, at + 128);
}

function writePageHeader(bytes: Buffer, page: number, transaction: number, flags: number): void {
  writeNumber(bytes, page, page * pageBytes);
  writeNumber(bytes, transaction, page * pageBytes + 8);
  bytes.writeUInt16LE(flags, page * pageBytes + 18);
}

function writeNumber(bytes: Buffer, number: number, offset: number): void {
  bytes.writeBigUInt64LE(BigInt(number), offset);
}
