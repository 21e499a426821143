import { join } from 'node:path';
import { readManifest } from './manifest.ts';
import { readSegmentFiles, type SegmentFiles } from './segment-files.ts';

/** Where in a data folder the packed index is. */
export function indexFolderOf(dataFolder: string): string {
  return join(dataFolder, 'index');
}

/** Reads what `openIndex` will need of a folder, while the process still loads its code. */
export async function readAhead(folder: string): Promise<SegmentFiles> {
  const manifest = readManifest(folder);
  return manifest ? readSegmentFiles(folder, manifest) : new Map();
}
