import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../../src/app/app.ts';
import { type Manifest, readManifest } from '../../../src/index/packed/manifest.ts';
import { pack } from '../../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../../src/index/packed/read-ahead.ts';
import { openParts } from '../../../src/index/packed/segment-files.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { silentLog } from '../../../src/runtime.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { asFirstVersion } from '../segment/older-versions.ts';

const pages = ['heron', 'egret'].map((name) =>
  examplePage({ url: `https://birds.example/${name}`, title: name, body: `The ${name} is a wading bird.` }),
);

/** Makes of a packed folder what the version before marks would have left there. */
function makeOlder(folder: string): void {
  const path = join(folder, 'manifest.json');
  const { checksum: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8')) as Manifest & {
    checksum: number;
  };
  const segments = manifest.segments.map(({ file, dead }) => {
    const bytes = asFirstVersion(readFileSync(join(folder, file)));
    writeFileSync(join(folder, file), bytes);
    const crc = new DataView(bytes.buffer).getUint32(20, true);
    return { file, dead, identity: { pages: pages.length, bytes: bytes.length, crc } };
  });
  const older = { ...manifest, termsVersion: 2, segments };
  writeFileSync(path, JSON.stringify({ ...older, checksum: crc32(JSON.stringify(older)) }));
}

function hasMarks(folder: string): boolean[] {
  const manifest = readManifest(folder);
  const opened = manifest && openParts(folder, manifest);
  if (opened?.kind !== 'parts') throw new Error('no segments');
  return opened.parts.map(({ segment }) => segment.marks !== undefined);
}

test('a folder of the first version of the format answers, and the next packing gives its pages marks', async () => {
  const dataFolder = temporaryFolder();
  const folder = indexFolderOf(dataFolder);
  const first = openApp({ config: { dataFolder }, log: silentLog });
  for (const page of pages) await first.pageWriter.put(page);
  pack(first.store, folder);
  await first.close();
  makeOlder(folder);
  expect(hasMarks(folder)).toEqual([false]);

  const app = openApp({ config: { dataFolder }, log: silentLog });
  onTestFinished(() => app.close());
  const hits = async () => (await app.index.search({ query: parseQuery('heron'), limit: 10 })).hits;
  expect((await hits()).map(({ id, marks }) => [id, marks])).toEqual([[pages[0]?.id, undefined]]);
  const { results } = await app.engine.search({ q: 'heron', limit: 10, offset: 0 });
  expect(results.map(({ url }) => url)).toEqual([pages[0]?.url]);
  await app.prepare();
  await expect.poll(() => hasMarks(folder)).toEqual([true]);
  await app.index.refresh();
  expect((await hits()).map(({ marks }) => marks?.title)).toEqual(['heron']);
});
