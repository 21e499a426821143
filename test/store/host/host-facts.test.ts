import { describe, expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../../src/app/app.ts';
import type { Page } from '../../../src/page.ts';
import { silentLog } from '../../../src/runtime.ts';
import { openPageStore } from '../../../src/store/lmdb-store.ts';
import { pageId } from '../../../src/store/page/page-id.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const host = 'https://docs.example';

function open(dataFolder = temporaryFolder()) {
  const app = openApp({ config: { dataFolder }, log: silentLog });
  onTestFinished(() => app.close());
  const find = async (q: string) => (await app.engine.search({ q, limit: 100, offset: 0 })).results;
  return { ...app, find };
}

function page(n: number | string, more: Partial<Page> = {}): Page {
  return examplePage({ url: `${host}/${n}`, title: `Page ${n}`, body: `Text of number ${n}.`, ...more });
}

describe('a title that most pages of a host have', () => {
  const named = (n: number, more: Partial<Page> = {}) =>
    page(n, { title: 'Heron Documentation', otherTitles: `Chapter ${n}\nSee also`, ...more });

  test('is the site’s name, and the pages have their own, earlier ones too', async () => {
    const { pageWriter, find, store } = open();
    for (let n = 0; n < 6; n++) await pageWriter.put(named(n));
    await pageWriter.settled();
    expect(store.head(pageId(`${host}/2`))).toMatchObject({
      title: 'Chapter 2',
      siteName: 'Heron Documentation',
    });
    expect((await find('intitle:chapter')).map(({ title }) => title).sort()).toEqual(
      [0, 1, 2, 3, 4, 5].map((n) => `Chapter ${n}`),
    );
    expect(await find('intitle:heron')).toEqual([]);
  });

  test('stays the title of the front page, and of pages that tell no other', async () => {
    const { pageWriter, store } = open();
    for (let n = 0; n < 5; n++) await pageWriter.put(named(n));
    await pageWriter.put(examplePage({ url: `${host}/`, title: 'Heron Documentation', otherTitles: 'News' }));
    await pageWriter.put(page('bare', { title: 'Heron Documentation' }));
    for (const path of ['', 'bare'])
      expect(store.head(pageId(`${host}/${path}`))?.title).toBe('Heron Documentation');
  });

  test('of pages that an older version stored gives way to their headings', async () => {
    const dataFolder = temporaryFolder();
    const store = openPageStore(dataFolder);
    await store.write((writer) => {
      for (let n = 0; n < 6; n++)
        writer.putPage(page(n, { title: 'Heron Documentation', headings: `Chapter ${n}\nNotes` }));
    });
    await store.close();
    const { prepare, find } = open(dataFolder);
    await prepare();
    await expect.poll(async () => (await find('intitle:chapter')).length).toBe(6);
  });

  test('is no site’s name on a few pages', async () => {
    const { pageWriter, store } = open();
    for (let n = 0; n < 4; n++) await pageWriter.put(named(n));
    for (let n = 10; n < 20; n++) await pageWriter.put(page(n));
    expect(store.head(pageId(`${host}/2`))?.title).toBe('Heron Documentation');
  });

  test('is a title again when most pages have others', async () => {
    const { pageWriter, find } = open();
    for (let n = 0; n < 5; n++) await pageWriter.put(named(n));
    for (let n = 10; n < 40; n++) await pageWriter.put(page(n));
    await pageWriter.settled();
    expect(await find('intitle:heron')).toHaveLength(5);
  });
});

describe('a line that most pages of a host begin or end with', () => {
  const menu = 'Home Products Support Contact';
  const framed = (n: number) =>
    page(n, { body: `${menu}\nBreadcrumb ${n}\n\nThe text of page ${n}.\n\nAll rights reserved` });

  test('is frame: no word of it finds a page, and no text has it', async () => {
    const { pageWriter, find, store } = open();
    for (let n = 0; n < 25; n++) await pageWriter.put(framed(n));
    await pageWriter.settled();
    expect(await find('products')).toEqual([]);
    expect(await find('rights')).toEqual([]);
    expect(await find('breadcrumb')).toHaveLength(25);
    for (const n of [3, 24])
      expect(store.page(pageId(`${host}/${n}`))?.body).toBe(`Breadcrumb ${n}\n\nThe text of page ${n}.`);
  });

  test('is text on a small site, on few pages, in the middle of a text, or as a heading', async () => {
    const { pageWriter, store } = open();
    const body = (n: number) => store.page(pageId(`${host}/${n}`))?.body;
    for (let n = 0; n < 19; n++) await pageWriter.put(framed(n));
    expect(body(3)).toContain(menu);
    const lines = (n: number) => Array.from({ length: 12 }, (_, m) => `Line ${n} ${m}`);
    const middle = (n: number) => lines(n).toSpliced(6, 0, 'In the middle').join('\n');
    for (let n = 100; n < 150; n++)
      await pageWriter.put(page(n, { body: `Synopsis\n${middle(n)}`, headings: 'Synopsis' }));
    expect(body(120)).toBe(`Synopsis\n${middle(120)}`);
    expect(body(3)).toContain(menu);
  });

  test('stays where a page says nothing else', async () => {
    const { pageWriter, store } = open();
    for (let n = 0; n < 25; n++) await pageWriter.put(framed(n));
    await pageWriter.put(page(99, { body: menu }));
    expect(store.page(pageId(`${host}/99`))?.body).toBe(menu);
  });
});

test('what was put is what is compared with a new visit', async () => {
  const { pageWriter, store } = open();
  const put = page(3, { title: 'Heron Documentation', otherTitles: 'Chapter 3' });
  for (let n = 0; n < 6; n++)
    await pageWriter.put(page(n, { title: 'Heron Documentation', otherTitles: `Chapter ${n}` }));
  await pageWriter.touch(put.id, put.crawledAt + 1);
  expect(store.source(put.id)).toEqual({ ...put, crawledAt: put.crawledAt + 1 });
});

test('a host whose pages are gone leaves nothing', async () => {
  const { pageWriter, store } = open();
  for (let n = 0; n < 6; n++) await pageWriter.put(page(n));
  for (let n = 0; n < 6; n++) await pageWriter.remove(pageId(`${host}/${n}`));
  await pageWriter.settled();
  for (const name of ['host-pages', 'host-facts', 'host-mending']) expect(store.table(name).count()).toBe(0);
});
