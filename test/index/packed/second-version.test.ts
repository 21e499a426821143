import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { followStore } from '../../../src/index/follow.ts';
import { openIndex } from '../../../src/index/open-index.ts';
import { type Manifest, readManifest } from '../../../src/index/packed/manifest.ts';
import { pack } from '../../../src/index/packed/pack.ts';
import { indexFolderOf } from '../../../src/index/packed/read-ahead.ts';
import { verifyIndex } from '../../../src/index/packed/verify-index.ts';
import type { Page } from '../../../src/page.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { silentLog } from '../../../src/runtime.ts';
import { openPageStore } from '../../../src/store/lmdb-store.ts';
import type { PageStore } from '../../../src/store/page-store.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { sampleAverages, samplePages } from '../segment/older-versions.ts';

const sample = readFileSync(new URL('../../samples/segments/version-2.seg', import.meta.url));

/** Puts the segment of version 2 in the place of the one that was packed. */
function makeOlder(folder: string): void {
  const { segments, ...rest } = readManifest(folder) as Manifest;
  const [segment] = segments as [Manifest['segments'][number]];
  writeFileSync(join(folder, segment.file), sample);
  const identity = { pages: samplePages.length, bytes: sample.length, crc: sample.readUInt32LE(20) };
  const older = { ...rest, averageLengths: [...sampleAverages], segments: [{ ...segment, identity }] };
  writeFileSync(
    join(folder, 'manifest.json'),
    JSON.stringify({ ...older, checksum: crc32(JSON.stringify(older)) }),
  );
}

function versions(folder: string): number[] {
  const { segments } = readManifest(folder) as Manifest;
  return segments.map(({ file }) => readFileSync(join(folder, file)).readUInt32LE(8)).sort();
}

async function put(store: PageStore, pages: readonly Page[]): Promise<void> {
  await store.write((writer) => {
    for (const page of pages) writer.putPage(page);
  });
}

test('a folder of version 2 answers, and is packed anew bit by bit as its segments are merged', async () => {
  const dataFolder = temporaryFolder();
  const folder = indexFolderOf(dataFolder);
  const store = openPageStore(dataFolder);
  onTestFinished(() => store.close());
  await put(store, samplePages);
  pack(store, folder);
  makeOlder(folder);

  const index = openIndex({ folder, log: silentLog, changeLog: store });
  const follower = followStore({ store, index, log: silentLog, pollMs: 60_000 });
  onTestFinished(async () => {
    await follower.stop();
    await index.close();
  });
  let more: Page[] = [];
  const check = async () => {
    await index.refresh();
    await follower.catchUp();
    const holding = (text: string) =>
      [...samplePages, ...more].filter(({ title, body }) => `${title} ${body}`.toLowerCase().includes(text));
    for (const word of ['leaf', 'heron', 'sentence', '数据库']) {
      const { total, hits } = await index.search({ query: parseQuery(word), limit: 100 });
      const expected = holding(word).map(({ id }) => id);
      expect([word, total, hits.map(({ id }) => id).sort()]).toEqual([
        word,
        expected.length,
        expected.sort(),
      ]);
    }
  };
  const pages = () => [...store.heads()].map(({ id }) => [id, 0] as const);
  await check();
  expect(versions(folder)).toEqual([2]);
  for (const expected of [[2, 3], [2, 3, 3], [3]]) {
    const batch = Array.from({ length: 5 }, (_, n) =>
      examplePage({ url: `https://new.example/${more.length + n}`, title: 'Heron', body: 'A new sentence.' }),
    );
    more = [...more, ...batch];
    await put(store, batch);
    await check();
    expect(pack(store, folder).packed).toBe(5);
    expect(versions(folder)).toEqual(expected);
    expect(verifyIndex(folder, { ...store, pages }).findings).toEqual([]);
    await check();
  }
});
