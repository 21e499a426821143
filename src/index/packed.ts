import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from './manifest.ts';
import { openSegment, pageNumber, type Segment } from './segment/reader.ts';

/** A segment of the packed tier with the pages of it that hold no more. */
export interface PackedPart {
  readonly file: string;
  readonly segment: Segment;
  /** Bit `page & 7` of byte `page >> 3`. */
  readonly dead: Uint8Array;
  deadCount: number;
}

export type OpenedParts =
  | { readonly kind: 'parts'; readonly parts: readonly PackedPart[] }
  | { readonly kind: 'damaged'; readonly file: string; readonly why: string };

/** Opens the segments that a manifest lists; those that are open already under their names are taken over. */
export function openParts(folder: string, manifest: Manifest, open: readonly PackedPart[] = []): OpenedParts {
  const parts: PackedPart[] = [];
  for (const { file, dead } of manifest.segments) {
    const known = open.find((part) => part.file === file)?.segment;
    const read = known ? { kind: 'segment' as const, segment: known } : readSegment(join(folder, file));
    if (read.kind === 'damaged') return { ...read, file };
    const { segment } = read;
    const part = { file, segment, dead: new Uint8Array((segment.pageCount + 7) >> 3), deadCount: 0 };
    for (const page of dead) markDead(part, page);
    parts.push(part);
  }
  return { kind: 'parts', parts };
}

function readSegment(path: string): ReturnType<typeof openSegment> {
  try {
    const bytes = readFileSync(path);
    // A small file may share its buffer with others; a large one is not to be copied.
    const isWhole = bytes.byteLength === bytes.buffer.byteLength;
    return openSegment(
      isWhole ? bytes.buffer : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    );
  } catch (error) {
    return { kind: 'damaged', why: error instanceof Error ? error.message : String(error) };
  }
}

/** Marks every page of this id as dead: it was put again or removed since its segment was packed. */
export function markIdDead(parts: readonly PackedPart[], id: string): void {
  for (const part of parts) {
    const page = pageNumber(part.segment, id);
    if (page >= 0) markDead(part, page);
  }
}

function markDead(part: PackedPart, page: number): void {
  const bit = 1 << (page & 7);
  const byte = part.dead[page >> 3] ?? 0;
  if ((byte & bit) !== 0) return;
  part.dead[page >> 3] = byte | bit;
  part.deadCount++;
}

/** The numbers of the dead pages, ascending. */
export function deadPages({ dead, segment }: PackedPart): number[] {
  const pages: number[] = [];
  for (let page = 0; page < segment.pageCount; page++) {
    if (((dead[page >> 3] ?? 0) >> (page & 7)) & 1) pages.push(page);
  }
  return pages;
}
