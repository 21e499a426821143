import { statSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../contract/errors.ts';
import { openPageStore, storePath } from '../store/lmdb-store.ts';
import type { PageStore } from '../store/page-store.ts';

/**
 * Throws a `ServiceError`: `not_found` for a folder without a store, such as a mistyped one, and `unavailable` for an
 * unreadable one.
 */
export function requireData({ dataFolder }: Pick<Config, 'dataFolder'>): void {
  try {
    statSync(storePath(dataFolder));
    return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      const what = code === 'EACCES' ? 'this user may not read it (EACCES)' : code;
      throw new ServiceError('unavailable', `cannot read the data folder ${dataFolder}: ${what}`);
    }
  }
  throw new ServiceError(
    'not_found',
    `nothing has been stored in ${dataFolder} yet: "gleaner crawl https://example.com/" fills it`,
  );
}

/** Opens an existing store, for commands that create none. */
export function openFilledStore(config: Pick<Config, 'dataFolder'>): PageStore {
  requireData(config);
  return openPageStore(config.dataFolder);
}
