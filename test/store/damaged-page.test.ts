import { open } from 'lmdb';
import { expect, onTestFinished, test } from 'vitest';
import { openPageStore, storePath } from '../../src/store/lmdb-store.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { createPageIntake } from '../../src/store/page/page-intake.ts';
import { examplePage } from '../pages.ts';
import { runGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const page = (n: number) =>
  examplePage({ url: `https://docs.example/${n}`, title: `Page ${n}`, body: `Text of number ${n}.` });

/** As a flipped bit does: the head is not what its checksum says. */
async function damageHead(folder: string, id: string): Promise<void> {
  const root = open({ path: storePath(folder), maxDbs: 64 });
  const heads = root.openDB<object, string>('heads', {});
  await heads.put(id, { ...heads.get(id), title: 'Pagf' });
  await root.close();
}

async function damagedFolder(): Promise<{ folder: string; id: string }> {
  const folder = temporaryFolder();
  const filled = openPageStore(folder);
  const intake = createPageIntake(filled);
  await filled.write((writer) => {
    for (const n of [1, 2, 3]) intake.put(writer, page(n));
    intake.put(writer, examplePage({ url: 'https://other.example/', title: 'Other' }));
    // A copy, which needs another original once the damaged page is gone.
    intake.put(writer, { ...page(2), url: 'https://docs.example/b', id: pageId('https://docs.example/b') });
  });
  await filled.close();
  const { id } = page(2);
  await damageHead(folder, id);
  return { folder, id };
}

test('a page whose head is damaged is removed with all that is known of it', async () => {
  const { folder, id } = await damagedFolder();
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  const { remove } = createPageIntake(store);
  expect(await store.write((writer) => remove(writer, id))).toBe(true);
  const keysOf = (table: string) => [...store.table(table).entries()].map(([key]) => key);
  for (const table of ['host-pages', 'originals', 'fingerprints'])
    expect(keysOf(table).filter((key) => key.includes(id))).toEqual([]);
  expect(store.table('host-facts').get('docs.example')).toMatchObject({ pages: 3 });
  expect(store.pageCount()).toBe(4);
  const heir = store.head(pageId('https://docs.example/b'));
  expect(heir?.title).toBe('Page 2');
  expect(heir?.copyOf).toBeUndefined();
});

test('gleaner remove takes the URL of a damaged page', async () => {
  const { folder } = await damagedFolder();
  const removed = await runGleaner('remove', page(2).url, '--data', folder);
  expect(removed).toMatchObject({ code: 0, stdout: 'Removed 1 page.\n' });
  expect((await runGleaner('verify', '--data', folder)).code).toBe(0);
});
