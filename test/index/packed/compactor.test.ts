import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createCompactor } from '../../../src/index/packed/compactor.ts';
import { readManifest } from '../../../src/index/packed/manifest.ts';
import { indexFolderOf } from '../../../src/index/packed/read-ahead.ts';
import { silentLog } from '../../../src/runtime.ts';
import { openPageStore } from '../../../src/store/lmdb-store.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

function open(isOtherPacking = false) {
  const dataFolder = temporaryFolder();
  const opened = openPageStore(dataFolder);
  const store = isOtherPacking ? { ...opened, acquireLock: async () => undefined } : opened;
  const indexFolder = indexFolderOf(dataFolder);
  const packedSeq = () => readManifest(indexFolder)?.seq ?? 0;
  const compactor = createCompactor({ store, log: silentLog, dataFolder, indexFolder, packedSeq });
  onTestFinished(async () => {
    await compactor.close();
    await store.close();
  });
  let pages = 0;
  const put = (count: number) =>
    store.write((writer) => {
      for (let n = 0; n < count; n++)
        writer.putPage(examplePage({ url: `https://a.example/${pages++}`, body: 'heron '.repeat(200) }));
    });
  return { store, compactor, packedSeq, indexFolder, put };
}

test('a packing under way is followed by another one for what came later', async () => {
  const { store, compactor, packedSeq, indexFolder, put } = open();
  await put(1500);
  const first = compactor.packNow();
  // Made just before the log is read; the pages that come now are packed later than that.
  await expect.poll(() => existsSync(indexFolder), { timeout: 30_000 }).toBe(true);
  await put(10);
  const all = store.lastSeq();
  expect(await Promise.all([first, compactor.packNow(), compactor.packNow()])).toEqual(
    Array(3).fill({ kind: 'packed' }),
  );
  expect(packedSeq()).toBe(all);
});

test('another process that packs and a compactor that is closed are outcomes, not errors', async () => {
  const { compactor, put } = open(true);
  await put(1);
  expect(await compactor.packNow()).toEqual({ kind: 'busy' });
  await compactor.close();
  expect(await compactor.packNow()).toEqual({ kind: 'closed' });
});
