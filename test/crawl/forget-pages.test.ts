import { expect, test } from 'vitest';
import { createForgetPages } from '../../src/crawl/forget-pages.ts';
import { unfinishedCrawls } from '../../src/crawl/frontier-tables.ts';
import { createSchedule } from '../../src/crawl/schedule.ts';
import { htmlPage, openSite } from '../site.ts';
import { openCrawler } from './rig.ts';

const pages = {
  '/': htmlPage('Birds', ['/owls/', '/herons/']),
  '/owls/': htmlPage('Owls', ['/owls/barn', '/owls/tawny']),
  '/owls/barn': htmlPage('Barn owl'),
  '/owls/tawny': htmlPage('Tawny owl'),
  '/herons/': htmlPage('Herons', ['/herons/grey']),
  '/herons/grey': htmlPage('Grey heron'),
};

/** A crawl that ended after `maxPages`, and removals as `gleaner remove` makes them. */
async function crawled(maxPages: number) {
  const site = await openSite(pages);
  const { crawl, store } = openCrawler();
  const forget = createForgetPages(store);
  const paths = () => [...store.heads()].map(({ url }) => new URL(url).pathname).sort();
  const remove = (which: (path: string) => boolean) => {
    const heads = [...store.heads()];
    const removed = heads.filter(({ url }) => which(new URL(url).pathname));
    const left = heads.filter((head) => !removed.includes(head)).map(({ url }) => new URL(url).host);
    return store.write((writer) => {
      for (const { id } of removed) writer.removePage(id);
      forget(writer, removed, new Set(left));
    });
  };
  const more = (limit: number) => crawl([site.url('/')], { maxPages: limit });
  await more(maxPages);
  return { store, paths, remove, more };
}

test('a crawl that was cut short begins again when all of its pages were removed', async () => {
  const { store, paths, remove, more } = await crawled(4);
  await remove(() => true);
  expect(unfinishedCrawls(store).size).toBe(0);
  expect(await more(100)).toMatchObject({ stored: 6, before: 0 });
  expect(paths()).toEqual(Object.keys(pages).sort());
});

test.each(['/owls/', '/'])('a crawl that was cut short visits %s again when it was removed', async (path) => {
  const { paths, remove, more } = await crawled(4);
  await remove((one) => one === path);
  expect(await more(2)).toMatchObject({ atMaxPages: true });
  await more(100);
  expect(paths()).toEqual(Object.keys(pages).sort());
});

test('what is removed twice is visited again, too', async () => {
  const { paths, remove, more } = await crawled(4);
  await remove((path) => path === '/owls/');
  await remove((path) => path === '/herons/');
  await more(100);
  expect(paths()).toEqual(Object.keys(pages).sort());
});

test('no visit is planned of a removed page', async () => {
  const { store, remove } = await crawled(100);
  const due = () => [...createSchedule(store).due(Number.MAX_SAFE_INTEGER - 1)].length;
  expect(due()).toBe(6);
  await remove((path) => path.startsWith('/owls/'));
  expect(due()).toBe(3);
});
