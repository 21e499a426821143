import { describe, expect, test } from 'vitest';
import { createCredentials } from '../../../src/crawl/credentials/credentials.ts';
import { createPageParts } from '../../../src/crawl/render/page-parts.ts';
import { openSite } from '../../site.ts';
import { openCrawler } from '../rig.ts';

const signal = new AbortController().signal;
const part = (url: string, type: 'script' | 'data' = 'data') => ({ url, type, accept: '*/*' });
const text = (answer: { body: Uint8Array } | null) => answer && Buffer.from(answer.body).toString();

function openParts(options: Parameters<typeof openCrawler>[0] = {}) {
  const { politeFetch, robotsFor, now, clock } = openCrawler(options);
  return { partsOf: createPageParts({ politeFetch, robotsFor, now }), clock };
}

describe('what scripts of a page ask for', () => {
  test('is answered without cookies, and with what other origins need', async () => {
    const site = await openSite({
      '/robots.txt': '',
      '/data': {
        headers: {
          'set-cookie': 'a=1',
          'content-type': 'application/json',
          link: '</x>; rel=preload',
          'access-control-allow-origin': '*',
        },
        body: '{"a":1}',
      },
    });
    const { partsOf } = openParts();
    const answer = await partsOf(site.url('/')).ask(part(site.url('/data#part')), signal);
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
    });
    expect(Object.keys(answer?.headers ?? {})).toHaveLength(2);
    expect(text(answer)).toBe('{"a":1}');
    await partsOf('http://localhost:1/').ask(part(site.url('/data')), signal);
    expect(site.hits.at(-1)?.headers.origin).toBe('http://localhost:1');
  });

  test('keeps robots.txt of its own host, also after a redirect, and shows failures without their bodies', async () => {
    const site = await openSite({
      '/robots.txt': 'User-agent: *\nDisallow: /private',
      '/open': { status: 302, headers: { location: '/private/data' } },
      '/moved': { status: 301, headers: { location: '/data' } },
      '/private/data': 'secret',
      '/data': { headers: { 'content-type': 'text/plain' }, body: 'data' },
      '/forbidden': { status: 403, body: 'why not' },
    });
    const parts = openParts().partsOf(site.url('/'));
    expect(await parts.ask(part(site.url('/private/data')), signal)).toBeNull();
    expect(await parts.ask(part(site.url('/open')), signal)).toBeNull();
    expect(text(await parts.ask(part(site.url('/moved')), signal))).toBe('data');
    expect(await parts.ask(part(site.url('/nothing')), signal)).toMatchObject({ status: 404 });
    const refused = await parts.ask(part(site.url('/forbidden')), signal);
    expect([refused?.status, text(refused)]).toEqual([403, '']);
    expect(site.timesAsked('/private/data')).toBe(0);
  });

  test('has a limit of requests and of bytes', async () => {
    const site = await openSite(
      { '/robots.txt': '', '/big': { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(4 << 20) } },
      {
        fallback: { headers: { 'content-type': 'text/plain' }, body: 'small' },
      },
    );
    const { partsOf } = openParts();
    const [many, large] = [partsOf(site.url('/')), partsOf(site.url('/'))];
    const answers = [];
    for (let count = 0; count < 101; count++)
      answers.push(await many.ask(part(site.url(`/${count}`)), signal));
    expect(answers.indexOf(null)).toBe(100);
    const sizes = [];
    for (let count = 0; count < 4; count++)
      sizes.push((await large.ask(part(site.url('/big')), signal))?.body.length);
    expect(sizes).toEqual([4 << 20, 4 << 20, undefined, undefined]);
  });

  test('has each script asked for once for all pages of a site', async () => {
    const site = await openSite({
      '/robots.txt': '',
      '/app.js': { headers: { 'content-type': 'text/javascript' }, body: '1' },
    });
    const { partsOf } = openParts();
    for (const path of ['/a', '/b'])
      expect(text(await partsOf(site.url(path)).ask(part(site.url('/app.js'), 'script'), signal))).toBe('1');
    expect(site.timesAsked('/app.js')).toBe(1);
  });

  test('waits for no pause between pages, and says when its host wants one', async () => {
    const site = await openSite(
      { '/robots.txt': 'User-agent: *\nCrawl-delay: 20', '/busy': { status: 429 } },
      { fallback: 'x' },
    );
    const { partsOf, clock } = openParts({ delaySeconds: 5 });
    const parts = partsOf(site.url('/'));
    await parts.ask(part(site.url('/1')), signal);
    const before = clock.slept.length;
    await parts.ask(part(site.url('/2')), signal);
    expect(clock.slept.slice(before).filter((ms) => ms >= 5000)).toEqual([]);
    site.pages.set('/broken', { status: 500 });
    expect(await parts.ask(part(site.url('/broken')), signal)).toMatchObject({ status: 500 });
    expect(parts.later()).toBeUndefined();
    await parts.ask(part(site.url('/busy')), signal);
    expect(parts.later()).toMatchObject({ kind: 'later', status: 429 });
  });
});

describe('scripts stay on the side of the network that their page is on', () => {
  /** Names of a public site and of one in a private network. */
  const names = { 'site.example': ['93.184.216.34'], 'wiki.corp': ['127.0.0.1'] } as Record<string, string[]>;
  const resolve = async (name: string) => names[name] ?? [];

  test('a page in public reaches nothing private, even where private networks are open', async () => {
    const site = await openSite({}, { fallback: 'secret' });
    const { partsOf } = openParts({ resolve });
    const parts = partsOf('http://site.example/');
    for (const url of [site.url('/secret'), `http://wiki.corp:${site.port}/secret`])
      expect(await parts.ask(part(url), signal)).toBeNull();
    expect(site.hits).toEqual([]);
  });

  test('a name that leads elsewhere after a while gains nothing', async () => {
    const site = await openSite({}, { fallback: 'secret' });
    const { partsOf } = openParts({ resolve });
    const parts = partsOf(`http://site.example:${site.port}/`);
    await parts.ask(part('http://nowhere.example/'), signal);
    names['site.example'] = ['127.0.0.1'];
    expect(await parts.ask(part(`http://site.example:${site.port}/secret`), signal)).toBeNull();
    expect(site.pagesAsked()).toEqual([]);
  });

  test('a page in a private network reaches other private hosts, and nothing public', async () => {
    const site = await openSite({ '/robots.txt': '' }, { fallback: 'data' });
    const asked: string[] = [];
    const { partsOf } = openParts({
      resolve: async (name) => {
        asked.push(name);
        return name === 'site.example' ? ['93.184.216.34'] : ['127.0.0.1'];
      },
    });
    const parts = partsOf('http://intranet.corp/');
    expect(text(await parts.ask(part(`http://wiki.corp:${site.port}/data`), signal))).toBe('data');
    expect(await parts.ask(part('http://site.example/'), signal)).toBeNull();
    expect(asked).toContain('site.example');
  });
});

describe('credentials', () => {
  const data = { headers: { 'content-type': 'text/plain' }, body: 'data' };

  function openPrivate(scopes: readonly { origin: string; path: string }[]) {
    const header = { name: 'authorization', value: 'Bearer heron' };
    return openParts({
      credentials: createCredentials(() => scopes.map((scope) => ({ ...scope, header })), Date.now),
    });
  }

  test('go with what the scripts of a private page ask its own origin for, and no other origin is asked', async () => {
    const other = await openSite({ '/robots.txt': '', '/data': data, '/back': data });
    const away = { status: 302, headers: { location: other.url('/back') } };
    const site = await openSite({ '/robots.txt': '', '/data': data, '/away': away });
    const { partsOf } = openPrivate([site, other].map(({ origin }) => ({ origin, path: '' })));
    const parts = partsOf(site.url('/'));
    expect(text(await parts.ask(part(site.url('/data')), signal))).toBe('data');
    expect(await parts.ask(part(other.url('/data')), signal)).toBeNull();
    expect(await parts.ask(part(site.url('/away')), signal)).toBeNull();
    expect(other.hits).toEqual([]);
    expect(site.hits.at(-1)?.headers.authorization).toBe('Bearer heron');
  });

  test('stay out of pages that came without them', async () => {
    const site = await openSite({ '/robots.txt': '', '/api/data': data, '/private/script.js': data });
    const { origin } = new URL(site.url('/'));
    const { partsOf } = openPrivate([
      { origin, path: '/api' },
      { origin, path: '/private' },
    ]);
    const script = part(site.url('/private/script.js'), 'script');
    await partsOf(site.url('/private/')).ask(script, signal);
    await partsOf(site.url('/')).ask(script, signal);
    await partsOf(site.url('/')).ask(part(site.url('/api/data')), signal);
    const sent = site.hits
      .filter(({ path }) => path !== '/robots.txt')
      .map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer heron', undefined, undefined]);
  });
});
