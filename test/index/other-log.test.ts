import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app/app.ts';
import { readManifest } from '../../src/index/packed/manifest.ts';
import { pack } from '../../src/index/packed/pack.ts';
import { verifyIndex } from '../../src/index/packed/verify-index.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Puts pages that hold a word, with a store of its own as every command has one. */
async function putPages(folder: string, word: string, count: number): Promise<void> {
  const store = openPageStore(folder);
  await store.write((writer) => {
    for (let n = 0; n < count; n++)
      writer.putPage(examplePage({ url: `https://${word}.example/${n}`, body: `heron ${word} ${n}` }));
  });
  await store.close();
}

async function packFolder(folder: string): Promise<void> {
  const store = openPageStore(folder);
  pack(store, join(folder, 'index'));
  await store.close();
}

/** An app over the folder, ready to answer, and what it warned of. */
async function startApp(folder: string) {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) };
  const app = openApp({ config: { dataFolder: folder }, log });
  onTestFinished(() => app.close());
  await app.prepare();
  const total = async (q: string) => (await app.index.search({ query: parseQuery(q), limit: 1 })).total;
  return { app, total, warnings };
}

const storeOf = (folder: string): string => join(folder, 'store');

test('a store put back from an older copy, which grew beyond the index since, is found whole and nothing else', async () => {
  const folder = temporaryFolder();
  const copy = temporaryFolder();
  await putPages(folder, 'first', 200);
  cpSync(storeOf(folder), copy, { recursive: true });
  await putPages(folder, 'lost', 100);
  await packFolder(folder);
  cpSync(copy, storeOf(folder), { recursive: true });
  await putPages(folder, 'later', 150);

  const { app, total } = await startApp(folder);
  expect([await total('heron'), await total('first'), await total('lost'), await total('later')]).toEqual([
    350, 200, 0, 150,
  ]);
  expect(app.index.stats()).toMatchObject({ pages: 350, needsPacking: false });
  await packFolder(folder);
  expect([await total('heron'), await total('lost')]).toEqual([350, 0]);
});

test('the index of another store is not taken for that of this one', async () => {
  const [one, other] = [temporaryFolder(), temporaryFolder()];
  await putPages(one, 'first', 20);
  await packFolder(one);
  await putPages(other, 'second', 30);
  cpSync(join(one, 'index'), join(other, 'index'), { recursive: true });
  const { total } = await startApp(other);
  expect([await total('first'), await total('second')]).toEqual([0, 30]);
});

test('a log that many opened and wrote keeps the index of each of them', async () => {
  const folder = temporaryFolder();
  await putPages(folder, 'first', 10);
  await packFolder(folder);
  for (let n = 0; n < 6; n++) {
    await putPages(folder, `word${n}`, 3);
    const store = openPageStore(folder);
    expect(pack(store, join(folder, 'index')).packed).toBe(3);
    await store.close();
  }
});

interface Written {
  version: number;
  seq: number;
  checksum?: number;
  segments: { file: string; dead: number[]; identity?: object }[];
}

/** The faults that were believed when nothing but the form of a manifest was looked at. */
const faults: Record<string, (manifest: Written) => void> = {
  'a segment dropped': ({ segments }) => void segments.shift(),
  'a segment twice': ({ segments }) => void segments.push(segments[0] as Written['segments'][number]),
  'half of the pages dead': ({ segments }) => {
    for (const segment of segments) segment.dead = Array.from({ length: 10 }, (_, page) => page * 2);
  },
  'dead pages that no segment has': ({ segments }) => {
    for (const segment of segments) segment.dead = [60_000];
  },
  'a seq beyond the log': (manifest) => {
    manifest.seq += 100;
  },
};

const versions = [1, 2] as const;
test.each(Object.keys(faults).flatMap((name) => versions.map((version) => ({ name, version }))))(
  'a manifest of version $version with $name is noticed, and mended by the next start',
  async ({ name, version }) => {
    const folder = temporaryFolder();
    await putPages(folder, 'first', 20);
    await packFolder(folder);
    await putPages(folder, 'second', 20);
    await packFolder(folder);
    const file = join(folder, 'index', 'manifest.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Written & { epoch?: string };
    if (version === 1) {
      manifest.version = 1;
      delete manifest.checksum;
      for (const segment of manifest.segments) delete segment.identity;
    }
    faults[name]?.(manifest);
    writeFileSync(file, JSON.stringify(manifest));
    const { app, total } = await startApp(folder);
    expect([await total('heron'), await total('first'), await total('second')]).toEqual([40, 20, 20]);
    expect(app.index.stats()).toMatchObject({ pages: 40, needsPacking: false });
    expect(readManifest(join(folder, 'index'))).toMatchObject({ version: 2, seq: 40 });
  },
);

test('a segment file that was put under the name of another one is noticed', async () => {
  const folder = temporaryFolder();
  await putPages(folder, 'first', 20);
  await packFolder(folder);
  await putPages(folder, 'second', 20);
  await packFolder(folder);
  const index = join(folder, 'index');
  const [one, other] = readManifest(index)?.segments ?? [];
  cpSync(join(index, one?.file ?? ''), join(index, other?.file ?? ''));
  const store = openPageStore(folder);
  expect(verifyIndex(index, { ...store, pages: () => [] }).findings).toEqual([
    expect.stringContaining('another file than the manifest lists'),
  ]);
  await store.close();
  const { total } = await startApp(folder);
  expect([await total('first'), await total('second')]).toEqual([20, 20]);
});

test('where the index is a file, answers come from the store', async () => {
  const folder = temporaryFolder();
  await putPages(folder, 'first', 20);
  writeFileSync(join(folder, 'index'), 'not a folder');
  const { total } = await startApp(folder);
  expect(await total('heron')).toBe(20);
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  expect(() => pack(store, join(folder, 'index'))).toThrow(/is no folder: move it away/);
});

test('an empty folder of an index is no damage', async () => {
  const folder = temporaryFolder();
  await putPages(folder, 'first', 2);
  mkdirSync(join(folder, 'index'));
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  expect(verifyIndex(join(folder, 'index'), { ...store, pages: () => [] }).findings).toEqual([]);
});
