import { inflateRawSync } from 'node:zlib';
import { RefusedDocument } from './refused.ts';

/** Bytes that the parts of one document may still unpack to; shared, so that many small bombs count together. */
export interface UnpackBudget {
  remainingBytes: number;
}

export interface ZipArchive {
  /** In the order of the central directory, as written. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Undefined for a missing part. Throws `RefusedDocument`: encrypted, damaged file, unpacks to too much. */
  read(name: string): Uint8Array | undefined;
}

interface Entry {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly packedBytes: number;
  readonly localHeaderOffset: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const maxCommentBytes = 0xffff;
const maxEntries = 20_000;

/**
 * Opens a ZIP archive by its central directory (APPNOTE 6.3, without ZIP64 and spanning), with stored and deflated parts. A
 * part is unpacked when it is read, within the budget. Names are case-insensitive, as in OPC. Throws `RefusedDocument` for an
 * archive without a directory, such as a truncated file.
 */
export function openZip(bytes: Uint8Array, budget: UnpackBudget): ZipArchive {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = readDirectory(buffer);
  const byName = new Map(entries.map((entry) => [keyOf(entry.name), entry]));
  return {
    names: entries.map(({ name }) => name),
    has: (name) => byName.has(keyOf(name)),
    read(name) {
      const entry = byName.get(keyOf(name));
      return entry === undefined ? undefined : unpack(buffer, entry, budget);
    },
  };
}

function keyOf(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

function readDirectory(buffer: Buffer): Entry[] {
  const end = findEnd(buffer);
  const entries: Entry[] = [];
  let offset = buffer.readUInt32LE(end + 16);
  while (
    offset + 46 <= end &&
    entries.length < maxEntries &&
    buffer.readUInt32LE(offset) === entrySignature
  ) {
    const nameLength = buffer.readUInt16LE(offset + 28);
    entries.push({
      name: buffer.toString('utf8', offset + 46, offset + 46 + nameLength),
      isEncrypted: (buffer.readUInt16LE(offset + 8) & 1) === 1,
      method: buffer.readUInt16LE(offset + 10),
      packedBytes: buffer.readUInt32LE(offset + 20),
      localHeaderOffset: buffer.readUInt32LE(offset + 42),
    });
    offset += 46 + nameLength + buffer.readUInt16LE(offset + 30) + buffer.readUInt16LE(offset + 32);
  }
  if (entries.length === 0) throw new RefusedDocument('damaged file');
  return entries;
}

function findEnd(buffer: Buffer): number {
  const first = Math.max(0, buffer.length - 22 - maxCommentBytes);
  for (let offset = buffer.length - 22; offset >= first; offset--)
    if (buffer.readUInt32LE(offset) === endSignature) return offset;
  throw new RefusedDocument('damaged file');
}

function unpack(buffer: Buffer, entry: Entry, budget: UnpackBudget): Uint8Array {
  if (entry.isEncrypted) throw new RefusedDocument('encrypted');
  const { localHeaderOffset: start, packedBytes, method } = entry;
  if (start + 30 > buffer.length || buffer.readUInt32LE(start) !== localSignature)
    throw new RefusedDocument('damaged file');
  const from = start + 30 + buffer.readUInt16LE(start + 26) + buffer.readUInt16LE(start + 28);
  const packed = buffer.subarray(from, from + packedBytes);
  if (packed.length < packedBytes) throw new RefusedDocument('damaged file');
  const unpacked = method === 0 ? packed : method === 8 ? inflate(packed, budget.remainingBytes) : undefined;
  if (unpacked === undefined) throw new RefusedDocument('unsupported type');
  if (unpacked.length > budget.remainingBytes) throw new RefusedDocument('unpacks to too much');
  budget.remainingBytes -= unpacked.length;
  return unpacked;
}

function inflate(packed: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new RefusedDocument(code === 'ERR_BUFFER_TOO_LARGE' ? 'unpacks to too much' : 'damaged file');
  }
}
