import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { ServiceError } from '../contract/errors.ts';
import { openPageStore, storePath } from '../store/lmdb-store.ts';
import type { PageStore } from '../store/page-store.ts';

/** Throws a `ServiceError` (`not_found`) for a folder in which nothing was ever stored, such as a mistyped one. */
export function requireData({ dataFolder }: Pick<Config, 'dataFolder'>): void {
  if (existsSync(storePath(dataFolder))) return;
  throw new ServiceError(
    'not_found',
    `nothing has been stored in ${dataFolder} yet: "gleaner crawl https://example.com/" fills it (in a clone: npm run gleaner -- crawl ...)`,
  );
}

/** Opens the store of a folder that has one, for commands that make none. */
export function openFilledStore(config: Pick<Config, 'dataFolder'>): PageStore {
  requireData(config);
  return openPageStore(config.dataFolder);
}
