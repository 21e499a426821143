import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app/app.ts';
import { pack } from '../../src/index/packed/pack.ts';
import type { Page } from '../../src/page.ts';
import { silentLog } from '../../src/runtime.ts';
import { createCopies } from '../../src/store/duplicates/near-duplicates.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { runGleaner } from '../process.ts';
import { startWriter } from '../store/other-writer.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A packed folder of ten pages; the text of the fourth page is damaged where asked for. */
async function folderOf({ damaged }: { damaged: boolean }): Promise<{ folder: string; page: Page }> {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  const copies = createCopies(store);
  const pages = Array.from({ length: 10 }, (_, n) =>
    examplePage({
      url: `https://a.example/${n}`,
      title: `Page ${n}`,
      body: `heron pond ${n * 7} unpacked${n}`,
    }),
  );
  await store.write((writer) => {
    for (const page of pages) copies.put(writer, page);
  });
  pack(store, join(folder, 'index'));
  await store.close();
  const data = join(folder, 'store', 'data.mdb');
  if (damaged) {
    const bytes = readFileSync(data);
    for (let at = bytes.indexOf('unpacked4'); at >= 0; at = bytes.indexOf('unpacked4', at + 1))
      bytes[at] = 0x55;
    writeFileSync(data, bytes);
  }
  return { folder, page: pages[4] as Page };
}

test('verify says that a whole folder is whole', async () => {
  const { folder } = await folderOf({ damaged: false });
  const { code, stdout } = await runGleaner('verify', '--data', folder);
  expect(stdout).toMatch(/^pages +10 +0$/m);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Everything is whole.')]);
});

test('verify names what is damaged, and --repair keeps the rest, names what is lost and keeps the old file', async () => {
  const { folder, page } = await folderOf({ damaged: true });
  const found = await runGleaner('verify', '--data', folder, '--json');
  expect(found.code).toBe(1);
  expect(JSON.parse(found.stdout)).toMatchObject({
    whole: false,
    findings: expect.arrayContaining([
      { part: 'pages', what: `${page.url}: its text is not what was stored` },
    ]),
  });
  const repaired = await runGleaner('verify', '--data', folder, '--repair');
  expect([repaired.code, repaired.stderr]).toEqual([
    1,
    'gleaner: the data folder is damaged (what is whole was kept)\n',
  ]);
  expect(repaired.stdout).toMatch(/Kept 9 pages/);
  expect(repaired.stdout).toContain(`Lost 1 pages; crawl or import them again:\n  ${page.url}\n`);
  expect(readdirSync(join(folder, 'store')).some((name) => name.startsWith('data.mdb.damaged-'))).toBe(true);
  expect(existsSync(join(folder, 'index'))).toBe(false);
  const { code, stdout } = await runGleaner('verify', '--data', folder);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Everything is whole.')]);
});

test('a damaged page has an error of its own and a line in the log, searches leave it out from then on, and a crawl mends it', async () => {
  const { folder, page } = await folderOf({ damaged: true });
  const errors: object[] = [];
  const log = { ...silentLog, error: (details: object) => void errors.push(details) };
  const app = openApp({ config: { dataFolder: folder }, log });
  onTestFinished(() => app.close());
  await app.prepare();
  const ask = { q: 'heron', limit: 20, offset: 0 } as Parameters<typeof app.engine.search>[0];
  const result = (await app.engine.search(ask)).results.find(({ url }) => url === page.url);
  expect(result?.snippet).toContain('heron');
  await expect(app.engine.content(page.id)).rejects.toMatchObject({ code: 'damaged', status: 500 });
  expect(errors).toEqual([{ page: page.id, why: 'its text is not what was stored' }]);
  expect(app.store.damagedPages()).toBe(1);
  const left = (await app.engine.search({ ...ask, limit: 19 })).results.map(({ url }) => url);
  expect(left).toHaveLength(9);
  expect(left).not.toContain(page.url);
  await app.pageWriter.put(page);
  expect((await app.engine.content(page.id)).title).toBe('Page 4');
  expect((await app.engine.search(ask)).results).toHaveLength(10);
});

test('while another process writes, verify reads one state, and --repair is refused', async () => {
  const folder = temporaryFolder();
  const { child, reaches } = startWriter(folder);
  await reaches(50);
  const { code, stdout } = await runGleaner('verify', '--data', folder);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Everything is whole.')]);
  child.kill('SIGSTOP');
  const data = join(folder, 'store', 'data.mdb');
  const bytes = readFileSync(data);
  bytes.fill(0, 0, 200);
  const before = readFileSync(data).subarray(0, 200);
  writeFileSync(data, bytes);
  const refused = await runGleaner('verify', '--data', folder, '--repair');
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`process ${child.pid} has the store open`),
  });
  writeFileSync(data, Buffer.concat([before, bytes.subarray(200)]));
  child.kill('SIGKILL');
});
