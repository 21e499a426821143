import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createExtractPool } from '../../src/extract/extract-pool.ts';
import { importPaths } from '../../src/import/import.ts';
import { pack } from '../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { createPageWriter } from '../../src/store/page-writer.ts';
import { cached } from '../engines/cache.ts';
import { manPageAsHtml } from '../engines/man-page.ts';
import { packageFile, unpackPackage } from '../engines/unpack-package.ts';
import { filesBelow } from './files-below.ts';
import { asideFolder, baseUrlOf, type Site, sites } from './sites.ts';

/** Raised when folders are laid out in another way. */
const layoutVersion = 1;

/** The folder of a site's files, as they are imported. */
export function folderOf({ name }: Site): string {
  return cached('known-items', 'sites', name);
}

/**
 * The data folder with all sites together, so that a right page must win against the pages of all of them. Made by the
 * project's own import, and kept as long as the packages are the same; `rebuild` imports again, as is due after each
 * change of extraction, titles or copies. Takes some ten minutes.
 */
export async function siteStore(rebuild: boolean): Promise<string> {
  const packages = sites.flatMap((site) => site.packages.map((name) => basename(packageFile(name))));
  const key = createHash('sha256')
    .update(JSON.stringify([layoutVersion, packages]))
    .digest('hex')
    .slice(0, 12);
  const data = cached('known-items', `store-${key}`);
  if (existsSync(data) && !rebuild) return data;
  const making = `${data}.new`;
  rmSync(making, { recursive: true, force: true });
  const store = openPageStore(making);
  const readers = createExtractPool();
  const pageWriter = createPageWriter({ store });
  // One time for all: when the import ran has no say in the ranking.
  const now = () => Date.UTC(2026, 0, 1);
  try {
    for (const site of sites) {
      if (!existsSync(folderOf(site))) layOut(site);
      const { stored, refused } = await importPaths({
        paths: [folderOf(site)],
        baseUrl: baseUrlOf(site),
        store,
        pageWriter,
        extract: readers.extract,
        now,
      });
      console.log(`${site.name}: ${stored} pages, not taken: ${JSON.stringify(refused)}`);
    }
    // What is learned of whole hosts is written before the packing: later changes would be searched in the live tier.
    await pageWriter.settled();
    pack(store, indexFolderOf(making));
  } finally {
    await readers.close();
    await store.close();
  }
  rmSync(data, { recursive: true, force: true });
  renameSync(making, data);
  return data;
}

/** Unpacks the packages of a site and puts what is taken of it into its folder. */
function layOut(site: Site): void {
  const making = `${folderOf(site)}.new`;
  rmSync(making, { recursive: true, force: true });
  for (const name of site.packages) {
    const unpacked = unpackPackage(name);
    const root = join(unpacked, site.root);
    for (const path of filesBelow(root)) {
      if (site.only?.test(path) === false) continue;
      const [target, bytes] = asServed(path, join(root, path));
      if (bytes === null) continue;
      mkdirSync(dirname(join(making, target)), { recursive: true });
      if (bytes === undefined) copyFileSync(join(root, path), join(making, target));
      else writeFileSync(join(making, target), bytes);
    }
    if (site.aside) cpSync(join(unpacked, site.aside), join(making, asideFolder), { recursive: true });
    rmSync(unpacked, { recursive: true, force: true });
  }
  renameSync(making, folderOf(site));
}

/** A manual page becomes HTML, under the name that sites give it; null for one that only forwards to another. */
function asServed(path: string, file: string): [target: string, bytes?: string | null] {
  const manual = /^(man\d\/.+)\.gz$/.exec(path)?.[1];
  if (manual === undefined) return [path];
  const roff = gunzipSync(readFileSync(file)).toString('utf8');
  return [`${manual}.html`, /^\.so /m.test(roff) ? null : manPageAsHtml(roff, 'en')];
}
