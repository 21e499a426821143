import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app/app.ts';
import { silentLog } from '../../src/runtime.ts';
import { simhash } from '../../src/store/duplicates/simhash.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const heron = Array.from({ length: 400 }, (_, n) => `heron fact number ${n}`).join(' ');

/** A folder as versions before 'review' wrote it: by their rule a page of one template is a copy of another. */
async function oldFolder(titles: readonly string[]): Promise<string> {
  const dataFolder = temporaryFolder();
  const store = openPageStore(dataFolder);
  const fingerprints = store.table('fingerprints');
  const originals = store.table('originals');
  const members = store.table('copies');
  const pages = titles.map((title, n) => examplePage({ url: `https://a.example/${n}`, title, body: heron }));
  const [first] = pages;
  await store.write((writer) => {
    for (const page of pages) {
      const isCopy = page !== first && first !== undefined;
      const text = `${page.title}\n${page.body}`;
      const exact = createHash('sha256').update(text).digest('hex').slice(0, 16);
      const near = simhash(text) as string;
      writer.put(fingerprints, page.id, { kind: 'html en', exact, near });
      if (isCopy) writer.put(members, `${first.id} a.example ${page.id}`, true);
      else {
        writer.put(originals, `html en x${exact} ${page.id}`, near);
        for (const piece of [0, 4, 8, 12])
          writer.put(originals, `html en ${piece}${near.slice(piece, piece + 4)} ${page.id}`, near);
      }
      writer.putPage({ ...page, ...(isCopy && { copyOf: first.id, isHidden: true }) });
    }
  });
  await store.close();
  return dataFolder;
}

function open(dataFolder: string) {
  const app = openApp({ config: { dataFolder }, log: silentLog });
  onTestFinished(() => app.close());
  const found = async (q: string) =>
    (await app.engine.search({ q, limit: 100, offset: 0 })).results.map(({ url }) => url).sort();
  return { ...app, found };
}

test('pages that an older version hid are found again without a crawl', async () => {
  const { prepare, found } = open(await oldFolder(['Struct Drain', 'Struct Args', 'Struct Drain']));
  await prepare();
  await expect
    .poll(() => found('heron'), { timeout: 10_000 })
    .toEqual(['https://a.example/0', 'https://a.example/1']);
});

test('what it filed is removed and put again like any other page', async () => {
  const { pageWriter, found, store } = open(await oldFolder(['Drain', 'Drain', 'Drain']));
  await pageWriter.settled();
  expect(await found('heron')).toEqual(['https://a.example/0']);
  await pageWriter.remove(examplePage({ url: 'https://a.example/0' }).id);
  expect(await found('heron')).toHaveLength(1);
  for (const n of [1, 2]) await pageWriter.remove(examplePage({ url: `https://a.example/${n}` }).id);
  for (const name of ['fingerprints', 'originals', 'copies']) expect(store.table(name).count()).toBe(0);
});

test('a process that ends in between leaves the rest to the next', async () => {
  const dataFolder = await oldFolder(Array.from({ length: 100 }, (_, n) => `Struct ${n}`));
  const one = openApp({ config: { dataFolder }, log: silentLog });
  await one.prepare();
  await one.close();
  const { pageWriter, found } = open(dataFolder);
  await pageWriter.settled();
  expect(await found('heron')).toHaveLength(100);
});
