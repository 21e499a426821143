import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContentRecord } from '../../src/contract/content.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { HttpSearchResponse, SearchResponse } from '../../src/contract/search.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createRoutes, type RoutesOptions } from '../../src/http/routes.ts';
import { type Log, silentLog } from '../../src/runtime.ts';
import { engineThat, heronAlmanac, openLibrary, owlNotes } from '../tools/library.ts';

function page(path: string, title: string, markdownPath: string) {
  return { path, title, html: `<h1>${title.split(' ')[0]}</h1>`, markdown: `# ${title}`, markdownPath };
}

const docs = [page('/docs', 'Readme', '/README.md'), page('/docs/crawl', 'Crawl <fast>', '/docs/crawl.md')];

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openLibrary());
});
afterAll(() => close());

const defaults = {
  log: silentLog,
  version: '1.2.3',
  docs,
  readiness: () => ({ notReady: undefined, pages: 3, searchable: 3, providers: {} }),
  origins: '*',
  logQueries: false,
} as const;
const routes = (options: Partial<RoutesOptions> = {}) => createRoutes({ ...defaults, engine, ...options });

const ask = (path: string, init?: RequestInit, log: Log = silentLog, of: Engine = engine) =>
  routes({ engine: of, log }).request(path, init);

async function problemFrom(response: Response, status: number) {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const body = (await response.json()) as Record<string, unknown>;
  expect(body).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status,
    detail: expect.any(String),
  });
  return body;
}

describe('search', () => {
  test('answers with the v1 response and nothing more', async () => {
    const response = await ask('/api/v1/search?q=heron&limit=1&colour=grey');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const body = SearchResponse.strict().parse(await response.json());
    expect(body.total).toBe(2);
    expect(body.results).toHaveLength(1);
  });

  test('names the parameters that it ignores, with those that were probably meant', async () => {
    const ignored = async (query: string) =>
      (await ask(`/api/v1/search?q=heron${query}`)).headers.get('gleaner-ignored');
    expect(await ignored('&limit=1')).toBeNull();
    expect(await ignored('&sites=a.example&count=3&colour=grey&colour=red')).toBe(
      'sites;meant=site, count;meant=limit, colour',
    );
    // Neither a header nor a log can be forged by a name.
    expect(await ignored('&a%0d%0ab=1&%22=2&=3')).toBeNull();
    const content = await ask(`/api/v1/content/${owlNotes.id}?fromat=markdown`);
    expect(content.headers.get('gleaner-ignored')).toBe('fromat;meant=format');
  });

  test('answers with pages that lack words only where it is asked to, and without not one byte more', async () => {
    const path = '/api/v1/search?q=heron+hears+zeppelin';
    const plain = await ask(path);
    const text = await plain.text();
    expect(text).toMatch(/^\{"total":0,"took_ms":\d+,"results":\[\]\}$/);
    const never = await ask(`${path}&partial=false`);
    expect((await never.text()).replace(/\d+/g, '')).toBe(text.replace(/\d+/g, ''));
    expect(never.headers.get('etag')).toBe(plain.headers.get('etag'));
    const response = await ask(`${path}&partial=true`);
    const body = HttpSearchResponse.strict().parse(await response.json());
    expect(body).toMatchObject({
      total: 0,
      results: [],
      partial_matches: [{ id: owlNotes.id, missing_words: ['zeppelin'] }],
    });
    expect(response.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    const again = await ask(`${path}&partial=true`);
    expect(again.headers.get('etag')).toBe(response.headers.get('etag'));
    const content = await ask(`/api/v1/content/${body.partial_matches?.[0]?.id}`);
    expect(await content.json()).toMatchObject({ url: owlNotes.url });
    expect(await (await ask('/api/v1/search?q=heron&partial=true')).json()).toMatchObject({
      total: 2,
      partial_matches: [],
    });
    await problemFrom(await ask(`${path}&partial=1`), 400);
  });

  test('says what was probably meant only where partial=true asks for more', async () => {
    const path = '/api/v1/search?q=almanak';
    expect(Object.keys((await (await ask(path)).json()) as object)).toEqual(['total', 'took_ms', 'results']);
    const response = await ask(`${path}&partial=true`);
    expect(HttpSearchResponse.strict().parse(await response.json())).toMatchObject({
      total: 0,
      did_you_mean: 'almanac',
    });
    expect(response.headers.get('etag')).not.toBe((await ask(path)).headers.get('etag'));
  });

  test('says where results match only where highlights=true asks for it', async () => {
    const path = '/api/v1/search?q=heron+hearing&partial=true&limit=2';
    const plain = HttpSearchResponse.strict().parse(await (await ask(path)).json());
    expect(JSON.stringify(plain)).not.toContain('highlights');
    const body = HttpSearchResponse.strict().parse(await (await ask(`${path}&highlights=true`)).json());
    for (const result of [...body.results, ...(body.partial_matches ?? [])]) {
      const joined = (segments: { text: string }[] = []) => segments.map(({ text }) => text).join('');
      expect(joined(result.highlights?.title)).toBe(result.title);
      expect(joined(result.highlights?.snippet)).toBe(result.snippet);
    }
    const matches = body.partial_matches?.flatMap(({ highlights }) => highlights?.snippet ?? []);
    expect(matches?.filter(({ match }) => match).map(({ text }) => text)).toContain('heron');
    await problemFrom(await ask(`${path}&highlights=1`), 400);
  });

  test('reads + and percent-encoding, and takes an empty lang as not given', async () => {
    const response = await ask('/api/v1/search?q=heron+%22almanac%22&lang=');
    expect(await response.json()).toMatchObject({ total: 1, results: [{ id: heronAlmanac.id }] });
  });

  test('names all bad parameters at once', async () => {
    const response = await ask('/api/v1/search?limit=500&time_range=2d&offset=x&q=a&q=b&site=%E0%A4%A');
    const { errors, detail } = await problemFrom(response, 400);
    expect(errors).toHaveLength(5);
    expect(errors).toEqual(
      expect.arrayContaining([
        { parameter: 'q', message: 'must be given only once' },
        { parameter: 'site', message: 'must be percent-encoded UTF-8' },
        { parameter: 'limit', message: 'must be an integer from 1 to 100' },
        { parameter: 'offset', message: 'must be an integer from 0 to 990' },
        { parameter: 'time_range', message: 'must be one of 1d, 7d, 30d, 1y, all' },
      ]),
    );
    expect(detail).toContain('limit: must be an integer from 1 to 100');
  });

  test.each(['', '?q=', '?q=%20', '?q', '?q=%22%22', '?q=OR'])(
    '%j asks for nothing: 400 naming q',
    async (query) => {
      const { errors } = await problemFrom(await ask(`/api/v1/search${query}`), 400);
      expect(errors).toEqual([{ parameter: 'q', message: expect.any(String) }]);
    },
  );

  test('ignores what it does not know, even repeated or badly encoded', async () => {
    const response = await ask('/api/v1/search?q=heron&utm=1&utm=2&x=%ZZ&%E0=1');
    expect(response.status).toBe(200);
  });
});

describe('content', () => {
  test('answers with the v1 record and nothing more', async () => {
    const response = await ask(`/api/v1/content/${heronAlmanac.id}`);
    const record = ContentRecord.strict().parse(await response.json());
    expect(record).toMatchObject({
      id: heronAlmanac.id,
      body_text: heronAlmanac.body,
      author: 'A. Watcher',
      published_at: '2025-06-01T00:00:00.000Z',
      crawled_at: '2026-03-01T12:00:00.000Z',
    });
  });

  test.each(['0'.repeat(26), 'x', '%E0%A4%A', '%00', '%2e%2e%2fetc', 'x'.repeat(5000)])(
    'there is no page %s',
    async (id) => {
      await problemFrom(await ask(`/api/v1/content/${id}`), 404);
    },
  );
});

describe('every door', () => {
  test('is alive', async () => {
    const response = await ask('/healthz');
    expect(await response.json()).toEqual({ status: 'ok' });
  });

  test('HEAD is GET without the body', async () => {
    const response = await ask('/api/v1/search?q=heron', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.text()).toBe('');
  });

  test.each(['/api/v1/search', '/api/v1/content/x', '/healthz', '/', '/docs'])(
    'other methods on %s are refused with Allow',
    async (path) => {
      const response = await ask(path, { method: 'POST' });
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      await problemFrom(response, 405);
    },
  );

  test.each(['/api/v1/nothing', '/api/v1/content/', '/docs/nothing', '/api/v1/content/a/b'])(
    'there is nothing at %s',
    async (path) => {
      await problemFrom(await ask(path), 404);
    },
  );

  test('every response carries a request id and the basic safety headers', async () => {
    for (const path of ['/healthz', '/api/v1/search', '/nothing', '/docs']) {
      const { headers } = await ask(path);
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  test('a request id that was sent is kept', async () => {
    const { headers } = await ask('/healthz', { headers: { 'X-Request-Id': 'trace-7' } });
    expect(headers.get('x-request-id')).toBe('trace-7');
  });
});

describe('caching', () => {
  const paths = ['/api/v1/search?q=heron', `/api/v1/content/${heronAlmanac.id}`, '/docs'];

  test.each(paths)('%s comes with a lifetime and a tag, by which it is 304 the next time', async (path) => {
    const first = await ask(path);
    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    const tag = first.headers.get('etag') ?? '';
    for (const known of [tag, `"other", ${tag}`, tag.replace('W/', ''), '*']) {
      const again = await ask(path, { headers: { 'If-None-Match': known } });
      expect(again.status).toBe(304);
      expect(again.headers.get('etag')).toBe(tag);
      expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
      expect(await again.text()).toBe('');
    }
    expect((await ask(path, { headers: { 'If-None-Match': 'W/"other"' } })).status).toBe(200);
  });

  test('another page, and another search, has another tag', async () => {
    const tags = await Promise.all(
      [...paths, '/api/v1/search?q=owl', `/api/v1/content/${owlNotes.id}`].map(async (path) =>
        (await ask(path)).headers.get('etag'),
      ),
    );
    expect(new Set(tags).size).toBe(tags.length);
  });

  test('an answer to a key is for that client alone', async () => {
    const { headers } = await ask(paths[0] as string, { headers: { 'X-API-Key': 'gl_x' } });
    expect(headers.get('cache-control')).toMatch(/^private/);
    expect(headers.get('vary')).toMatch(/Authorization/);
  });

  test.each(['/api/v1/search', '/api/v1/content/x', '/nothing', '/healthz', '/readyz'])(
    '%s is never kept',
    async (path) => {
      expect((await ask(path)).headers.get('cache-control')).toBe('no-store');
    },
  );
});

describe('compression', () => {
  const path = `/api/v1/content/${heronAlmanac.id}`;
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };

  test.each(['br', 'gzip'] as const)('%s gives the same answer in fewer bytes', async (encoding) => {
    const plain = await ask(path);
    const packed = await ask(path, { headers: { 'Accept-Encoding': encoding } });
    expect(packed.headers.get('content-encoding')).toBe(encoding);
    expect(packed.headers.get('vary')).toMatch(/Accept-Encoding/);
    expect(packed.headers.get('etag')).toBe(plain.headers.get('etag'));
    const bytes = Buffer.from(await packed.arrayBuffer());
    const text = await plain.text();
    expect(bytes.byteLength).toBeLessThan(text.length / 2);
    expect(unpack[encoding](bytes).toString()).toBe(text);
  });

  test('a small answer is sent as it is', async () => {
    const { headers } = await ask(`/api/v1/content/${owlNotes.id}`, {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    expect(headers.get('content-encoding')).toBeNull();
  });
});

describe('other origins', () => {
  const origin = 'https://app.example';

  test('every origin may read, errors too, unless the operator said otherwise', async () => {
    for (const path of ['/api/v1/search?q=heron', '/api/v1/search', '/nothing']) {
      const { headers } = await ask(path, { headers: { Origin: origin } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
    }
  });

  test('of a list only its origins may', async () => {
    const app = routes({ origins: [origin] });
    const allowed = async (from: string) => {
      const { headers } = await app.request('/healthz', { headers: { Origin: from } });
      expect(headers.get('vary')).toContain('Origin');
      return headers.get('access-control-allow-origin');
    };
    expect(await allowed(origin)).toBe(origin);
    expect(await allowed('https://other.example')).toBeNull();
  });

  test('a preflight is answered with what may be sent', async () => {
    const { status, headers } = await ask('/api/v1/search', {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'GET' },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toContain('X-API-Key');
  });

  test('OPTIONS tells the methods, and 404 where there is nothing', async () => {
    const { status, headers } = await ask('/docs', { method: 'OPTIONS' });
    expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect((await ask('/nothing', { method: 'OPTIONS' })).status).toBe(404);
  });
});

describe('caps', () => {
  test('10 KB of q is a bad parameter, a URL beyond all measure a 414', async () => {
    const { errors } = await problemFrom(await ask(`/api/v1/search?q=${'x'.repeat(10_000)}`), 400);
    expect(errors).toEqual([{ parameter: 'q', message: 'must be at most 2048 characters' }]);
    await problemFrom(await ask(`/api/v1/search?q=${'x'.repeat(40_000)}`), 414);
  });

  test('a body that is announced as huge is not waited for', async () => {
    const response = await ask('/healthz', { method: 'POST', headers: { 'Content-Length': '999999999' } });
    expect(response.headers.get('connection')).toBe('close');
    await problemFrom(response, 413);
  });
});

describe('readiness', () => {
  const readyz = (notReady: 'starting' | 'stopping' | undefined) =>
    routes({
      readiness: () => ({ notReady, pages: 3, searchable: 2, providers: { wikipedia: 'failing' } }),
    }).request('/readyz');

  test('says what there is, once requests can be answered', async () => {
    const response = await readyz(undefined);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: 'ready',
      pages: 3,
      searchable: 2,
      providers: { wikipedia: 'failing' },
    });
  });

  test.each(['starting', 'stopping'] as const)('is a 503 while %s', async (notReady) => {
    const response = await readyz(notReady);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await problemFrom(response, 503)).toMatchObject({ pages: 3, searchable: 2 });
  });
});

describe('the log of requests', () => {
  const linesOf = async (path: string, logQueries: boolean) => {
    const lines: Record<string, unknown>[] = [];
    const log = { ...silentLog, info: (details: object) => lines.push({ ...details }) };
    const response = await routes({ log, logQueries }).request(path);
    return { lines, requestId: response.headers.get('x-request-id') };
  };

  test('has a line for each, errors too, under the request id and without the query', async () => {
    const { lines, requestId } = await linesOf('/api/v1/search?q=secret&limit=0', false);
    expect(lines).toEqual([
      { requestId, method: 'GET', path: '/api/v1/search', status: 400, ms: expect.any(Number) },
    ]);
  });

  test('holds the query when that is asked for', async () => {
    const { lines } = await linesOf('/api/v1/search?q=heron', true);
    expect(lines).toEqual([expect.objectContaining({ query: 'q=heron', status: 200 })]);
  });
});

describe('failures', () => {
  const collecting = () => {
    const errors: object[] = [];
    return { errors, log: { ...silentLog, error: (details: object) => errors.push(details) } };
  };

  test('a bug is a 500 with the request id, logged with its stack and not shown', async () => {
    const bug = new Error('secret: /etc/passwd');
    const { errors, log } = collecting();
    const response = await ask(
      '/api/v1/search?q=x',
      {},
      log,
      engineThat(() => Promise.reject(bug)),
    );
    const body = await problemFrom(response, 500);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(body.request_id).toBe(response.headers.get('x-request-id'));
    expect(errors).toEqual([expect.objectContaining({ err: bug, requestId: body.request_id })]);
  });

  test('a 503 says when to come back', async () => {
    const busy = new ServiceError('unavailable', 'the service is closing', { retryAfterSeconds: 0.2 });
    const response = await ask(
      '/api/v1/search?q=x',
      {},
      silentLog,
      engineThat(() => Promise.reject(busy)),
    );
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await problemFrom(response, 503)).toMatchObject({ retry_after_seconds: 1, detail: busy.message });
  });

  test('a client that goes away stops the engine and is no error of ours', async () => {
    const leaving = new AbortController();
    const { errors, log } = collecting();
    const hanging = engineThat(
      (signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          leaving.abort();
        }),
    );
    await ask('/api/v1/search?q=x', { signal: leaving.signal }, log, hanging);
    expect(errors).toEqual([]);
  });
});

describe('documentation', () => {
  test('pages are served as HTML under their own addresses', async () => {
    const response = await ask('/docs/crawl');
    expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(await response.text()).toBe('<h1>Crawl</h1>');
    expect(await (await ask('/docs')).text()).toBe('<h1>Readme</h1>');
  });

  test('pages are there as Markdown too, under the names of their files', async () => {
    const response = await ask('/docs/crawl.md');
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=UTF-8');
    expect(await response.text()).toBe('# Crawl <fast>');
  });

  test('/docs/api describes the API and lists all pages', async () => {
    const html = await (await ask('/docs/api')).text();
    expect(html).toContain('<h1>API reference</h1>');
    expect(html).toContain('<li><a href="/docs/crawl">Crawl &lt;fast&gt;</a></li>');
    expect(html).toContain('1.2.3');
  });

  test('/openapi.json and /llms.txt say the same to programs', async () => {
    const document = await ask('/openapi.json');
    expect(document.headers.get('content-type')).toBe('application/json');
    expect(await document.json()).toMatchObject({ openapi: '3.1.1', info: { version: '1.2.3' } });
    const llms = await ask('/llms.txt');
    expect(llms.headers.get('content-type')).toBe('text/plain; charset=UTF-8');
    expect(await llms.text()).toMatch(/^# Gleaner\n/);
  });

  test('without a README the list stands at /docs', async () => {
    const app = routes({ docs: [] });
    expect(await (await app.request('/docs')).text()).toContain('<h1>API reference</h1>');
  });
});
