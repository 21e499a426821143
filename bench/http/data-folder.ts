import { existsSync, renameSync, rmSync } from 'node:fs';
import { pack } from '../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import type { Page } from '../../src/page.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { cached } from '../engines/cache.ts';
import { readPages } from '../engines/corpus-files.ts';

const batchSize = 500;

/** A data folder with the first pages of the corpus, packed; made once. */
export async function corpusDataFolder(pages: number): Promise<string> {
  const folder = cached('http', `pages-${pages}`);
  if (existsSync(folder)) return folder;
  const making = `${folder}.new`;
  rmSync(making, { recursive: true, force: true });
  const store = openPageStore(making);
  const keep = (batch: readonly Page[]) => store.write((writer) => batch.forEach(writer.putPage));
  let batch: Page[] = [];
  for await (const page of readPages(pages)) {
    batch.push(page);
    if (batch.length < batchSize) continue;
    await keep(batch);
    batch = [];
  }
  await keep(batch);
  pack(store, indexFolderOf(making));
  await store.close();
  renameSync(making, folder);
  return folder;
}
