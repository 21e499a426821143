import { join } from 'node:path';
import { readManifest } from './manifest.ts';
import { readSegmentFiles, type SegmentFiles } from './segment-files.ts';
import type { SegmentMapping } from './segment-mapping.ts';

/** The folder of the packed index in a data folder. */
export function indexFolderOf(dataFolder: string): string {
  return join(dataFolder, 'index');
}

/** Reads the segment files for `openIndex` that will not be mapped, while the process still loads its code. */
export async function readAhead(folder: string, mapping: SegmentMapping): Promise<SegmentFiles> {
  const manifest = readManifest(folder);
  return manifest ? readSegmentFiles(folder, manifest, { mapping }) : new Map();
}
