import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { PageStore } from '../store/page-store.ts';
import { fileModeIn } from '../store/private-files.ts';
import { termsVersion } from './terms-version.ts';

/** Raised when a manifest or a segment of an older Gleaner cannot be read any more; such an index is built anew. */
const formatVersion = 2;

const fileName = 'manifest.json';

/** What a manifest says of a segment, so that another file under its name is noticed. */
const SegmentIdentity = z.object({
  pages: z.int().min(0).max(65_536),
  bytes: z.int().min(0),
  /** The CRC-32 of header and section table, which has those of all sections: bytes 20 to 23 of the file. */
  crc: z.int().min(0).max(0xffff_ffff),
});

/** What tells a segment file from another one. */
export type SegmentIdentity = z.infer<typeof SegmentIdentity>;

const ListedSegment = z.object({
  file: z.string().regex(/^[a-z0-9-]+\.seg$/),
  /** Numbers of the pages that were put again or removed before `seq`, ascending. */
  dead: z.array(z.int().min(0).max(65535)).refine(isAscending, 'not ascending'),
  /** Not in a manifest of version 1. */
  identity: SegmentIdentity.optional(),
});

/** Version 1, which is still read, has neither epoch, checksum nor identities; the next packing replaces it. */
const Manifest = z.object({
  version: z.literal([1, formatVersion]),
  /** The change log is packed up to this entry; whatever is later belongs to the live tier. */
  seq: z.int().min(0),
  /** `PageStore.epochAt(seq)`: in which change log; absent for a log that was begun before there were epochs. */
  epoch: z.string().optional(),
  /** By which rule the terms of pages were found; without it, by the first. Any can be read. */
  termsVersion: z.int().min(1).optional(),
  /** How many pages there were when `averageLengths` was taken. */
  averagedOver: z.int().min(0),
  /** The field lengths that every segment's impacts, and the live tier's scores, are normalised by. */
  averageLengths: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly(),
  segments: z
    .array(ListedSegment)
    .refine((listed) => new Set(listed.map(({ file }) => file)).size === listed.length, 'a segment twice'),
});

/** Which segments make up the packed index, and how far it goes. */
export type Manifest = z.infer<typeof Manifest>;

export const emptyManifest: Manifest = {
  version: formatVersion,
  termsVersion,
  seq: 0,
  averagedOver: 0,
  averageLengths: [0, 0, 0, 0],
  segments: [],
};

/** What of the store tells whether a manifest is of its change log. */
export type ChangeLog = Pick<PageStore, 'lastSeq' | 'epochAt'>;

/** Whether the log holds what was packed: not one that was put back from an older copy, or another store's. */
export function isOfLog({ seq, epoch }: Manifest, log: ChangeLog): boolean {
  return seq <= log.lastSeq() && log.epochAt(seq) === epoch;
}

/** Of the format before this one, in which what is wrong cannot be told from what is right. */
export function isUnchecked({ version }: Manifest): boolean {
  return version !== formatVersion;
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] as number));
}

function checksumOf(manifest: object): number {
  return crc32(JSON.stringify(manifest));
}

/** What tells one manifest file from the next without reading it; undefined when there is none. */
export function manifestStamp(folder: string): string | undefined {
  let stat: Stats | undefined;
  try {
    stat = statSync(join(folder, fileName), { throwIfNoEntry: false });
  } catch {
    // The folder is none, or may not be read: there is no packed index.
  }
  return stat && `${stat.ino}:${stat.mtimeMs}:${stat.size}`;
}

/** The manifest of an index folder; undefined when there is none, or none that this version can read. */
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

/** Replaces the manifest: after a crash at any point there is the old one or the new one, whole. */
export function writeManifest(folder: string, written: Omit<Manifest, 'version'>): void {
  const path = join(folder, fileName);
  const manifest = { ...written, version: formatVersion };
  const text = JSON.stringify({ ...manifest, checksum: checksumOf(manifest) });
  try {
    writeDurably(`${path}.new`, Buffer.from(text));
  } catch (error) {
    rmSync(`${path}.new`, { force: true });
    throw error;
  }
  renameSync(`${path}.new`, path);
  syncFolder(folder);
}

/** Writes a file, as open to others as its folder is, and returns once it is on disk. */
export function writeDurably(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'w', fileModeIn(dirname(path)));
  try {
    for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a rename durable, where the platform lets one sync a folder. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
