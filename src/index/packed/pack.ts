import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import type { Page } from '../../page.ts';
import { silentLog } from '../../runtime.ts';
import { storePath } from '../../store/lmdb-store.ts';
import type { Change } from '../../store/page-store.ts';
import { makeFolderLike } from '../../store/private-files.ts';
import { averageLengthsOf } from '../average-lengths.ts';
import { buildSegments } from '../segment/build/builder.ts';
import { mergeSegments } from '../segment/build/merge.ts';
import type { FilePieces } from '../segment/file-pieces.ts';
import { maxPages, maxTextBytes } from '../segment/format.ts';
import {
  emptyManifest,
  isOfLog,
  isUnchecked,
  type Manifest,
  readManifest,
  writeManifest,
} from './manifest.ts';
import type { PackSource } from './pack-source.ts';
import { openSegmentFile, type SegmentBytes, writeSegmentFile } from './segment-bytes.ts';
import { deadPages, isIntact, markIdDead, openPart, openParts, type PackedPart } from './segment-files.ts';
import { createSegmentMapping, type SegmentMapping } from './segment-mapping.ts';
import { termsVersion } from './terms-version.ts';

/** Segments of one size class that are merged into one. The number of segments grows with the logarithm of the pages. */
const mergeAt = 4;
/** A segment with a larger share of dead pages is rewritten without them. */
const maxDeadShare = 0.25;
/** When the number of pages has grown by this factor, the averages are computed again and everything is packed again. */
const rebaseAt = 4;

export interface PackResult {
  /** The change log is packed up to this entry. */
  readonly seq: number;
  /** Pages that were packed from the store; merged ones are not counted. */
  readonly packed: number;
  readonly segments: number;
  /** Pages that were left out because they are damaged in the store; absent if there were none. */
  readonly damaged?: number;
}

/**
 * Packs the entries of the change log after the manifest's, merges segments where due, and commits by replacing the
 * manifest. Runs without a pause, so it belongs in a worker, and in one process at a time. A crash at any point leaves the
 * old state or the new one. Segments that cannot be read, or turn out to be damaged when they are merged, are packed again
 * from the store.
 */
export function pack(store: PackSource, folder: string, mapping = defaultMapping()): PackResult {
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new ServiceError(
      'unavailable',
      `${folder} is no folder: move it away, and the index is packed again`,
    );
  }
  makeFolderLike(storePath(dirname(folder)), folder);
  // Also at the start: a process that is killed in every run would otherwise fill the disk with its files.
  const manifest = removeUnfinished(folder);
  try {
    return packFrom(manifest, { store, folder, mapping });
  } catch (error) {
    // On a full disk, this makes room for other writes.
    removeUnfinished(folder);
    throw error;
  }
}

/** Removes the files of packings that were not committed; returns the current manifest. */
function removeUnfinished(folder: string): Manifest {
  const manifest = readManifest(folder) ?? emptyManifest;
  removeUnlisted(folder, new Set(manifest.segments.map(({ file }) => file)));
  return manifest;
}

interface PackingFolder {
  readonly store: PackSource;
  readonly folder: string;
  readonly mapping: SegmentMapping;
}

type WriteSegment = (segment: FilePieces) => PackedPart;

function packFrom(manifest: Manifest, { store, folder, mapping }: PackingFolder): PackResult {
  const opened = openParts(folder, manifest, { mapping });
  const pages = store.pageCount();
  const keeps =
    opened.kind === 'parts' &&
    manifest.seq > 0 &&
    manifest.termsVersion === termsVersion &&
    !isUnchecked(manifest) &&
    opened.parts.every(({ segment }) => segment.marks !== undefined) &&
    // Not where the store was put back from a copy older than the index: these numbers now mean other changes.
    isOfLog(manifest, store) &&
    pages < rebaseAt * manifest.averagedOver;
  const base: Manifest = keeps
    ? manifest
    : { ...emptyManifest, averageLengths: averageLengthsOf(store), averagedOver: pages };
  const keptParts: readonly PackedPart[] = keeps ? opened.parts : [];

  const { seq, putIds, removedIds } = changesAfter(base.seq, store);
  for (const id of [...putIds, ...removedIds]) markIdDead(keptParts, id);

  let next = 0;
  const write: WriteSegment = (segment) => {
    const file = `${seq.toString(36)}-${Date.now().toString(36)}-${process.pid.toString(36)}-${next++}.seg`;
    const path = join(folder, file);
    writeSegmentFile(path, segment, mapping.minBytes);
    // All of it is checked, also where it is mapped.
    return builtPart(file, { ...openSegmentFile(path, mapping), needsCheck: true });
  };
  const fresh: PackedPart[] = [];
  for (const segment of buildSegments(readPages(store, putIds), base)) fresh.push(write(segment));
  const merged = mergeWhereDue([...keptParts, ...fresh], write);
  if (merged === 'damaged') return packFrom(emptyManifest, { store, folder, mapping });
  const parts = merged.map((part) => (isToBeFramed(part, mapping) ? reframed(part, write) : part));
  const { epoch: _, ...rest } = base;
  const epoch = store.epochAt(seq);
  writeManifest(folder, {
    ...rest,
    seq,
    ...(epoch !== undefined && { epoch }),
    segments: parts.map((part) => ({ file: part.file, dead: deadPages(part), identity: part.identity })),
  });
  removeUnlisted(folder, new Set(parts.map(({ file }) => file)));
  const damaged = store.damagedPages();
  return { seq, packed: putIds.length, segments: parts.length, ...(damaged > 0 && { damaged }) };
}

/** What was put and what was removed after an entry of the change log, and the last entry. */
function changesAfter(
  first: number,
  store: PackSource,
): { seq: number; putIds: string[]; removedIds: string[] } {
  const changes = store.changesAfter(first, Number.MAX_SAFE_INTEGER);
  const idsOf = (wanted: Change['kind']) => changes.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  return { seq: changes.at(-1)?.seq ?? first, putIds: idsOf('put'), removedIds: idsOf('remove') };
}

function builtPart(file: string, bytes: SegmentBytes): PackedPart {
  const opened = openPart(file, bytes);
  if (opened.kind === 'damaged') throw new Error(`the segment just built is damaged: ${opened.why}`);
  return opened.part;
}

/** Whether an earlier version wrote a segment, as a file that cannot be mapped. */
function isToBeFramed({ bytes }: PackedPart, { minBytes }: SegmentMapping): boolean {
  return !bytes.isFramed && bytes.buffer.byteLength >= minBytes;
}

/** The same segment in a new file, which can be mapped. */
function reframed(part: PackedPart, write: WriteSegment): PackedPart {
  const bytes = new Uint8Array(part.bytes.buffer);
  const written = write({ pieces: [bytes], length: bytes.length });
  return { ...written, dead: part.dead, deadCount: part.deadCount };
}

/**
 * Merges segments of like size, and those with many dead pages, until neither is left. Merging would give damaged bytes
 * the checksums of whole ones, so it ends at a damaged segment.
 */
function mergeWhereDue(parts: readonly PackedPart[], write: WriteSegment): PackedPart[] | 'damaged' {
  let remaining = parts.filter((part) => living(part) > 0);
  for (;;) {
    const due = dueForMerging(remaining);
    if (due.length === 0) return remaining;
    if (!due.every(isIntact)) return 'damaged';
    const merged = write(mergeSegments(due));
    remaining = [...remaining.filter((part) => !due.includes(part)), merged];
  }
}

/** The next segments to be merged; none if no merge is due. Together they fit into one segment. */
function dueForMerging(parts: readonly PackedPart[]): PackedPart[] {
  const decayed = parts.find((part) => part.deadCount > maxDeadShare * part.segment.pageCount);
  if (decayed) return [decayed];
  const classes = new Map<number, PackedPart[]>();
  for (const part of parts) {
    const size = Math.floor(Math.log(living(part)) / Math.log(mergeAt));
    classes.set(size, [...(classes.get(size) ?? []), part]);
  }
  for (const alike of classes.values()) {
    const fitting = takeFitting(alike);
    if (fitting.length >= mergeAt) return fitting;
  }
  return [];
}

/** The smallest parts whose pages and texts fit into one segment. */
function takeFitting(parts: readonly PackedPart[]): PackedPart[] {
  let room = maxPages;
  let textRoom = maxTextBytes;
  return [...parts]
    .sort((a, b) => living(a) - living(b))
    .filter((part) => {
      room -= living(part);
      textRoom -= part.segment.marks?.pageText.length ?? 0;
      return room >= 0 && textRoom >= 0;
    });
}

function living({ segment, deadCount }: PackedPart): number {
  return segment.pageCount - deadCount;
}

function* readPages(store: PackSource, ids: readonly string[]): Iterable<Page> {
  for (const id of ids) {
    const page = store.page(id);
    // It may be removed since the log was read. The removal is a later entry, for the next packing or the live tier.
    if (page && !page.isHidden) yield page;
  }
}

/**
 * Removes the segment files that are not listed, with LMDB's lock files of them. Safe while other processes search: they
 * have the segments that they opened in memory, or mapped. Windows refuses to remove a mapped file, so the next packing
 * tries again.
 */
function removeUnlisted(folder: string, listed: ReadonlySet<string>): void {
  for (const file of readdirSync(folder)) {
    const [, segment] = /^(.+\.seg)(?:-lock.*)?$/.exec(file) ?? [];
    if (segment === undefined || listed.has(segment)) continue;
    try {
      rmSync(join(folder, file), { force: true });
    } catch (error) {
      if (process.platform !== 'win32') throw error;
    }
  }
}

function defaultMapping(): SegmentMapping {
  return createSegmentMapping({ log: silentLog });
}
