import { existsSync, renameSync, rmSync } from 'node:fs';
import { pack } from '../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import type { Page } from '../../src/page.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { cached, readLines } from '../engines/cache.ts';
import { type CorpusPage, pageOf } from '../engines/corpus-files.ts';
import { extractPackages } from '../engines/debian-pages.ts';

/** Some twelve thousand pages, a tenth of them Chinese or Japanese. */
const packages = [
  { name: 'python3.11-doc', pages: 600 },
  { name: 'postgresql-doc-15', pages: 1200 },
  { name: 'cmake-doc', pages: 1300 },
  { name: 'openjdk-17-doc', pages: 4500 },
  { name: 'cppreference-doc-en-html', pages: 3500 },
  { name: 'manpages-ja', pages: 600 },
  { name: 'manpages-zh', pages: 600 },
];

/** The pages of the packages; unpacked and read once. */
export async function realPages(): Promise<Page[]> {
  const pages: Page[] = [];
  for (const file of await extractPackages(packages))
    for await (const page of readLines<CorpusPage>(file)) pages.push(pageOf(page));
  return pages;
}

/** Some pages of a data folder, and how many it has. */
export interface PageSample {
  readonly pages: readonly Page[];
  readonly total: number;
}

/** Pages from which queries are drawn. */
const maxSample = 10_000;

/** Pages of another data folder, evenly taken. */
export async function samplePages(folder: string): Promise<PageSample> {
  const store = openPageStore(folder);
  const ids = [...store.heads()].map(({ id }) => id);
  const every = Math.ceil(ids.length / maxSample);
  const pages = ids.flatMap((id, number) => (number % every === 0 ? (store.page(id) ?? []) : []));
  await store.close();
  return { pages, total: ids.length };
}

/** A packed data folder of pages; made anew for each run, since a change of the format would not be seen otherwise. */
export async function packedFolder(pages: readonly Page[]): Promise<string> {
  const folder = cached('whole-answers', 'data');
  if (existsSync(folder)) rmSync(folder, { recursive: true });
  const making = `${folder}.new`;
  rmSync(making, { recursive: true, force: true });
  const store = openPageStore(making);
  for (let start = 0; start < pages.length; start += 500) {
    const batch = pages.slice(start, start + 500);
    await store.write((writer) => batch.forEach(writer.putPage));
  }
  pack(store, indexFolderOf(making));
  await store.close();
  renameSync(making, folder);
  return folder;
}
