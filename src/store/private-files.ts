import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A data folder may have pages of intranets and has hashes of keys, so only the user who runs Gleaner may read it. */
const privateMode = 0o700;

/**
 * Creates a folder that only this user can read. An existing folder is not changed. Missing parents are created with the
 * system's default mode. Node's own `recursive` never returns where a parent refuses with ENOENT, as /proc does
 * (seen on Node 20).
 */
export function makePrivateFolder(folder: string): void {
  makeFolder(folder, privateMode);
}

/**
 * Creates a folder with the mode of `like`, or a private one if that does not exist: users who share a data folder can go
 * on sharing it.
 */
export function makeFolderLike(like: string, folder: string): void {
  makeFolder(folder, existsSync(like) ? folderMode(like) : privateMode);
}

/** The mode for a new file in a folder: open to the same users as the folder, so 0600 in a private one. */
export function fileModeIn(folder: string): number {
  return folderMode(folder) & 0o666;
}

function folderMode(folder: string): number {
  return (statSync(folder).mode & 0o777) | privateMode;
}

function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Whether other users of this machine, outside of the group, can read what is in the store: every folder above lets
 * them through, and the file lets them read. Never on Windows, which has no such modes.
 */
export function isReadableByOthers(file: string): boolean {
  if (process.platform === 'win32') return false;
  const mode = (path: string) => statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  const lets = (folder: string): boolean =>
    (mode(folder) & 0o001) !== 0 && (dirname(folder) === folder || lets(dirname(folder)));
  return (mode(file) & 0o004) !== 0 && lets(dirname(file));
}
