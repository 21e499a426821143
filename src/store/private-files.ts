import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A data folder holds pages of intranets and hashes of keys: it is for the user who runs Gleaner. */
const privateMode = 0o700;

/**
 * Makes a folder that only this user can read; one that is there is left as it is. Parents that are missing are made
 * as the system makes them. Node's own `recursive` never returns where a parent refuses with ENOENT, as /proc does
 * (seen on Node 20).
 */
export function makePrivateFolder(folder: string): void {
  makeFolder(folder, privateMode);
}

/**
 * Makes a folder as open as `like` is, or private where that is not there: what several users share they go on sharing.
 */
export function makeFolderLike(like: string, folder: string): void {
  makeFolder(folder, existsSync(like) ? folderMode(like) : privateMode);
}

/** The mode for a new file in a folder: what the folder opens to others, the file does; 0600 in a private one. */
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
    // Another process was quicker.
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
