import { open } from 'lmdb';
import { expect, onTestFinished, test } from 'vitest';
import { openPageStore, storePath } from '../../../src/store/lmdb-store.ts';
import { beginningLength, endingLength, longBodyLength } from '../../../src/store/page/beginnings.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const url = 'https://a.example/book';
const text = (length: number) => 'A heron stands in the pond. '.repeat(length / 28 + 1).slice(0, length);
const book = examplePage({ url, body: text(longBodyLength + 1), headings: 'One\nTwo' });

function openStore() {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  onTestFinished(() => store.close());
  return { store, folder, put: (page = book) => store.write((writer) => writer.putPage(page)) };
}

test('of a long page the beginning is read by itself, with how long the body is and how it ends', async () => {
  const { store, put } = openStore();
  await put();
  expect(store.beginning(book.id)).toEqual({
    page: { ...book, body: book.body.slice(0, beginningLength) },
    bodyLength: book.body.length,
    ending: book.body.slice(-endingLength),
  });
  expect(store.page(book.id)).toEqual(book);
});

test('any other page is its own beginning', async () => {
  const { store, put } = openStore();
  const page = { ...book, body: text(longBodyLength) };
  await put(page);
  expect(store.beginning(page.id)).toEqual({
    page,
    bodyLength: page.body.length,
    ending: page.body.slice(-endingLength),
  });
});

test('a beginning goes with its page, and changes with it', async () => {
  const { store, put } = openStore();
  await put();
  const longer = { ...book, body: `Anew. ${book.body}`, crawledAt: book.crawledAt + 1 };
  await put(longer);
  expect(store.beginning(book.id)?.page.body).toBe(longer.body.slice(0, beginningLength));
  const short = { ...book, body: 'Hardly a book.' };
  await put(short);
  expect(store.beginning(book.id)?.page).toEqual(short);
  await store.write((writer) => writer.removePage(book.id));
  expect(store.beginning(book.id)).toBeUndefined();
});

test('a mark on a page leaves its beginning', async () => {
  const { store, put } = openStore();
  await put();
  await store.write((writer) => writer.markPage(book.id, { copyOf: 'another' }));
  expect(store.beginning(book.id)?.page).toMatchObject({
    copyOf: 'another',
    body: book.body.slice(0, beginningLength),
  });
});

test('a beginning never ends inside a character', async () => {
  const { store, put } = openStore();
  await put({ ...book, body: `${'x'.repeat(beginningLength - 1)}🪶${text(longBodyLength)}` });
  expect(store.beginning(book.id)?.page.body).toBe('x'.repeat(beginningLength - 1));
});

test('a page that an older Gleaner replaced, which knows of no beginnings, is read whole', async () => {
  const { store, folder, put } = openStore();
  await put();
  const other = { ...book, body: `Another edition. ${book.body}`, crawledAt: book.crawledAt + 1 };
  const { body, headings, ...head } = other;
  const root = open({ path: storePath(folder), maxDbs: 64 });
  await root.openDB({ name: 'heads' }).put(other.id, head);
  await root.openDB({ name: 'texts', compression: true }).put(other.id, { headings, body });
  await root.close();
  await expect.poll(() => store.beginning(other.id)).toMatchObject({ page: other, bodyLength: body.length });
});
