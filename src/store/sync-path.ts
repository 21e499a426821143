import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes a file, or the names in a folder, durable. Does nothing on Windows, where folders cannot be synced. */
export function syncPath(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
