import { closeSync, fstatSync, openSync, readSync, utimesSync, writeSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import {
  checkedMark,
  frameValue,
  isValueFile,
  readValueFrame,
  valueOffset,
} from '../../store/lmdb/value-file.ts';
import { currentBootId } from '../../store/verify/lmdb-file.ts';
import type { FilePieces } from '../segment/file-pieces.ts';
import type { SegmentMapping } from './segment-mapping.ts';
import { writeDurably } from './write-durably.ts';

/** The bytes of one segment, which span their whole buffer. */
export interface SegmentBytes {
  readonly buffer: ArrayBufferLike;
  /** Views on a map must not be written to. */
  readonly held: 'heap' | 'map';
  /** Whether the file has the frame that lets it be mapped. Files of earlier versions have none. */
  readonly isFramed: boolean;
  /**
   * Whether all bytes have to be checked: they were read, written before this machine was last started, or changed since
   * they were written or checked.
   */
  readonly needsCheck: boolean;
}

/** Where the segment is in its file. */
interface Placement {
  readonly offset: number;
  readonly length: number;
  readonly isFramed: boolean;
  /** The boot in which a framed file was written; 0 once it was checked in a later one. */
  readonly bootId: bigint;
  /** When a framed file was written or checked last, in seconds since 1970. */
  readonly writtenAt: bigint;
}

/** Writes a segment and returns once it is on disk; framed if it is to be mapped. */
export function writeSegmentFile(path: string, { pieces, length }: FilePieces, minMapped: number): void {
  if (length < minMapped) {
    writeDurably(path, pieces);
    return;
  }
  const writtenAt = changeTimeNow();
  const { before, after } = frameValue(length, { bootId: currentBootId(), writtenAt });
  writeDurably(path, [before, ...pieces, after]);
  setChangeTime(path, writtenAt);
}

/** What is read here of one file after the other, because every new array costs something beside a map: see `openParts`. */
let frameHead: Buffer | undefined;

/** Maps the segment in a file, or reads it where it is not to be mapped. Throws if the file is damaged or missing. */
export function openSegmentFile(path: string, mapping?: SegmentMapping): SegmentBytes {
  const file = openSync(path, 'r');
  try {
    const { size, mtimeMs } = fstatSync(file);
    frameHead ??= Buffer.alloc(valueOffset);
    const head = frameHead.subarray(0, fillFrom(file, frameHead, 0));
    const { offset, length, isFramed, bootId, writtenAt } = placementOf(head, size);
    const mapped = isFramed ? mapping?.map(path, length) : undefined;
    if (mapped === undefined)
      return { buffer: readRange(file, offset, length), held: 'heap', isFramed, needsCheck: true };
    const isOfOtherBoot = bootId !== 0n && bootId !== currentBootId();
    const needsCheck = isOfOtherBoot || mtimeMs !== Number(writtenAt) * 1000;
    return { buffer: mapped, held: 'map', isFramed, needsCheck };
  } finally {
    closeSync(file);
  }
}

/**
 * Reads the segment in a file, asynchronously; undefined if it is to be mapped, which is fast. Not by `readFile`, which
 * reads in small chunks, each in a turn of the event loop. Throws if the file is damaged or missing.
 */
export async function readSegmentFile(
  path: string,
  mapping?: SegmentMapping,
): Promise<SegmentBytes | undefined> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const head = Buffer.from(await readRangeOf(file, 0, Math.min(size, valueOffset)));
    const { offset, length, isFramed } = placementOf(head, size);
    if (isFramed && mapping?.isUsable()) return undefined;
    return { buffer: await readRangeOf(file, offset, length), held: 'heap', isFramed, needsCheck: true };
  } finally {
    await file.close();
  }
}

/** Notes in a framed file that all its bytes were checked since this machine was started, and now. */
export function markChecked(path: string): void {
  const writtenAt = changeTimeNow();
  const mark = checkedMark(writtenAt);
  try {
    const file = openSync(path, 'r+');
    try {
      writeSync(file, mark.bytes, 0, mark.bytes.length, mark.offset);
    } finally {
      closeSync(file);
    }
    setChangeTime(path, writtenAt);
  } catch {
    // The next process checks it again.
  }
}

/** Now, in seconds since 1970, as every file system can keep it: some have steps of two seconds. */
function changeTimeNow(): bigint {
  return BigInt(2 * Math.floor(Date.now() / 2000));
}

/** Sets when a file was changed last. Whoever writes to it later sets another time. Where that fails, it is checked again. */
function setChangeTime(path: string, seconds: bigint): void {
  try {
    utimesSync(path, Number(seconds), Number(seconds));
  } catch {
    // Some network file systems cannot.
  }
}

function placementOf(head: Buffer, size: number): Placement {
  if (!isValueFile(head)) return { offset: 0, length: size, isFramed: false, bootId: 0n, writtenAt: 0n };
  const frame = readValueFrame(head, size);
  if (typeof frame === 'string') throw new Error(frame);
  const { byteLength: length, bootId, writtenAt } = frame;
  return { offset: valueOffset, length, isFramed: true, bootId, writtenAt };
}

/** Bytes of a file, fewer at its end, spanning their buffer. */
function readRange(file: number, offset: number, length: number): ArrayBuffer {
  const bytes = new Uint8Array(length);
  const end = fillFrom(file, bytes, offset);
  return end === length ? bytes.buffer : bytes.buffer.slice(0, end);
}

/** Reads until the array is full or the file ends, and returns the number of bytes. */
function fillFrom(file: number, bytes: Uint8Array, offset: number): number {
  let end = 0;
  for (let count = -1; end < bytes.length && count !== 0; end += count)
    count = readSync(file, bytes, end, bytes.length - end, offset + end);
  return end;
}

async function readRangeOf(file: FileHandle, offset: number, length: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let end = 0;
  for (let count = -1; end < length && count !== 0; end += count)
    count = (await file.read(bytes, end, length - end, offset + end)).bytesRead;
  return end === length ? bytes.buffer : bytes.buffer.slice(0, end);
}
