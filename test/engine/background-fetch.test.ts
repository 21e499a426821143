import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createVisitAndKeep } from '../../src/crawl/visit-and-keep.ts';
import { type BackgroundFetchParts, createBackgroundFetch } from '../../src/engine/background-fetch.ts';
import { silentLog } from '../../src/runtime.ts';
import { type SiteRecord, sitesTable } from '../../src/store/host/site-record.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { briefWriter } from '../../src/store/writer/lock-per-write.ts';
import { addressKey } from '../../src/text/address-key.ts';
import { openCrawler } from '../crawl/rig.ts';
import { htmlPage, openSite } from '../site.ts';
import { startWriter } from '../store/other-writer.ts';

const hourMs = 60 * 60 * 1000;

function rig(options: Partial<BackgroundFetchParts> = {}) {
  const crawler = openCrawler();
  const store = briefWriter(crawler.store);
  const { checkLlmsTxt, clock } = crawler;
  const visitAndKeep = createVisitAndKeep({ ...crawler, store });
  const now = () => clock.ms;
  const learner = createBackgroundFetch({
    store,
    visitAndKeep,
    checkLlmsTxt,
    now,
    log: silentLog,
    ...options,
  });
  onTestFinished(() => learner.stop());
  return { ...crawler, ...learner };
}

const site = () => openSite({}, { fallback: ({ path }) => htmlPage(`Page ${path}`) });

test('offered pages are read one by one for a host, and what the site has for agents is noted', async () => {
  const birds = await site();
  birds.pages.set('/robots.txt', 'User-agent: *\nDisallow: /closed');
  birds.pages.set('/llms.txt', {
    headers: { 'content-type': 'text/plain' },
    body: '# Birds\n\nAll about herons.',
  });
  const { offer, settled, storedUrls, store } = rig();
  offer([birds.url('/a'), birds.url('/closed'), birds.url('/b')]);
  await settled();
  expect(storedUrls()).toEqual([birds.url('/a'), birds.url('/b')]);
  expect(birds.pagesAsked().sort()).toEqual(['/a', '/b']);
  expect(Math.max(...birds.hits.map(({ open }) => open))).toBe(1);
  expect(store.table<SiteRecord>(sitesTable).get(birds.host)?.hasLlmsTxt).toBe(true);
});

test('a page that was crawled within a day is left alone, one that failed for an hour', async () => {
  const birds = await site();
  birds.pages.set('/broken', { status: 500 });
  const { offer, settled, clock } = rig();
  const offerBoth = async () => {
    offer([birds.url('/a'), birds.url('/broken')]);
    await settled();
    return birds.pagesAsked().sort();
  };
  expect(await offerBoth()).toEqual(['/a', '/broken']);
  clock.ms += hourMs - 10_000;
  expect(await offerBoth()).toEqual(['/a', '/broken']);
  clock.ms += 20_000;
  expect(await offerBoth()).toEqual(['/a', '/broken', '/broken']);
  clock.ms += 24 * hourMs;
  expect(await offerBoth()).toEqual(['/a', '/a', '/broken', '/broken', '/broken']);
});

test('while visits are held none is started, and the queue keeps the newest pages', async () => {
  const birds = await site();
  const { offer, hold, settled, storedUrls } = rig({ maxQueued: 2 });
  const release = hold();
  const releaseOther = hold();
  offer(['/a', '/b'].map(birds.url));
  offer(['/c', '/b'].map(birds.url));
  let isSettled = false;
  const whenSettled = settled().then(() => {
    isSettled = true;
  });
  release();
  release();
  await setImmediate();
  expect(birds.hits).toEqual([]);
  expect(isSettled).toBe(false);
  releaseOther();
  await whenSettled;
  expect(storedUrls()).toEqual([birds.url('/b'), birds.url('/c')]);
});

test('a page that is stored under another address is known by both', async () => {
  const birds = await site();
  birds.pages.set('/old', { status: 302, headers: { location: '/new' } });
  const { offer, settled, homeOf, storedUrls } = rig();
  offer([birds.url('/old')]);
  await settled();
  expect(storedUrls()).toEqual([birds.url('/new')]);
  expect(homeOf(addressKey(birds.url('/old')))).toBe(addressKey(birds.url('/new')));
  expect(homeOf('elsewhere.example/')).toBe('elsewhere.example/');
});

test('no page is fetched that could not be stored, because another process writes', async () => {
  const birds = await site();
  const { offer, settled, folder } = rig();
  const { reaches } = startWriter(folder);
  await reaches(1);
  offer([birds.url('/a'), birds.url('/b'), birds.url('/c')]);
  await settled();
  expect(birds.hits).toEqual([]);
});

test('the site of a page that was read is looked at by itself', async () => {
  const birds = await openSite({
    '/llms.txt': { headers: { 'content-type': 'text/plain' }, body: '# Birds\n\nAll about herons.' },
  });
  const { lookAtSite, settled, store } = rig();
  lookAtSite(birds.url('/a'));
  await settled();
  expect(store.table<SiteRecord>(sitesTable).get(birds.host)?.hasLlmsTxt).toBe(true);
  expect(birds.pagesAsked()).toEqual([]);
});

test('stopping ends what is under way and takes nothing more', async () => {
  let asked = () => {};
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const birds = await openSite({
    '/hangs': () => {
      asked();
      return null;
    },
  });
  const { offer, stop, store, settled } = rig();
  offer([birds.url('/hangs'), birds.url('/later')]);
  await wasAsked;
  await stop();
  offer([birds.url('/more')]);
  await settled();
  expect(birds.pagesAsked()).toEqual(['/hangs']);
  expect(store.head(pageId(birds.url('/later')))).toBeUndefined();
});
