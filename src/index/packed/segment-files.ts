import { basename, join } from 'node:path';
import { addPage, createPageSet, hasPage, type PageSet, pagesIn } from '../segment/page-set.ts';
import { openSegment, pageNumber, type Segment } from '../segment/reader.ts';
import type { Manifest, SegmentIdentity } from './manifest.ts';
import { markChecked, openSegmentFile, readSegmentFile, type SegmentBytes } from './segment-bytes.ts';
import type { SegmentMapping } from './segment-mapping.ts';

/** A segment of the packed tier with its dead pages. */
export interface PackedPart {
  readonly file: string;
  readonly segment: Segment;
  readonly bytes: SegmentBytes;
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

/** The bytes of segment files by name. */
export type SegmentFiles = ReadonlyMap<string, SegmentBytes>;

/** Where `openParts` gets segments from. */
export interface SegmentSources {
  /** Segments that are open already. */
  readonly open?: readonly PackedPart[];
  /** Bytes of files that were read before. */
  readonly files?: SegmentFiles;
  /** How files are mapped; without it, all are read. */
  readonly mapping?: SegmentMapping;
}

/**
 * Opens the segments that a manifest lists. All files are mapped first: V8 counts a map as memory of the process, and
 * collects garbage at the next array that is made, twice for each map.
 */
export function openParts(
  folder: string,
  manifest: Pick<Manifest, 'segments'>,
  { open = [], files, mapping }: SegmentSources = {},
): OpenedParts {
  const sources = manifest.segments.map(
    ({ file }) =>
      open.find((candidate) => candidate.file === file) ??
      bytesOf(join(folder, file), files?.get(file), mapping),
  );
  const parts: PackedPart[] = [];
  for (const [index, { file, dead, identity }] of manifest.segments.entries()) {
    const result = openSource(join(folder, file), sources[index] as SegmentSource);
    if (result.kind === 'damaged') return { ...result, file };
    const part = livingPart(file, result.part);
    if (identity && !isSameSegment(identity, part.identity)) {
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
export function openPart(file: string, bytes: SegmentBytes): OpenedPart {
  const { buffer, needsCheck } = bytes;
  const result = openSegment(buffer, needsCheck);
  if (result.kind === 'damaged') return result;
  const crc = new DataView(buffer).getUint32(20, true);
  const identity = { pages: result.segment.pageCount, bytes: buffer.byteLength, crc };
  return { kind: 'part', part: livingPart(file, { segment: result.segment, bytes, identity }) };
}

function livingPart(
  file: string,
  { segment, bytes, identity }: Pick<PackedPart, 'segment' | 'bytes' | 'identity'>,
): PackedPart {
  return { file, segment, bytes, identity, dead: createPageSet(segment.pageCount), deadCount: 0 };
}

function isSameSegment(one: SegmentIdentity, other: SegmentIdentity): boolean {
  return one.pages === other.pages && one.bytes === other.bytes && one.crc === other.crc;
}

/** A segment that is open already, or the bytes of one, or why there are none. */
type SegmentSource = PackedPart | SegmentBytes | { readonly why: string };

function bytesOf(path: string, bytesRead?: SegmentBytes, mapping?: SegmentMapping): SegmentSource {
  try {
    return bytesRead ?? openSegmentFile(path, mapping);
  } catch (error) {
    return { why: reasonOf(error) };
  }
}

function openSource(path: string, source: SegmentSource): OpenedPart {
  if ('why' in source) return { kind: 'damaged', why: source.why };
  if ('segment' in source) return { kind: 'part', part: source };
  try {
    const opened = openPart(basename(path), source);
    if (opened.kind === 'part' && source.held === 'map' && source.needsCheck) markChecked(path);
    return opened;
  } catch (error) {
    return { kind: 'damaged', why: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether all bytes of a segment are as they were written. Those that were read are; those that are mapped are looked at. */
export function isIntact({ bytes }: PackedPart): boolean {
  return bytes.held === 'heap' || openSegment(bytes.buffer).kind === 'segment';
}

/**
 * Reads the segment files of a manifest that are neither open nor to be mapped, asynchronously. Files that cannot be read
 * are left out; `openParts` reports why.
 */
export async function readSegmentFiles(
  folder: string,
  manifest: Manifest,
  { open = [], mapping }: Pick<SegmentSources, 'open' | 'mapping'> = {},
): Promise<SegmentFiles> {
  const missing = manifest.segments.filter(({ file }) => !open.some((part) => part.file === file));
  const entries = await Promise.all(
    missing.map(async ({ file }) => {
      const bytes = await readSegmentFile(join(folder, file), mapping).catch(() => undefined);
      return bytes ? [[file, bytes] as const] : [];
    }),
  );
  return new Map(entries.flat());
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
