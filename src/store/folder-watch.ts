import { statSync } from 'node:fs';
import { ServiceError } from '../contract/errors.ts';

/** Whether the opened file is still the one in the data folder. */
export interface FolderWatch {
  /** The error for a data folder that was deleted or replaced; undefined if it was not. */
  missing(): ServiceError | undefined;
}

/** An open file outlives its name: everything written to it after its folder was deleted is lost. */
export function watchDataFile(dataFile: string, folder: string): FolderWatch {
  const opened = identityOf(dataFile);
  return {
    missing: () =>
      identityOf(dataFile) === opened
        ? undefined
        : new ServiceError(
            'unavailable',
            `the data folder ${folder} was deleted or replaced while it was open: restart this process to use what is there now`,
          ),
  };
}

function identityOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false, bigint: true });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    // A folder above it is gone, or may not be entered any more.
    return undefined;
  }
}
