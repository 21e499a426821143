import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pack } from '../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { createPageWriter } from '../../src/store/page-writer.ts';
import { cached, readLines } from '../engines/cache.ts';
import { type CorpusPage, pageOf } from '../engines/corpus-files.ts';
import { extractPackages } from '../engines/debian-pages.ts';
import { unpackPackage } from '../engines/unpack-package.ts';

/** Some seven thousand pages of documentation in English. */
const packages = [
  { name: 'python3.11-doc', pages: 600 },
  { name: 'postgresql-doc-15', pages: 1200 },
  { name: 'cmake-doc', pages: 1300 },
  { name: 'git-doc', pages: 1000 },
  { name: 'nodejs-doc', pages: 200 },
  { name: 'sqlite3-doc', pages: 1000 },
  { name: 'apache2-doc', pages: 1000 },
  { name: 'libreoffice-help-en-us', pages: 2000 },
];

/** The data folder of these packages, packed; made once. */
export async function documentationFolder(): Promise<string> {
  const folder = cached('did-you-mean', 'data');
  if (existsSync(folder)) return folder;
  const making = `${folder}.new`;
  rmSync(making, { recursive: true, force: true });
  const store = openPageStore(making);
  const pageWriter = createPageWriter({ store, catchUp: async () => {} });
  for (const file of await extractPackages(packages)) {
    for await (const page of readLines<CorpusPage>(file)) await pageWriter.put(pageOf(page));
  }
  // What is learned of whole hosts is written before the packing: later changes would be searched in the live tier.
  await pageWriter.settled();
  pack(store, indexFolderOf(making));
  await store.close();
  renameSync(making, folder);
  return folder;
}

const codespellList = 'usr/lib/python3/dist-packages/codespell_lib/data/dictionary.txt';

/** Misspellings that people made, each with the one word that it is meant for: the list of Debian's codespell. */
export function realMisspellings(): (readonly [typed: string, meant: string])[] {
  const root = unpackPackage('codespell');
  try {
    const lines = readFileSync(join(root, codespellList), 'utf8').split('\n');
    return lines.flatMap((line) => {
      const [, typed, meant] = /^([a-z]+)->([a-z]+)$/.exec(line) ?? [];
      return typed !== undefined && meant !== undefined ? [[typed, meant] as const] : [];
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
