import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { followStore } from '../../src/index/follow.ts';
import { openIndex } from '../../src/index/open-index.ts';
import { readManifest } from '../../src/index/packed/manifest.ts';
import { pack } from '../../src/index/packed/pack.ts';
import { createSegmentMapping } from '../../src/index/packed/segment-mapping.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** What one packing of so small an index may leave: the segments that were listed before, and as many written. */
const mostLeftovers = 24;
const packProcess = fileURLToPath(new URL('./pack-process.mjs', import.meta.url));

/** A process that is loaded but does nothing until `go`. */
function startPacker(folder: string, minMapped: readonly string[]) {
  const child = spawn(process.execPath, [packProcess, folder, ...minMapped], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  return {
    go: async () => {
      child.stdin.write('go\n');
      await once(child.stdout, 'data');
    },
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
      const lines = printed.split('\n').slice(0, -1);
      const acknowledged = Number(lines.findLast((line) => /^\d+$/.test(line)));
      return { acknowledged, wasPacking: lines.at(-1) === 'packing' };
    },
  };
}

function segmentFiles(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.seg')) : [];
}

/** Opens what a killed process has left and compares the index with the store, which is the truth. */
async function checkFolder(folder: string, acknowledged: number): Promise<{ unlisted: number }> {
  const indexFolder = join(folder, 'index');
  const listed = readManifest(indexFolder)?.segments.map(({ file }) => file) ?? [];
  const files = segmentFiles(indexFolder);
  expect(files).toEqual(expect.arrayContaining(listed));

  const store = openPageStore(folder);
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) };
  const index = openIndex({ folder: indexFolder, log, mapping: createSegmentMapping({ log, minBytes: 1 }) });
  const follower = followStore({ store, index, log, pollMs: 60_000 });
  try {
    await follower.catchUp();
    expect(warnings).toEqual([]);
    expect(store.lastSeq()).toBeGreaterThanOrEqual(acknowledged);
    expect(index.stats()).toMatchObject({ pages: store.pageCount(), seq: store.lastSeq() });
    for (const word of ['heron', 'kind0', 'kind1', 'kind2', 'kind3']) {
      const expected = [...store.heads()].map(
        ({ id }) => store.page(id)?.body.split(' ').includes(word) && id,
      );
      const { total, hits } = await index.search({ query: parseQuery(word), limit: 1000 });
      expect(hits.map(({ id }) => id).sort()).toEqual(expected.filter(Boolean).sort());
      expect(total).toBe(hits.length);
    }
  } finally {
    await follower.stop();
    await index.close();
    await store.close();
  }
  return { unlisted: files.length - listed.length };
}

test.each([
  ['on the heap', 80, []],
  ['mapped', 20, ['1']],
])(
  'a process that packs, with segments %s, may be killed at any point: the index still holds what the store holds',
  async (_, kills, minMapped) => {
    const folder = temporaryFolder();
    let next = startPacker(folder, minMapped);
    let whilePacking = 0;
    let mostUnlisted = 0;
    for (let round = 0; round < kills; round++) {
      const packer = next;
      next = startPacker(folder, minMapped);
      await packer.go();
      await after(Math.random() * 80);
      const { acknowledged, wasPacking } = await packer.kill();
      whilePacking += Number(wasPacking);
      const { unlisted } = await checkFolder(folder, acknowledged);
      mostUnlisted = Math.max(mostUnlisted, unlisted);
    }
    await next.kill();
    process.stdout.write(
      `${whilePacking} of ${kills} kills came while packing; at most ${mostUnlisted} files were unlisted\n`,
    );
    expect(whilePacking).toBeGreaterThan(0);
    expect(mostUnlisted).toBeLessThanOrEqual(mostLeftovers);

    const indexFolder = join(folder, 'index');
    const store = openPageStore(folder);
    onTestFinished(() => store.close());
    pack(store, indexFolder);
    const listed = readManifest(indexFolder)?.segments.map(({ file }) => file) ?? [];
    const left = readdirSync(indexFolder).filter((file) => !listed.includes(file.replace('-lock', '')));
    expect(left).toEqual(['manifest.json']);
    expect(statSync(join(folder, 'store')).size).toBeLessThan(4 << 20);
  },
  120_000,
);
