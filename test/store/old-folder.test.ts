import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app/app.ts';
import { verifyFolder } from '../../src/cli/verify.ts';
import { openIndex } from '../../src/index/open-index.ts';
import { readManifest } from '../../src/index/packed/manifest.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { repairStore } from '../../src/store/verify/repair-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A folder of version 0.1: 12 pages of which 11 are packed, without checksums, epochs and a checked manifest. */
function oldFolder(): string {
  const folder = temporaryFolder();
  const archive = fileURLToPath(new URL('./fixtures/folder-of-0.1.tar.gz', import.meta.url));
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  return folder;
}

const url = (n: number): string => `https://a.example/${n}`;

test('a folder of the last version is whole, searched as it is, and its manifest is replaced by the first packing', async () => {
  const folder = oldFolder();
  expect(await verifyFolder(folder)).toMatchObject({ whole: true });
  const indexFolder = join(folder, 'index');
  const store = openPageStore(folder);
  const index = openIndex({ folder: indexFolder, log: silentLog, changeLog: store });
  expect(index.stats()).toMatchObject({ pages: 11, livePages: 0, segments: 1, needsPacking: true });
  await store.close();

  const app = openApp({ config: { dataFolder: folder }, log: silentLog });
  onTestFinished(() => app.close());
  await app.prepare();
  expect(readManifest(indexFolder)).toMatchObject({ version: 2, seq: 14 });
  expect(app.index.stats()).toMatchObject({ pages: 12, livePages: 0, needsPacking: false });
  const ask = async (q: string) => (await app.index.search({ query: parseQuery(q), limit: 50 })).total;
  expect([await ask('heron'), await ask('egret')]).toEqual([11, 1]);
});

test('pages of the last version are read as before, and have a checksum once they are written again', async () => {
  const store = openPageStore(oldFolder());
  onTestFinished(() => store.close());
  const page = store.page(pageId(url(5)));
  expect(page).toMatchObject({ url: url(5), title: 'Page 5', headings: '' });
  expect(page?.body).toContain('old words 5');
  expect(store.epochAt(store.lastSeq())).toBeUndefined();
  await store.write((writer) => page && writer.putPage({ ...page, title: 'Again' }));
  expect(store.page(pageId(url(5)))).toEqual({ ...page, title: 'Again' });
  expect(store.epochAt(store.lastSeq())).toBeDefined();
  expect(store.epochAt(store.lastSeq() - 1)).toBeUndefined();
  expect(store.damagedPages()).toBe(0);
});

test('a repair of a folder of the last version keeps all its pages and tables', async () => {
  const folder = oldFolder();
  const repair = await repairStore(folder);
  expect(repair).toMatchObject({ keptPages: 12, dropped: [], strayPages: 0 });
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  expect(store.page(pageId(url(5)))?.body).toContain('old words 5');
  expect(store.page(pageId(url(11)))).toBeUndefined();
  expect(store.table<number>('numbers').get('n7')).toBe(7);
  expect(repair.oldFile).toMatch(/data\.mdb\.damaged-/);
});
