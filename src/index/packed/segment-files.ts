import { readFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addPage, createPageSet, hasPage, type PageSet, pagesIn } from '../segment/page-set.ts';
import { openSegment, pageNumber, type Segment } from '../segment/reader.ts';
import type { Manifest, SegmentIdentity } from './manifest.ts';

/** A segment of the packed tier with its dead pages. */
export interface PackedPart {
  readonly file: string;
  readonly segment: Segment;
  readonly identity: SegmentIdentity;
  readonly dead: PageSet;
  deadCount: number;
}

export type OpenedParts =
  | { readonly kind: 'parts'; readonly parts: readonly PackedPart[] }
  | { readonly kind: 'damaged'; readonly file: string; readonly why: string };

type OpenedPart =
  | { readonly kind: 'part'; readonly part: PackedPart }
  | { readonly kind: 'damaged'; readonly why: string };

/** The bytes of segment files by name, each spanning its whole buffer. */
export type SegmentFiles = ReadonlyMap<string, ArrayBufferLike>;

/** What `openParts` need not read again: open segments, and bytes of files. */
export interface SegmentSources {
  readonly open?: readonly PackedPart[];
  readonly files?: SegmentFiles;
}

/** Opens the segments that a manifest lists. */
export function openParts(
  folder: string,
  manifest: Manifest,
  { open = [], files }: SegmentSources = {},
): OpenedParts {
  const parts: PackedPart[] = [];
  for (const { file, dead, identity } of manifest.segments) {
    const reused = open.find((candidate) => candidate.file === file);
    const result = reused ? { kind: 'part' as const, part: reused } : readPart(folder, file, files);
    if (result.kind === 'damaged') return { ...result, file };
    const part = livingPart(file, result.part);
    if (identity && !isSame(identity, part.identity)) {
      return { kind: 'damaged', file, why: 'it is another file than the manifest lists' };
    }
    if ((dead.at(-1) ?? -1) >= part.segment.pageCount) {
      return { kind: 'damaged', file, why: 'the manifest lists dead pages that it does not hold' };
    }
    for (const page of dead) markDead(part, page);
    parts.push(part);
  }
  return { kind: 'parts', parts };
}

/** Opens a segment from its bytes, without dead pages. */
export function openPart(file: string, bytes: ArrayBufferLike): OpenedPart {
  const result = openSegment(bytes);
  if (result.kind === 'damaged') return result;
  const crc = new DataView(bytes).getUint32(20, true);
  const identity = { pages: result.segment.pageCount, bytes: bytes.byteLength, crc };
  return { kind: 'part', part: livingPart(file, { segment: result.segment, identity }) };
}

function livingPart(
  file: string,
  { segment, identity }: Pick<PackedPart, 'segment' | 'identity'>,
): PackedPart {
  return { file, segment, identity, dead: createPageSet(segment.pageCount), deadCount: 0 };
}

function isSame(one: SegmentIdentity, other: SegmentIdentity): boolean {
  return one.pages === other.pages && one.bytes === other.bytes && one.crc === other.crc;
}

function readPart(folder: string, file: string, files?: SegmentFiles): OpenedPart {
  try {
    return openPart(file, files?.get(file) ?? readWhole(join(folder, file)));
  } catch (error) {
    return { kind: 'damaged', why: error instanceof Error ? error.message : String(error) };
  }
}

function readWhole(path: string): ArrayBufferLike {
  const bytes = readFileSync(path);
  // The buffer of a small file may be shared with others. A large file should not be copied.
  const isWhole = bytes.byteLength === bytes.buffer.byteLength;
  return isWhole ? bytes.buffer : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

/**
 * Reads the segment files of a manifest that are not open yet, asynchronously. Files that cannot be read are left out;
 * `openParts` reports why.
 */
export async function readSegmentFiles(
  folder: string,
  manifest: Manifest,
  open: readonly PackedPart[] = [],
): Promise<SegmentFiles> {
  const missing = manifest.segments.filter(({ file }) => !open.some((part) => part.file === file));
  const entries = await Promise.all(
    missing.map(async ({ file }) => {
      const bytes = await readAtOnce(join(folder, file)).catch(() => undefined);
      return bytes ? [[file, bytes] as const] : [];
    }),
  );
  return new Map(entries.flat());
}

/**
 * The bytes of a file, spanning their whole buffer. Not `readFile`, which reads in small chunks, each in a turn of the
 * event loop.
 */
export async function readAtOnce(path: string): Promise<ArrayBuffer> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(size);
    let end = 0;
    for (let byteCount = -1; end < size && byteCount !== 0; end += byteCount) {
      byteCount = (await file.read(bytes, end, size - end, end)).bytesRead;
    }
    return end === size ? bytes.buffer : bytes.buffer.slice(0, end);
  } finally {
    await file.close();
  }
}

/** Marks the page with this id as dead: it was replaced or removed after its segment was packed. */
export function markIdDead(parts: readonly PackedPart[], id: string): void {
  for (const part of parts) {
    const page = pageNumber(part.segment, id);
    if (page >= 0) markDead(part, page);
  }
}

/** Whether a part has the page with this id, and it is not dead. */
export function isLivePage({ segment, dead }: PackedPart, id: string): boolean {
  const page = pageNumber(segment, id);
  return page >= 0 && !hasPage(dead, page);
}

function markDead(part: PackedPart, page: number): void {
  if (addPage(part.dead, page)) part.deadCount++;
}

/** The numbers of the dead pages, ascending. */
export function deadPages({ dead, segment }: PackedPart): number[] {
  return pagesIn(dead, segment.pageCount);
}
