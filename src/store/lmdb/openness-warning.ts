import { join } from 'node:path';
import { isReadableByOthers } from '../private-files.ts';
import { storePath } from './environment.ts';

/**
 * The warning for a data folder whose store any user of the machine can read; undefined if it is as private as the folders
 * that Gleaner creates.
 */
export function opennessWarning(folder: string): string | undefined {
  if (!isReadableByOthers(join(storePath(folder), 'data.mdb'))) return undefined;
  return `every user of this machine can read the data folder ${folder}, with its pages and the hashes of its keys; to keep them out: chmod -R go= ${folder}`;
}
