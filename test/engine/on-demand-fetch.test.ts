import { describe, expect, test } from 'vitest';
import type { Resolve } from '../../src/crawl/fetch/address-guard.ts';
import { canonicalUrl } from '../../src/crawl/url/canonical-url.ts';
import { createVisitAndKeep } from '../../src/crawl/visit-and-keep.ts';
import { createOnDemandFetch, type OnDemandFetchParts } from '../../src/engine/on-demand-fetch.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { briefWriter } from '../../src/store/writer/lock-per-write.ts';
import { openCrawler } from '../crawl/rig.ts';
import { examplePage } from '../pages.ts';
import { htmlPage, openSite } from '../site.ts';
import { startWriter } from '../store/other-writer.ts';

function rig(options: Partial<OnDemandFetchParts> & { allowPrivate?: boolean; resolve?: Resolve } = {}) {
  const { allowPrivate = true, resolve, ...parts } = options;
  const crawler = openCrawler({
    allowPrivate,
    delaySeconds: allowPrivate ? 0 : 1,
    ...(resolve && { resolve }),
  });
  const store = briefWriter(crawler.store);
  const visitAndKeep = createVisitAndKeep({ ...crawler, store });
  const now = () => crawler.clock.ms;
  return {
    ...crawler,
    visitAndKeep,
    read: createOnDemandFetch({ store, canonicalUrl, visitAndKeep, now, ...parts }),
  };
}

test('a page is visited and stored, and for ten minutes its windows are those of one text', async () => {
  let visits = 0;
  const site = await openSite({ '/a': () => htmlPage(`Visit ${++visits}`) });
  const { read, clock, store } = rig();
  const first = await read(`${site.url('/a')}?utm_source=x#part`);
  expect(first).toMatchObject({ isStored: true, page: { url: site.url('/a'), title: 'Visit 1' } });
  expect(store.page(pageId(site.url('/a')))?.title).toBe('Visit 1');
  clock.ms += 10 * 60 * 1000 - 1;
  expect((await read(site.url('/a'))).page.title).toBe('Visit 1');
  clock.ms += 1;
  expect((await read(site.url('/a'))).page.title).toBe('Visit 2');
});

test('what was crawled a moment ago is not asked for again', async () => {
  const site = await openSite({ '/a': htmlPage('A') });
  const { read, pageWriter, clock } = rig();
  await pageWriter.put(
    examplePage({ url: site.url('/a'), title: 'Just crawled', crawledAt: clock.ms - 1000 }),
  );
  expect((await read(site.url('/a'))).page.title).toBe('Just crawled');
  expect(site.hits).toEqual([]);
});

test('background visits are held meanwhile, and onStored is called with the page', async () => {
  const site = await openSite({ '/a': htmlPage('A') });
  const held: boolean[] = [];
  const hold = () => {
    held.push(true);
    return () => void held.pop();
  };
  const stored: string[] = [];
  const { read } = rig({ hold, onStored: (url) => stored.push(url) });
  site.pages.set('/a', () => {
    expect(held).toEqual([true]);
    return htmlPage('A');
  });
  await read(site.url('/a'));
  expect(held).toEqual([]);
  expect(stored).toEqual([site.url('/a')]);
});

test.each(['', 'no url', 'ftp://a.example/', 'https://u:p@a.example/', 'javascript:alert(1)'])(
  '%j is no address of a page',
  async (url) => {
    await expect(rig().read(url)).rejects.toMatchObject({
      code: 'invalid_parameters',
      parameters: [{ parameter: 'url' }],
    });
  },
);

test('a page that may not be read says why, and is not asked for', async () => {
  const site = await openSite({ '/robots.txt': 'User-agent: *\nDisallow: /', '/a': htmlPage('A') });
  await expect(rig().read(site.url('/a'))).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringMatching(/^refused by robots\.txt: work with the title and snippet/),
  });
  expect(site.pagesAsked()).toEqual([]);
});

test('a page that scripts draw says what an agent can do instead, and is not stored', async () => {
  const shell = '<title>App</title><div id="root"></div><script src="/app.js"></script>';
  const site = await openSite({ '/app': shell });
  const { read, store } = rig();
  await expect(read(site.url('/app'))).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringMatching(/^drawn by scripts: .+ Do not read it again: .+ web_search/),
  });
  expect([...store.heads()]).toEqual([]);
});

test('no URL leads into a private network, and the refusal names no address', async () => {
  const site = await openSite({ '/a': htmlPage('A') });
  const { read } = rig({ allowPrivate: false });
  for (const url of [
    site.url('/a'),
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://2130706433/',
  ]) {
    const refusal = await read(url).catch((error: Error) => error);
    expect(refusal).toMatchObject({ code: 'unreadable' });
    expect(String(refusal)).not.toMatch(/127|169|::1/);
  }
  expect(site.hits).toEqual([]);
});

test('a name in a private network is refused as an unknown name is, and no sooner', async () => {
  const resolve: Resolve = async (hostname) => {
    if (hostname.startsWith('internal')) return ['10.1.2.3'];
    throw Object.assign(new Error('not known'), { code: 'ENOTFOUND' });
  };
  const { read, pageWriter } = rig({ allowPrivate: false, resolve });
  const urls = ['http://internal.example/', 'http://unknown.example/', 'http://10.1.2.3/'];
  const refusals = await Promise.all(
    urls.map(async (url) => {
      const from = performance.now();
      const refusal = await read(url).catch((error: Error) => error);
      // A timer may fire a millisecond early.
      expect(performance.now() - from).toBeGreaterThan(398);
      return { ...(refusal as object), text: String(refusal) };
    }),
  );
  expect(refusals[0]).toMatchObject({
    code: 'unreadable',
    text: expect.stringContaining('no host on the public internet'),
  });
  for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
  // What is said of a stored copy is no more.
  const stored = ['http://internal.example/old', 'http://unknown.example/old'];
  for (const url of stored) await pageWriter.put(examplePage({ url }));
  for (const url of stored)
    expect(await read(url)).toMatchObject({
      notVisited: 'there is no host on the public internet at this URL',
    });
});

test('a page that is gone is not found, and leaves the index', async () => {
  const site = await openSite({});
  const { read, pageWriter, storedUrls } = rig();
  await pageWriter.put(examplePage({ url: site.url('/a') }));
  await expect(read(site.url('/a'))).rejects.toMatchObject({ code: 'not_found' });
  expect(storedUrls()).toEqual([]);
});

test('a site that is busy gives the stored text, or else how long to wait', async () => {
  const busy = { status: 503, headers: { 'retry-after': '40' } };
  const site = await openSite({ '/a': busy, '/b': busy });
  const { read, pageWriter, clock } = rig();
  const old = examplePage({ url: site.url('/a'), body: 'An older text.' });
  await pageWriter.put(old);
  expect(await read(site.url('/a'))).toEqual({ page: old, isStored: true, notVisited: 'status 503' });
  clock.ms += 60_000;
  await expect(read(site.url('/b'))).rejects.toMatchObject({
    code: 'unreadable',
    retryAfterSeconds: 40,
    message: expect.stringContaining('status 503'),
  });
});

describe('a stored copy is given with the reason', () => {
  test('when the guard refuses the address', async () => {
    const site = await openSite({ '/a': htmlPage('A') });
    const { read, pageWriter } = rig({ allowPrivate: false });
    const old = examplePage({ url: site.url('/a') });
    await pageWriter.put(old);
    expect(await read(site.url('/a'))).toEqual({
      page: old,
      isStored: true,
      notVisited: 'the port is not a web port',
    });
    expect(site.hits).toEqual([]);
  });

  test('when robots.txt refuses it now, and when the page cannot be read any more', async () => {
    const site = await openSite({
      '/robots.txt': 'User-agent: *\nDisallow: /private',
      '/image': { body: 'GIF89a', headers: { 'content-type': 'image/gif' } },
    });
    const { read, pageWriter } = rig();
    for (const [path, notVisited] of [
      ['/private', 'refused by robots.txt'],
      ['/image', 'unsupported type'],
    ] as const) {
      await pageWriter.put(examplePage({ url: site.url(path) }));
      expect(await read(site.url(path))).toMatchObject({ page: { url: site.url(path) }, notVisited });
    }
  });

  test('but not when the site wants the page in no index, although the copy could not be removed yet', async () => {
    const site = await openSite({ '/a': htmlPage('A', [], '<meta name="robots" content="noindex">') });
    const url = site.url('/a');
    const { visitAndKeep, store, now } = rig();
    const withCopy = { ...store, page: () => examplePage({ url }) };
    const read = createOnDemandFetch({ store: withCopy, canonicalUrl, visitAndKeep, now });
    await expect(read(url)).rejects.toMatchObject({ code: 'unreadable' });
  });
});

test('a site that never ends its answer costs no more than the time limit', async () => {
  const site = await openSite({
    '/a': (_, response) => {
      response.write('<p>and so on');
      return null;
    },
  });
  await expect(rig({ timeoutMs: 300 }).read(site.url('/a'))).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringMatching(/^no whole answer within 0\.3 seconds/),
  });
});

test('of two who wait for a page one may give up', async () => {
  let answer = (_: string) => {};
  let asked = () => {};
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const site = await openSite({
    '/a': () => {
      asked();
      return new Promise<string>((resolve) => {
        answer = resolve;
      });
    },
  });
  const { read } = rig();
  const first = new AbortController();
  const gone = read(site.url('/a'), { signal: first.signal });
  const staying = read(site.url('/a'));
  await wasAsked;
  first.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  answer(htmlPage('A'));
  expect((await staying).page.title).toBe('A');
  expect(site.timesAsked('/a')).toBe(1);
});

test('while another process writes, the page is read all the same, from memory the second time', async () => {
  const site = await openSite({ '/a': htmlPage('A') });
  const { read, folder, storedUrls } = rig();
  const { reaches } = startWriter(folder);
  await reaches(1);
  for (let window = 0; window < 2; window++) {
    expect(await read(site.url('/a'))).toMatchObject({ isStored: false, page: { title: 'A' } });
  }
  expect(site.timesAsked('/a')).toBe(1);
  expect(storedUrls()).not.toContain(site.url('/a'));
});

test('where no page is visited on request, only what is stored can be read', async () => {
  const site = await openSite({ '/a': htmlPage('A') });
  const { read, pageWriter } = rig({ visitAndKeep: undefined });
  await expect(read(site.url('/a'))).rejects.toMatchObject({ code: 'not_found' });
  await pageWriter.put(examplePage({ url: site.url('/a') }));
  expect((await read(site.url('/a'))).page.url).toBe(site.url('/a'));
  expect(site.hits).toEqual([]);
});
