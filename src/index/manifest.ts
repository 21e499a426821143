import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { fileModeIn } from '../store/private-files.ts';

/** Raised when a manifest or a segment of an older Gleaner cannot be read any more; such an index is built anew. */
const formatVersion = 1;

const fileName = 'manifest.json';

const Manifest = z.object({
  version: z.literal(formatVersion),
  /** The change log is packed up to this entry; whatever is later belongs to the live tier. */
  seq: z.int().min(0),
  /** How many pages there were when `averageLengths` was taken. */
  averagedOver: z.int().min(0),
  /** The field lengths that every segment's impacts, and the live tier's scores, are normalised by. */
  averageLengths: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly(),
  segments: z.array(
    z.object({
      file: z.string().regex(/^[a-z0-9-]+\.seg$/),
      /** Numbers of the pages that were put again or removed before `seq`, ascending. */
      dead: z.array(z.int().min(0).max(65535)),
    }),
  ),
});

/** Which segments make up the packed index, and how far it goes. */
export type Manifest = z.infer<typeof Manifest>;

export const emptyManifest: Manifest = {
  version: formatVersion,
  seq: 0,
  averagedOver: 0,
  averageLengths: [0, 0, 0, 0],
  segments: [],
};

/** What tells one manifest file from the next without reading it; undefined when there is none. */
export function manifestStamp(folder: string): string | undefined {
  const stat = statSync(join(folder, fileName), { throwIfNoEntry: false });
  return stat && `${stat.ino}:${stat.mtimeMs}:${stat.size}`;
}

/** The manifest of an index folder; undefined when there is none, or none that this version can read. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    const parsed = Manifest.safeParse(JSON.parse(readFileSync(join(folder, fileName), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the manifest: after a crash at any point there is the old one or the new one, whole. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const path = join(folder, fileName);
  try {
    writeDurably(`${path}.new`, Buffer.from(JSON.stringify(manifest)));
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
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a rename durable, where the platform lets one sync a folder. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
