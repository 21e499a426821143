import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app/app.ts';
import { readManifest } from '../../src/index/packed/manifest.ts';
import { pack } from '../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import { silentLog } from '../../src/runtime.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const pivot = examplePage({
  url: 'https://help.example/pivot',
  title: 'Pivot table',
  body: 'How to make one.',
  siteName: 'LibreOffice Help',
});

test.each(['live', 'packed'])('a page is found by its site’s name, but not by title (%s)', async (tier) => {
  const dataFolder = temporaryFolder();
  const app = openApp({ config: { dataFolder }, log: silentLog });
  onTestFinished(() => app.close());
  await app.pageWriter.put(pivot);
  if (tier === 'packed') {
    pack(app.store, indexFolderOf(dataFolder));
    await app.index.refresh();
  }
  const total = async (q: string) => (await app.engine.search({ q, limit: 10, offset: 0 })).total;
  expect(await total('libreoffice pivot table')).toBe(1);
  expect(await total('intitle:libreoffice')).toBe(0);
});

test.each([1, 2])(
  'an index that an older version packed answers, and is packed again (%i)',
  async (version) => {
    const dataFolder = temporaryFolder();
    const folder = indexFolderOf(dataFolder);
    const first = openApp({ config: { dataFolder }, log: silentLog });
    await first.pageWriter.put(pivot);
    pack(first.store, folder);
    await first.close();
    const path = join(folder, 'manifest.json');
    const { termsVersion: _, checksum: __, ...packed } = JSON.parse(readFileSync(path, 'utf8'));
    const older = { ...packed, version };
    const checksum = version === 1 ? undefined : crc32(JSON.stringify(older));
    writeFileSync(path, JSON.stringify({ ...older, checksum }));

    const app = openApp({ config: { dataFolder }, log: silentLog });
    onTestFinished(() => app.close());
    expect((await app.engine.search({ q: 'pivot', limit: 10, offset: 0 })).total).toBe(1);
    await app.prepare();
    await expect.poll(() => readManifest(folder)?.termsVersion).toBe(3);
  },
);
