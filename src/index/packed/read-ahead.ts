import { join } from 'node:path';
import { readManifest } from './manifest.ts';
import { readSegmentFiles, type SegmentFiles } from './segment-files.ts';

/** The folder of the packed index in a data folder. */
export function indexFolderOf(dataFolder: string): string {
  return join(dataFolder, 'index');
}

/** Reads the segment files for `openIndex` while the process still loads its code. */
export async function readAhead(folder: string): Promise<SegmentFiles> {
  const manifest = readManifest(folder);
  return manifest ? readSegmentFiles(folder, manifest) : new Map();
}
