import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app/app.ts';
import { silentLog } from '../../src/runtime.ts';
import { simhash } from '../../src/store/duplicates/simhash.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { createPageIntake } from '../../src/store/page/page-intake.ts';
import { createStructures } from '../../src/store/page/structures.ts';
import { encodeStructure } from '../../src/text/structure/marks.ts';
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
  await expect.poll(() => found('heron')).toEqual(['https://a.example/0', 'https://a.example/1']);
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

test('pages move to the address that is canonical now, with their structure', async () => {
  const dataFolder = temporaryFolder();
  const former = openPageStore(dataFolder);
  const intake = createPageIntake(former);
  const structure = encodeStructure({
    base: 'https://a.example/',
    marks: [{ kind: 'h', value: '2', start: 0, end: 5 }],
  });
  const escaped = examplePage({ url: 'https://a.example/%7Eann', title: 'Ann', body: `${heron} one` });
  const older = examplePage({ url: 'https://a.example/%41', title: 'Older', body: `${heron} two` });
  const newer = examplePage({ url: 'https://a.example/A', title: 'Newer', body: `${heron} three` });
  await former.write((writer) => {
    for (const page of [{ ...escaped, structure }, older, newer]) intake.put(writer, page);
  });
  await former.close();
  const { pageWriter, store, found } = open(dataFolder);
  await pageWriter.settled();
  const moved = pageId('https://a.example/~ann');
  expect(store.page(moved)).toMatchObject({
    url: 'https://a.example/~ann',
    title: 'Ann',
    body: escaped.body,
  });
  expect(createStructures(store).of(store.page(moved) as never)?.marks).toHaveLength(1);
  expect(store.has(escaped.id)).toBe(false);
  expect(store.head(pageId('https://a.example/A'))?.title).toBe('Newer');
  expect(store.pageCount()).toBe(2);
  expect(await found('ann')).toEqual(['https://a.example/~ann']);
});
