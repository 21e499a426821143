import {
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { followStore } from '../../../src/index/follow.ts';
import { openIndex } from '../../../src/index/open-index.ts';
import { readManifest } from '../../../src/index/packed/manifest.ts';
import { pack } from '../../../src/index/packed/pack.ts';
import { createSegmentMapping } from '../../../src/index/packed/segment-mapping.ts';
import { verifyIndex } from '../../../src/index/packed/verify-index.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { silentLog } from '../../../src/runtime.ts';
import { checkedMark, isValueFile, valueOffset } from '../../../src/store/lmdb/value-file.ts';
import { openPageStore } from '../../../src/store/lmdb-store.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const bootOffset = checkedMark(0n).offset;
const everySize = { log: silentLog, minBytes: 1 };
const queries = [
  'heron',
  'heron pond',
  'pond -egret',
  'intitle:page',
  'site:a.example heron',
  'egret OR "pond 1"',
];

/** A store of some pages, packed so that segments of every size can be mapped, and how to open an index over it. */
async function mappedFolder(count: number) {
  const dataFolder = temporaryFolder();
  const store = openPageStore(dataFolder);
  onTestFinished(() => store.close());
  const folder = join(dataFolder, 'index');
  const put = (first: number, last: number, body = 'heron pond') =>
    store.write((writer) => {
      for (let n = first; n < last; n++) {
        const text = `${body} ${n} ${n % 7 ? '' : 'egret'}`;
        writer.putPage(examplePage({ url: `https://a.example/${n}`, title: `Page ${n}`, body: text }));
      }
    });
  await put(0, count);
  pack(store, folder, createSegmentMapping(everySize));
  const open = async (enabled = true) => {
    const mapping = createSegmentMapping({ ...everySize, enabled });
    const index = openIndex({ folder, log: silentLog, changeLog: store, mapping });
    const follower = followStore({ store, index, log: silentLog, pollMs: 60_000 });
    onTestFinished(async () => {
      await follower.stop();
      await index.close();
    });
    await follower.catchUp();
    const ask = async (q: string) => {
      const { hits, ...answer } = await index.search({ query: parseQuery(q), limit: 1000 });
      return { ...answer, hits: hits.map(({ marks: _, ...hit }) => hit) };
    };
    return { index, follower, ask };
  };
  const files = () => readdirSync(folder).filter((file) => file.endsWith('.seg'));
  const expected = { ...store, pages: () => [...store.heads()].map(({ id }) => [id, 0] as const) };
  return { store, folder, put, open, files, check: () => verifyIndex(folder, expected).findings };
}

/** Changes bytes of a file in place: a mapped file is never truncated. */
function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes, { flag: 'r+' });
}

/** As `change`, without a trace in the time of the last change, as where a disk loses bits. */
function damageUnseen(path: string, edit: (bytes: Buffer) => void): void {
  const { mtimeMs } = statSync(path);
  change(path, edit);
  utimesSync(path, mtimeMs / 1000, mtimeMs / 1000);
}

test('an index answers from mapped segments what it answers from segments that were read', async () => {
  const { open, files, folder, check } = await mappedFolder(300);
  expect(files().map((file) => isValueFile(readFileSync(join(folder, file))))).toEqual([true]);
  const mapped = await open();
  const read = await open(false);
  expect(mapped.index.stats()).toMatchObject({ pages: 300, segments: 1, mappedSegments: 1, livePages: 0 });
  expect(read.index.stats()).toMatchObject({ pages: 300, segments: 1, mappedSegments: 0, livePages: 0 });
  for (const q of queries) {
    const answer = await mapped.ask(q);
    expect(answer.total).toBeGreaterThan(0);
    expect(answer).toEqual(await read.ask(q));
  }
  expect(check()).toEqual([]);
});

test('small segments are read, and their files have no frame', async () => {
  const { store, folder, files, open } = await mappedFolder(20);
  const other = join(folder, '..', 'other');
  pack(store, other);
  const [file = ''] = readdirSync(other).filter((name) => name.endsWith('.seg'));
  expect(readFileSync(join(other, file), 'latin1').slice(0, 8)).toBe('GLEANSEG');
  expect(readdirSync(other).sort()).toEqual(['manifest.json', file].sort());
  const index = openIndex({ folder: other, log: silentLog });
  expect(index.stats()).toMatchObject({ segments: 1, mappedSegments: 0 });
  await index.close();
  expect([files().length, (await open()).index.stats().mappedSegments]).toEqual([1, 1]);
});

test('an index that is open goes on with segments that were replaced, and takes over the new ones', async () => {
  const { store, folder, put, open, files } = await mappedFolder(50);
  const { index, follower, ask } = await open();
  const before = files();
  for (let round = 1; round < 6; round++) {
    await put(50 * round, 50 * round + 50);
    pack(store, folder, createSegmentMapping(everySize));
    await put(0, 25, `round${round}`);
    pack(store, folder, createSegmentMapping(everySize));
  }
  expect(files()).not.toEqual(expect.arrayContaining(before));
  expect((await ask('heron')).total).toBe(50);
  await index.refresh();
  await follower.catchUp();
  expect((await ask('heron')).total).toBe(275);
  expect((await ask('round5')).total).toBe(25);
  const { segments, mappedSegments } = index.stats();
  expect(mappedSegments).toBe(segments);
  const listed = readManifest(folder)?.segments.map(({ file }) => file) ?? [];
  const locks = readdirSync(folder).filter((name) => name.includes('-lock'));
  expect(listed.map((file) => `${file}-lock`)).toEqual(expect.arrayContaining(locks));
});

test.each([
  ['its frame', (path: string) => change(path, (bytes) => bytes.fill(1, 5000, 5001))],
  [
    'its header',
    (path: string) => change(path, (bytes) => bytes.fill(1, valueOffset + 30, valueOffset + 31)),
  ],
  ['its length', (path: string) => truncateSync(path, valueOffset + 100)],
  ['all of it', (path: string) => truncateSync(path, 0)],
])(
  'a segment with damage to %s is not mapped; the store answers, and the next packing mends it',
  async (_, damage) => {
    const { store, folder, open, files, check } = await mappedFolder(30);
    damage(join(folder, files()[0] ?? ''));
    const { index, follower, ask } = await open();
    expect(index.stats()).toMatchObject({ livePages: 30, mappedSegments: 0, needsPacking: true });
    expect((await ask('heron')).total).toBe(30);
    expect(check()).toHaveLength(1);
    pack(store, folder, createSegmentMapping(everySize));
    await index.refresh();
    await follower.catchUp();
    expect(index.stats()).toMatchObject({ pages: 30, livePages: 0, mappedSegments: 1 });
    expect(check()).toEqual([]);
  },
);

test('damage within a mapped segment ends no process: verify finds it, and merging packs it again', async () => {
  const { store, folder, put, open, files, check } = await mappedFolder(30);
  damageUnseen(join(folder, files()[0] ?? ''), (bytes) =>
    bytes.fill(0xa5, valueOffset + 1200, valueOffset + 1204),
  );
  expect((await open()).index.stats()).toMatchObject({ mappedSegments: 1, livePages: 0 });
  expect(check()).toEqual([expect.stringContaining('checksum of section')]);
  // More than a quarter of its pages are dead, so it is rewritten.
  await put(0, 20, 'bittern');
  pack(store, folder, createSegmentMapping(everySize));
  expect(check()).toEqual([]);
  const { ask } = await open();
  expect([(await ask('heron')).total, (await ask('bittern')).total]).toEqual([10, 20]);
});

test('whatever bytes of a mapped segment are damaged, searching answers or throws', async () => {
  const { folder, files } = await mappedFolder(60);
  const path = join(folder, files()[0] ?? '');
  const whole = `${path}.whole`;
  copyFileSync(path, whole);
  const changedAt = statSync(path).mtimeMs;
  const { length } = readFileSync(path);
  const damage = fc.array(fc.tuple(fc.integer({ min: valueOffset + 400, max: length - 1 }), fc.nat(255)), {
    minLength: 1,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(damage, async (bytesToChange) => {
      writeFileSync(path, readFileSync(whole), { flag: 'r+' });
      utimesSync(path, changedAt / 1000, changedAt / 1000);
      damageUnseen(path, (bytes) => {
        for (const [offset, byte] of bytesToChange) bytes[offset] = byte;
      });
      const mapping = createSegmentMapping(everySize);
      const index = openIndex({ folder, log: silentLog, mapping });
      for (const q of queries) await index.search({ query: parseQuery(q), limit: 10 }).catch(() => {});
      await index.close();
    }),
    { numRuns: 60 },
  );
});

test('a segment from before the machine was started again is checked once', async () => {
  const { folder, open, files, check } = await mappedFolder(30);
  const path = join(folder, files()[0] ?? '');
  const setBoot = (id: bigint) => change(path, (bytes) => bytes.writeBigInt64LE(id, bootOffset));
  const bootOf = () => readFileSync(path).readBigInt64LE(bootOffset);
  setBoot(12345n);
  expect((await open()).index.stats()).toMatchObject({ mappedSegments: 1, livePages: 0 });
  expect([bootOf(), check()]).toEqual([0n, []]);
  setBoot(12345n);
  change(path, (bytes) => bytes.fill(0xa5, valueOffset + 1200, valueOffset + 1204));
  expect((await open()).index.stats()).toMatchObject({ mappedSegments: 0, livePages: 30 });
  expect(bootOf()).toBe(12345n);
});

test('a segment that was changed since it was written is checked, and one that was only copied is checked once', async () => {
  const { folder, open, files, check } = await mappedFolder(30);
  const path = join(folder, files()[0] ?? '');
  const bootOf = () => readFileSync(path).readBigInt64LE(bootOffset);
  const boot = bootOf();
  expect((await open()).index.stats()).toMatchObject({ mappedSegments: 1, livePages: 0 });
  expect(bootOf()).toBe(boot);
  utimesSync(path, 1, 1);
  expect((await open()).index.stats()).toMatchObject({ mappedSegments: 1, livePages: 0 });
  expect([bootOf(), check()]).toEqual([0n, []]);
  const { mtimeMs } = statSync(path);
  expect((await open()).index.stats()).toMatchObject({ mappedSegments: 1 });
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
  change(path, (bytes) => bytes.fill(0xa5, valueOffset + 1200, valueOffset + 1204));
  expect((await open()).index.stats()).toMatchObject({ mappedSegments: 0, livePages: 30 });
});

test('a large segment of an earlier version is read, and the next packing makes it one that can be mapped', async () => {
  const { store, put, open, folder } = await mappedFolder(0);
  await put(0, 40);
  pack(store, folder);
  await put(0, 5, 'egret');
  pack(store, folder);
  expect((await open()).index.stats()).toMatchObject({ pages: 40, segments: 2, mappedSegments: 0 });
  await put(40, 41);
  pack(store, folder, createSegmentMapping(everySize));
  const { index, ask } = await open();
  const { pages, segments, mappedSegments, livePages } = index.stats();
  expect([pages, livePages, mappedSegments]).toEqual([41, 0, segments]);
  expect((await ask('heron')).total).toBe(36);
});

test('where a file cannot be mapped, it and all others are read, and that is said once', async () => {
  const { folder, files } = await mappedFolder(30);
  const messages: string[] = [];
  const log = { ...silentLog, info: (_: object, message: string) => void messages.push(message) };
  const mapping = createSegmentMapping({ ...everySize, log });
  const failing = { ...mapping, map: (path: string, bytes: number) => mapping.map(`${path}.gone`, bytes) };
  const index = openIndex({ folder, log, mapping: failing });
  expect(index.stats()).toMatchObject({ segments: files().length, mappedSegments: 0, pages: 30 });
  expect([mapping.isUsable(), mapping.map('another', 1), messages]).toEqual([
    false,
    undefined,
    ['segments of the index are read, because they cannot be mapped'],
  ]);
  await index.close();
});
