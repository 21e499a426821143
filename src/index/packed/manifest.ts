import { readFileSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { PageStore } from '../../store/page-store.ts';
import { syncPath } from '../../store/sync-path.ts';
import { termsVersion } from './terms-version.ts';
import { writeDurably } from './write-durably.ts';

/** Increased when manifests or segments of older versions cannot be read any more. Such an index is built again. */
const formatVersion = 2;

const fileName = 'manifest.json';

/** Identifies a segment file in a manifest, so that another file of the same name is noticed. */
const SegmentIdentity = z.object({
  pages: z.int().min(0).max(65_536),
  bytes: z.int().min(0),
  /** The CRC-32 of header and section table, with the checksums of all sections: bytes 20 to 23 of the file. */
  crc: z.int().min(0).max(0xffff_ffff),
});

export type SegmentIdentity = z.infer<typeof SegmentIdentity>;

const ListedSegment = z.object({
  file: z.string().regex(/^[a-z0-9-]+\.seg$/),
  /** Numbers of the pages that were replaced or removed before `seq`, ascending. */
  dead: z.array(z.int().min(0).max(65535)).refine(isAscending, 'not ascending'),
  /** Not in a manifest of version 1. */
  identity: SegmentIdentity.optional(),
});

/** Version 1 can still be read. It has no epoch, checksum and identities; the next packing replaces it. */
const Manifest = z.object({
  version: z.literal([1, formatVersion]),
  /** The change log is packed up to this entry; later entries belong to the live tier. */
  seq: z.int().min(0),
  /** `PageStore.epochAt(seq)` identifies the change log; absent for a log from before there were epochs. */
  epoch: z.string().optional(),
  /** The version of the rules by which pages were tokenized; the first if absent. All versions can be read. */
  termsVersion: z.int().min(1).optional(),
  /** The number of pages when `averageLengths` was computed. */
  averagedOver: z.int().min(0),
  /** The field lengths that the impacts of all segments, and the scores of the live tier, are normalized by. */
  averageLengths: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly(),
  segments: z
    .array(ListedSegment)
    .refine((listed) => new Set(listed.map(({ file }) => file)).size === listed.length, 'a segment twice'),
});

/** The segments of the packed index, and how much of the change log they have. */
export type Manifest = z.infer<typeof Manifest>;

export const emptyManifest: Manifest = {
  version: formatVersion,
  termsVersion,
  seq: 0,
  averagedOver: 0,
  averageLengths: [0, 0, 0, 0],
  segments: [],
};

/** The part of a store that identifies its change log. */
export type ChangeLog = Pick<PageStore, 'lastSeq' | 'epochAt'>;

/** Whether a manifest was packed from this log, and not from that of another store or of another copy of it. */
export function isOfLog({ seq, epoch }: Manifest, log: ChangeLog): boolean {
  return seq <= log.lastSeq() && log.epochAt(seq) === epoch;
}

/** Whether a manifest is in the format without checksums, in which damage cannot be detected. */
export function isUnchecked({ version }: Manifest): boolean {
  return version !== formatVersion;
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] as number));
}

function checksumOf(manifest: object): number {
  return crc32(JSON.stringify(manifest));
}

/** Distinguishes a manifest file from the next one without reading it; undefined if there is none. */
export function manifestStamp(folder: string): string | undefined {
  let stat: Stats | undefined;
  try {
    stat = statSync(join(folder, fileName), { throwIfNoEntry: false });
  } catch {
    // Not a folder, or not readable: there is no packed index.
  }
  return stat && `${stat.ino}:${stat.mtimeMs}:${stat.size}`;
}

/** The manifest of an index folder; undefined if there is none that this version can read. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    const { checksum, ...manifest } = JSON.parse(readFileSync(join(folder, fileName), 'utf8'));
    if (manifest.version !== 1 && checksum !== checksumOf(manifest)) return undefined;
    const parsed = Manifest.safeParse(manifest);
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the manifest. After a crash at any point, either the old or the new one is there, complete. */
export function writeManifest(folder: string, written: Omit<Manifest, 'version'>): void {
  const path = join(folder, fileName);
  const manifest = { ...written, version: formatVersion };
  const text = JSON.stringify({ ...manifest, checksum: checksumOf(manifest) });
  try {
    writeDurably(`${path}.new`, [Buffer.from(text)]);
  } catch (error) {
    rmSync(`${path}.new`, { force: true });
    throw error;
  }
  renameSync(`${path}.new`, path);
  syncPath(folder);
}
