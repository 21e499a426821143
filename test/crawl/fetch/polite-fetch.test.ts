import { createServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPoliteFetch, type PoliteFetchOptions } from '../../../src/crawl/fetch/polite-fetch.ts';
import { openSite, type PageOfSite } from '../../site.ts';

function fetcher(options: Partial<PoliteFetchOptions> = {}) {
  const politeFetch = createPoliteFetch({
    userAgent: 'Gleaner/0.0.0 (+test)',
    allowPrivate: true,
    delaySeconds: 0,
    ...options,
  });
  onTestFinished(() => politeFetch.close());
  return politeFetch;
}

/** A clock that only sleeping moves. */
function sleptClock() {
  const clock = { ms: 1_000_000, slept: [] as number[] };
  const sleep = async (ms: number) => {
    clock.slept.push(ms);
    clock.ms += ms;
  };
  return { clock, now: () => clock.ms, sleep };
}

describe('a request', () => {
  test('says who asks and what is liked, and nothing else of us', async () => {
    const site = await openSite({ '/': 'hello' });
    await fetcher()(site.url('/'));
    const headers = site.hits[0]?.headers;
    expect(headers?.['user-agent']).toBe('Gleaner/0.0.0 (+test)');
    expect(headers?.accept).toMatch(/^text\/html, .*text\/markdown;q=0\.9/);
    expect(Object.keys(headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  test('carries the validators it is given', async () => {
    const site = await openSite({ '/': { status: 304, headers: { etag: '"v1"' } } });
    const outcome = await fetcher()(site.url('/'), {
      etag: '"v1"',
      lastModified: 'Sun, 01 Mar 2026 12:00:00 GMT',
    });
    expect(outcome).toMatchObject({ kind: 'notModified', headers: { etag: '"v1"' } });
    expect(site.hits[0]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Sun, 01 Mar 2026 12:00:00 GMT',
    });
  });
});

describe('an answer', () => {
  test('is handed on with its type and bytes', async () => {
    const site = await openSite({
      '/a?b': { body: 'hällo', headers: { 'content-type': 'text/plain; charset=utf-8' } },
    });
    const outcome = await fetcher()(site.url('/a?b'));
    expect(outcome).toMatchObject({
      kind: 'ok',
      url: site.url('/a?b'),
      status: 200,
      contentType: 'text/plain; charset=utf-8',
    });
    expect(outcome.kind === 'ok' && Buffer.from(outcome.bytes).toString()).toBe('hällo');
  });

  test.each([
    [404, { kind: 'gone' }],
    [410, { kind: 'gone' }],
    [403, { kind: 'never', why: 'status 403', status: 403 }],
    [204, { kind: 'never', why: 'status 204', status: 204 }],
    [500, { kind: 'later', why: 'status 500', status: 500, seconds: 5 }],
    [503, { kind: 'later', why: 'status 503', status: 503, seconds: 30 }],
    [429, { kind: 'later', why: 'status 429', status: 429, seconds: 30 }],
  ])('with status %d is told by what happens next', async (status, expected) => {
    const site = await openSite({ '/': { status } });
    expect(await fetcher()(site.url('/'))).toEqual(expected);
  });

  test.each([
    [301, true],
    [302, false],
    [303, false],
    [307, false],
    [308, true],
  ])('with status %d is a redirect, not followed', async (status, permanent) => {
    const site = await openSite({ '/a/b': { status, headers: { location: '../c#d' } } });
    expect(await fetcher()(site.url('/a/b'))).toEqual({ kind: 'redirect', to: site.url('/c#d'), permanent });
    expect(site.hits).toHaveLength(1);
  });

  test('that is a picture or a film is not read', async () => {
    let sent = 0;
    const site = await openSite({
      '/film': (_, response) => {
        response.writeHead(200, { 'content-type': 'video/mp4' });
        const send = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) sent += 1;
        };
        response.on('drain', send);
        send();
        return null;
      },
    });
    expect(await fetcher()(site.url('/film'))).toMatchObject({ kind: 'never', why: 'unsupported type' });
    expect(sent).toBeLessThan(1000);
  });

  test('that redirects nowhere is refused', async () => {
    const site = await openSite({
      '/a': { status: 302 },
      '/b': { status: 302, headers: { location: 'http://[' } },
    });
    const politeFetch = fetcher();
    expect(await politeFetch(site.url('/a'))).toMatchObject({
      kind: 'never',
      why: 'redirect without a target',
    });
    expect(await politeFetch(site.url('/b'))).toMatchObject({
      kind: 'never',
      why: 'redirect without a target',
    });
  });
});

describe('a content encoding', () => {
  const text = 'all the same '.repeat(100);
  test.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
  ])('%s is undone', async (encoding, body) => {
    const site = await openSite({ '/': { body, headers: { 'content-encoding': encoding } } });
    const outcome = await fetcher()(site.url('/'));
    expect(outcome.kind === 'ok' && Buffer.from(outcome.bytes).toString()).toBe(text);
  });

  test.each([
    ['zstd', Buffer.from('x'), 'unknown content encoding'],
    ['gzip', Buffer.from('not gzip at all'), 'damaged content encoding'],
    ['gzip, gzip, gzip', gzipSync(text), 'unknown content encoding'],
  ])('%s that cannot be undone is refused', async (encoding, body, why) => {
    const site = await openSite({ '/': { body, headers: { 'content-encoding': encoding } } });
    expect(await fetcher()(site.url('/'))).toMatchObject({ kind: 'never', why });
  });

  test('cut off in the middle gives what came', async () => {
    const noise = Array.from({ length: 5000 }, (_, i) => `line ${i * 7919}`).join('\n');
    const body = gzipSync(noise).subarray(0, 5000);
    const site = await openSite({ '/': { body, headers: { 'content-encoding': 'gzip' } } });
    const outcome = await fetcher()(site.url('/'));
    expect(outcome.kind === 'ok' && noise.startsWith(Buffer.from(outcome.bytes).toString())).toBe(true);
    expect(outcome.kind === 'ok' && outcome.bytes.length).toBeGreaterThan(1000);
  });
});

describe('the size limit', () => {
  test('counts bytes after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const site = await openSite({ '/': { body: bomb, headers: { 'content-encoding': 'gzip' } } });
    expect(await fetcher()(site.url('/'))).toMatchObject({ kind: 'never', why: 'too large' });
  });

  test('is 5 MB for HTML and more for other types', async () => {
    const body = Buffer.alloc(6 * 1024 * 1024, 'x');
    const site = await openSite({
      '/page': { body },
      '/file': { body, headers: { 'content-type': 'application/pdf' } },
    });
    const politeFetch = fetcher();
    expect(await politeFetch(site.url('/page'))).toMatchObject({ kind: 'never', why: 'too large' });
    expect(await politeFetch(site.url('/file'))).toMatchObject({ kind: 'ok' });
  });

  test('stops a body without end', async () => {
    let sent = 0;
    const site = await openSite({
      '/': (_, response) => {
        const send = () => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) sent += 1;
        };
        response.on('drain', send);
        send();
        return null;
      },
    });
    expect(await fetcher()(site.url('/'), { maxBytes: 100_000 })).toMatchObject({
      kind: 'never',
      why: 'too large',
    });
    expect(sent).toBeLessThan(1000);
  });

  test('cuts instead of refusing on request', async () => {
    const site = await openSite({
      '/plain': 'x'.repeat(5000),
      '/packed': { body: gzipSync('y'.repeat(5000)), headers: { 'content-encoding': 'gzip' } },
    });
    const politeFetch = fetcher();
    for (const path of ['/plain', '/packed']) {
      const outcome = await politeFetch(site.url(path), { maxBytes: 1000, truncate: true });
      expect(outcome.kind === 'ok' && outcome.bytes.length).toBe(1000);
    }
  });

  test('holds for headers', async () => {
    const site = await openSite({ '/': { headers: { 'x-long': 'x'.repeat(40_000) } } });
    expect(await fetcher()(site.url('/'))).toMatchObject({ kind: 'never', why: 'headers too large' });
  });
});

describe('time', () => {
  test('a host that never answers is left after the time limit', async () => {
    const site = await openSite({ '/': () => new Promise<null>(() => {}) });
    expect(await fetcher({ timeoutMs: 50 })(site.url('/'))).toMatchObject({
      kind: 'later',
      why: 'no answer in time',
    });
  });

  test('a request that takes long is reported, again and again until it ends', async () => {
    const told: string[] = [];
    const site = await openSite({
      '/': async () => {
        await expect.poll(() => told.length).toBeGreaterThan(1);
        return 'page';
      },
    });
    const onSlow = (url: string, seconds: number) => void told.push(`${seconds} ${url}`);
    expect(await fetcher({ slowAfterMs: 20, onSlow })(site.url('/'))).toMatchObject({ kind: 'ok' });
    expect(told.slice(0, 2)).toEqual([`0.02 ${site.url('/')}`, `0.04 ${site.url('/')}`]);
  });

  test('a host that trickles is left after the time limit', async () => {
    const site = await openSite({
      '/': (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('.'), 10);
        response.on('close', () => clearInterval(timer));
        return null;
      },
    });
    expect(await fetcher({ timeoutMs: 100 })(site.url('/'))).toMatchObject({
      kind: 'later',
      why: 'body too slow',
    });
  });

  test('an aborted signal rejects with its reason', async () => {
    const stop = new AbortController();
    const site = await openSite({
      '/': () => {
        stop.abort(new Error('stopped'));
        return new Promise<null>(() => {});
      },
    });
    await expect(fetcher()(site.url('/'), { signal: stop.signal })).rejects.toThrow('stopped');
  });
});

describe('the pace', () => {
  test('keeps requests to one host apart and never has two open', async () => {
    const { clock, now, sleep } = sleptClock();
    const site = await openSite({}, { fallback: 'page', now });
    const politeFetch = fetcher({ delaySeconds: 1, now, sleep });
    await Promise.all(['/a', '/b', '/c', '/d'].map((path) => politeFetch(site.url(path))));
    expect(site.hits.map(({ path, open }) => [path, open])).toEqual([
      ['/a', 1],
      ['/b', 1],
      ['/c', 1],
      ['/d', 1],
    ]);
    expect(site.hits.map(({ at }) => at - 1_000_000)).toEqual([0, 1000, 2000, 3000]);
    expect(clock.slept).toEqual([1000, 1000, 1000]);
  });

  test("is the site's own wish when that is longer, up to 30 seconds", async () => {
    const { clock, now, sleep } = sleptClock();
    const site = await openSite({}, { fallback: 'page', now });
    const politeFetch = fetcher({ delaySeconds: 1, now, sleep });
    for (const crawlDelaySeconds of [null, 0.2, 7, 3600])
      await politeFetch(site.url('/'), { crawlDelaySeconds });
    expect(clock.slept).toEqual([1000, 7000, 30_000]);
  });

  test("is never shorter than the host's own answering time", async () => {
    const { clock, now, sleep } = sleptClock();
    const answer = (ms: number) => () => {
      clock.ms += ms;
      return 'page';
    };
    const site = await openSite({ '/slow': answer(7000), '/': answer(20) });
    for (const [delaySeconds, waits] of [
      [1, [7000, 1000]],
      [0, [7000, 20]],
    ] as const) {
      clock.slept = [];
      const politeFetch = fetcher({ delaySeconds, now, sleep });
      for (const path of ['/slow', '/', '/']) await politeFetch(site.url(path));
      expect(clock.slept).toEqual(waits);
    }
  });

  test('of one host does not hold up another', async () => {
    const { clock, now, sleep } = sleptClock();
    const site = await openSite({}, { fallback: 'page', now });
    const politeFetch = fetcher({ delaySeconds: 1, now, sleep, resolve: async () => ['127.0.0.1'] });
    for (const host of ['one.test', 'two.test']) await politeFetch(`http://${host}:${site.port}/`);
    expect(clock.slept).toEqual([]);
  });

  test('is not broken by a request that gives up while it waits', async () => {
    const answers: (() => void)[] = [];
    const site = await openSite(
      {},
      { fallback: () => new Promise((answer) => answers.push(() => answer('page'))) },
    );
    const politeFetch = fetcher();
    const first = politeFetch(site.url('/1'));
    const stop = new AbortController();
    const second = politeFetch(site.url('/2'), { signal: stop.signal });
    const third = politeFetch(site.url('/3'));
    await expect.poll(() => answers.length).toBe(1);
    stop.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
    expect(site.hits.map(({ path }) => path)).toEqual(['/1']);
    answers[0]?.();
    await first;
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.();
    await third;
    expect(site.hits.map(({ path, open }) => [path, open])).toEqual([
      ['/1', 1],
      ['/3', 1],
    ]);
  });

  test.each([0, 0.5, -1, Number.NaN])('of %d s is refused for the public internet', (delaySeconds) => {
    expect(() => createPoliteFetch({ userAgent: 'x', delaySeconds })).toThrow(/^delay: .*allowPrivate/);
  });
});

describe('a host that asks for a pause', () => {
  test('by seconds or by date is not asked before', async () => {
    const { clock, now, sleep } = sleptClock();
    const date = new Date(1_000_000 + 500_000).toUTCString();
    const site = await openSite({
      '/seconds': { status: 429, headers: { 'retry-after': '120' } },
      '/date': { status: 503, headers: { 'retry-after': date } },
      '/': 'page',
    });
    const politeFetch = fetcher({ now, sleep });
    expect(await politeFetch(site.url('/seconds'))).toMatchObject({
      kind: 'later',
      seconds: 120,
      status: 429,
    });
    clock.ms += 20_000;
    expect(await politeFetch(site.url('/'))).toMatchObject({ kind: 'later', seconds: 100, status: null });
    clock.ms += 100_000;
    expect(await politeFetch(site.url('/'))).toMatchObject({ kind: 'ok' });
    expect(await politeFetch(site.url('/date'))).toMatchObject({ kind: 'later', seconds: 380 });
    expect(site.timesAsked('/')).toBe(1);
  });
});

const hangUp: PageOfSite = (_, response) => {
  response.destroy();
  return null;
};

describe('a host that does not answer', () => {
  test('rests from the second time on, twice as long each time, until it answers', async () => {
    const { clock, now, sleep } = sleptClock();
    const site = await openSite({ '/': hangUp, '/ok': 'page' });
    const politeFetch = fetcher({ now, sleep });
    const seconds: number[] = [];
    const ask = async () => {
      const outcome = await politeFetch(site.url('/'));
      if (outcome.kind === 'later') seconds.push(outcome.seconds);
      clock.ms += outcome.kind === 'later' ? outcome.seconds * 1000 : 0;
    };
    for (let i = 0; i < 5; i++) await ask();
    expect(seconds).toEqual([5, 5, 10, 20, 40]);
    await politeFetch(site.url('/ok'));
    for (let i = 0; i < 2; i++) await ask();
    expect(seconds.slice(5)).toEqual([5, 5]);
  });

  test('is not asked while it rests, unless it is woken', async () => {
    const { now, sleep } = sleptClock();
    const site = await openSite({ '/': hangUp });
    const politeFetch = fetcher({ now, sleep });
    for (let i = 0; i < 3; i++) await politeFetch(site.url('/'));
    expect(site.hits).toHaveLength(2);
    expect(await politeFetch(site.url('/'))).toMatchObject({
      kind: 'later',
      seconds: 5,
      why: 'the host did not answer several times in a row',
    });
    politeFetch.wake(site.host);
    await politeFetch(site.url('/'));
    expect(site.hits).toHaveLength(3);
  });
});

describe('the guard', () => {
  test.each([
    'http://127.0.0.1:80/',
    'http://[::1]/',
    'http://2130706433/',
    'http://localhost/',
    'http://169.254.169.254/',
  ])('refuses %s without a word about the address', async (url) => {
    const outcome = await fetcher({ allowPrivate: false, delaySeconds: 1 })(url);
    expect(outcome).toEqual({ kind: 'never', why: 'the host is not on the public internet', status: null });
  });

  test('opens no connection to a name when any of its addresses is refused', async () => {
    const site = await openSite({ '/': 'page' });
    const politeFetch = fetcher({ resolve: async () => ['127.0.0.1', '169.254.169.254'] });
    expect(await politeFetch(`http://mixed.test:${site.port}/`)).toMatchObject({
      kind: 'never',
      why: 'the host is not on the public internet',
    });
    expect(site.hits).toEqual([]);
  });

  test('dials the address that was checked, whatever the name says later', async () => {
    const site = await openSite({ '/': 'page' });
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const politeFetch = fetcher({ resolve: async () => answers.shift() ?? [] });
    expect(await politeFetch(`http://rebind.test:${site.port}/`)).toMatchObject({ kind: 'ok' });
    await politeFetch.close();
    expect(await politeFetch(`http://rebind.test:${site.port}/`)).toMatchObject({ kind: 'never' });
    expect(site.hits).toHaveLength(1);
  });

  test.each([
    ['ftp://example.com/', 'only http and https are asked'],
    ['http://user:secret@example.com/', 'the URL holds credentials'],
    ['http://example.com:22/', 'the port is not a web port'],
    ['not a url', 'not a URL'],
  ])('refuses %s', async (url, why) => {
    expect(await fetcher({ allowPrivate: false, delaySeconds: 1 })(url)).toEqual({
      kind: 'never',
      why,
      status: null,
    });
  });
});

describe('a connection that fails', () => {
  test('is no answer, to be tried later, and names no address', async () => {
    const site = await openSite({});
    await site.close();
    expect(await fetcher()(site.url('/'))).toEqual({
      kind: 'later',
      why: 'connection refused',
      seconds: 5,
      status: null,
    });
  });

  test('because the name does not exist is final', async () => {
    const resolve = async () =>
      Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    expect(await fetcher({ resolve })('http://none.test/')).toMatchObject({
      kind: 'never',
      why: 'host not found',
    });
  });

  test('in the middle of the body is to be tried later', async () => {
    const site = await openSite({
      '/': (_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.destroy());
        return null;
      },
    });
    expect(await fetcher()(site.url('/'))).toMatchObject({ kind: 'later', why: 'connection reset' });
  });

  test('because it does not speak HTTP is final', async () => {
    const server = createServer((socket) => socket.on('data', () => socket.write('SSH-2.0-x\r\n\r\n')));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    expect(await fetcher()(`http://127.0.0.1:${port}/`)).toMatchObject({
      kind: 'never',
      why: 'not valid HTTP',
    });
  });
});
