import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readManifest } from '../../src/index/packed/manifest.ts';
import { indexFolderOf } from '../../src/index/packed/read-ahead.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { runGleaner, startGleaner } from '../process.ts';
import { htmlPage, openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const own = ['--allow-private', '--delay', '0'];

/** Entries of the change log that are not packed. */
async function unpacked(data: string): Promise<number> {
  const store = openPageStore(data);
  try {
    return store.lastSeq() - (readManifest(indexFolderOf(data))?.seq ?? 0);
  } finally {
    await store.close();
  }
}

async function crawledSite() {
  const site = await openSite({ '/': htmlPage('Root', ['/heron']), '/heron': htmlPage('Heron') });
  const data = temporaryFolder();
  return { site, data, args: ['crawl', site.url('/'), ...own, '--data', data] };
}

function folderOfPages(count: number): string {
  const folder = join(temporaryFolder(), 'pages');
  mkdirSync(folder);
  for (let n = 0; n < count; n++) writeFileSync(join(folder, `${n}.html`), htmlPage(`Heron ${n}`));
  return folder;
}

test('a crawl of a few pages and an import end packed, and what they packed is found', async () => {
  const { data, args } = await crawledSite();
  const crawl = await runGleaner(...args);
  expect([crawl.code, await unpacked(data)]).toEqual([0, 0]);
  expect((await runGleaner('import', folderOfPages(3), '--data', data)).code).toBe(0);
  expect(await unpacked(data)).toBe(0);
  const found = await runGleaner('search', 'heron', '--json', '--data', data);
  expect(JSON.parse(found.stdout).total).toBe(5);
});

test('while another process packs, a crawl says so and ends all the same', async () => {
  const { data, args } = await crawledSite();
  const other = openPageStore(data);
  onTestFinished(() => other.close());
  const release = await other.acquireLock('packer');
  const { code, stdout, stderr } = await runGleaner(...args);
  await release?.();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^stored +2$/m);
  expect(stderr).toMatch(/^The index is not packed: another process is packing it\. Everything is stored/m);
});

test('an index folder that cannot be written is said in one line, and the pages are found', async () => {
  const { data, args } = await crawledSite();
  writeFileSync(join(data, 'index'), 'a file in the way');
  const { code, stderr } = await runGleaner(...args, '--json');
  expect(code).toBe(0);
  expect(stderr).toMatch(/^The index is not packed: .* is no folder: move it away.*\n$/);
});

test('Ctrl-C during the last packing ends it, and the next command packs', async () => {
  const data = temporaryFolder();
  // A packing that is stopped at once, since its worker takes longer to start than the signal to come.
  const command = startGleaner(['import', folderOfPages(300), '--data', data]);
  let stdout = '';
  command.child.stdout.on('data', (text) => {
    stdout += text;
  });
  await expect.poll(() => stdout, { timeout: 60_000 }).toMatch(/^stored +300$/m);
  command.child.kill('SIGINT');
  const { code, stderr } = await command.finished;
  expect(code).toBe(0);
  expect(stderr).toMatch(/The index is not packed: the packing was stopped\./);
  expect(await unpacked(data)).toBeGreaterThan(0);
  await runGleaner('import', folderOfPages(1), '--data', data);
  expect(await unpacked(data)).toBe(0);
  expect(readdirSync(indexFolderOf(data)).filter((file) => file.endsWith('.seg'))).toHaveLength(1);
});
