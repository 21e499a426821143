import { describe, expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { listen } from '../../../src/http/serve.ts';
import { engineThat, heronAlmanac, owlNotes } from '../../tools/library.ts';
import { fixedLimits, openEngine, routesOver } from '../rig.ts';

const birds = [heronAlmanac, owlNotes];

type Routes = ReturnType<typeof routesOver>;

/** A request with the headers of open-webui 0.12.4, open_webui/retrieval/web/external.py. */
function post(routes: Routes, path: string, body: unknown, key = ''): Promise<Response> {
  return Promise.resolve(
    routes.request(path, {
      method: 'POST',
      headers: {
        'User-Agent': 'Open WebUI (https://github.com/open-webui/open-webui) RAG Bot',
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
}

describe('POST /openwebui/search', () => {
  test('answers with links, titles and snippets, as many as asked for', async () => {
    const { engine } = await openEngine(birds);
    const routes = routesOver(engine);
    const ask = async (count: number) =>
      (await post(routes, '/openwebui/search', { query: 'heron', count })).json();
    expect(await ask(1)).toHaveLength(1);
    expect(await ask(500)).toEqual([
      { link: heronAlmanac.url, title: 'The heron almanac', snippet: expect.stringContaining('heron') },
      { link: owlNotes.url, title: 'Owl notes', snippet: expect.stringContaining('heron') },
    ]);
  });

  test('gives pages that lack words where none has all', async () => {
    const { engine } = await openEngine(birds);
    const response = await post(routesOver(engine), '/openwebui/search', { query: 'owl almanac', count: 3 });
    expect(await response.json()).toHaveLength(2);
  });

  test('names every member that is wrong, and refuses what is no object', async () => {
    const { engine } = await openEngine([]);
    const routes = routesOver(engine);
    const wrong = await post(routes, '/openwebui/search', { query: '', count: 0 });
    expect(await wrong.json()).toMatchObject({
      status: 400,
      errors: [{ parameter: 'query' }, { parameter: 'count' }],
    });
    for (const body of ['', '{', '[]', 'null', '"x"'])
      expect(await (await post(routes, '/openwebui/search', body)).json()).toMatchObject({
        errors: [{ parameter: 'body', message: 'must be a JSON object' }],
      });
    const long = await post(routes, '/openwebui/search', JSON.stringify({ query: 'x'.repeat(200_000) }));
    expect(long.status).toBe(413);
    const get = await routes.request('/openwebui/search');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });
});

describe('POST /openwebui/load', () => {
  test('answers with documents, without those that cannot be read', async () => {
    const { engine } = await openEngine(birds);
    const urls = [owlNotes.url, 'https://nowhere.example/'];
    const response = await post(routesOver(engine), '/openwebui/load', { urls });
    expect(await response.json()).toEqual([
      {
        // Without the line separator, which would be one line in one program and two in another.
        page_content: 'An owl hears better than a heron.\nSecond result? No: the same line.',
        metadata: {
          source: owlNotes.url,
          title: 'Owl notes',
          language: 'en',
          crawled_at: '2026-03-01T12:00:00.000Z',
        },
      },
    ]);
    const authored = await post(routesOver(engine), '/openwebui/load', { urls: [heronAlmanac.url] });
    expect(await authored.json()).toMatchObject([
      { metadata: { author: 'A. Watcher', published_at: '2025-06-01T00:00:00.000Z' } },
    ]);
  });

  test('where no page can be read the answer is the error of the first', async () => {
    const { engine } = await openEngine([]);
    const missing = await post(routesOver(engine), '/openwebui/load', { urls: ['https://nowhere.example/'] });
    expect(missing.status).toBe(404);
    const refusing = engineThat(async () => {
      throw new ServiceError('unreadable', 'robots.txt of the site disallows this page');
    });
    const unreadable = await post(routesOver(refusing), '/openwebui/load', { urls: ['https://a.example/'] });
    expect(unreadable.status).toBe(422);
  });

  test('takes twenty addresses at once, which are twenty contents', async () => {
    const { engine } = await openEngine(birds);
    const { rateLimit } = fixedLimits(1, 20);
    const routes = routesOver(engine, { rateLimit });
    const urls = (count: number) => Array.from({ length: count }, (_, at) => `${owlNotes.url}#${at}`);
    expect((await post(routes, '/openwebui/load', { urls: urls(21) })).status).toBe(400);
    const response = await post(routesOver(engine), '/openwebui/load', { urls: urls(20) });
    expect(await response.json()).toHaveLength(20);
    // One is gone for the request that was wrong.
    expect((await post(routes, '/openwebui/load', { urls: urls(19) })).status).toBe(200);
    expect((await post(routes, '/openwebui/load', { urls: urls(1) })).status).toBe(429);
  });
});

describe('both', () => {
  test('take a key as Bearer, none where it is empty, and refuse one that is unknown', async () => {
    const { engine } = await openEngine(birds);
    const { rateLimit, issue } = fixedLimits(9, 9);
    const { url, close } = await listen({
      app: routesOver(engine, { rateLimit }),
      host: '127.0.0.1',
      port: 0,
      lingerMs: 20,
    });
    onTestFinished(close);
    const ask = (authorization: string) =>
      fetch(`${url}/openwebui/search`, {
        method: 'POST',
        headers: { authorization },
        body: JSON.stringify({ query: 'heron', count: 1 }),
      });
    const withKey = await ask(`Bearer ${issue()}`);
    expect([withKey.status, withKey.headers.get('x-ratelimit-limit')]).toEqual([200, '50']);
    expect((await ask('Bearer ')).status).toBe(200);
    expect((await ask('Bearer gl_unknown')).status).toBe(401);
  });

  test.each(['/openwebui/search', '/openwebui/load'])(
    '%s refuses web pages of other origins',
    async (path) => {
      const reached: Engine = engineThat(() => expect.unreachable());
      const response = await routesOver(reached).request(path, {
        method: 'POST',
        headers: { Origin: 'https://evil.example', 'Content-Type': 'text/plain' },
        body: '{"query":"heron","urls":["https://a.example/"]}',
      });
      expect(response.status).toBe(403);
    },
  );
});

/**
 * What open-webui 0.12.4 sends, byte for byte, recorded while its own files ran. test/e2e/other-clients/open-webui.e2e.ts runs them against a
 * service.
 */
const recorded = {
  'open_webui/retrieval/web/external.py': {
    path: '/openwebui/search',
    body: '{"query": "heron", "count": 3}',
    headers: {
      'User-Agent': 'Open WebUI (https://github.com/open-webui/open-webui) RAG Bot',
      'Accept-Encoding': 'gzip, deflate',
      Accept: '*/*',
      Connection: 'keep-alive',
      Authorization: 'Bearer ',
      'X-OpenWebUI-Chat-Id': 'a-chat',
      'Content-Type': 'application/json',
    },
  },
  'open_webui/retrieval/loaders/external_web.py': {
    path: '/openwebui/load',
    body: `{"urls": ["${heronAlmanac.url}", "${owlNotes.url}"]}`,
    headers: {
      'User-Agent': 'Open WebUI (https://github.com/open-webui/open-webui) External Web Loader',
      'Accept-Encoding': 'gzip, deflate',
      Accept: '*/*',
      Connection: 'keep-alive',
      Authorization: 'Bearer ',
      'Content-Type': 'application/json',
    },
  },
  'open_webui/retrieval/web/searxng.py': {
    path: '/search?q=heron&format=json&pageno=1&safesearch=1&language=all&time_range=&categories=&theme=simple&image_proxy=0',
    headers: {
      'User-Agent': 'Open WebUI (https://github.com/open-webui/open-webui) RAG Bot',
      Accept: 'text/html',
      'Accept-Encoding': 'gzip, deflate',
      'Accept-Language': 'en-US,en;q=0.5',
      Connection: 'keep-alive',
    },
  },
} as const;

describe('the requests of Open WebUI as they were recorded', () => {
  async function replay(file: keyof typeof recorded): Promise<unknown> {
    const { engine } = await openEngine(birds);
    const { path, ...request } = recorded[file];
    const method = 'body' in request ? 'POST' : 'GET';
    const response = await routesOver(engine).request(path, { method, ...request });
    expect(response.status).toBe(200);
    return response.json();
  }

  test('to an external engine', async () => {
    const links = [{ link: heronAlmanac.url }, { link: owlNotes.url }];
    expect(await replay('open_webui/retrieval/web/external.py')).toMatchObject(links);
  });

  test('to an external loader', async () => {
    const pages = [heronAlmanac, owlNotes].map(({ url }) => ({
      page_content: expect.stringContaining('heron'),
      metadata: { source: url },
    }));
    expect(await replay('open_webui/retrieval/loaders/external_web.py')).toMatchObject(pages);
  });

  test('to a SearXNG', async () => {
    const results = [
      { url: heronAlmanac.url, title: 'The heron almanac', content: expect.stringContaining('heron') },
      { url: owlNotes.url, title: 'Owl notes', content: expect.stringContaining('heron') },
    ];
    expect(await replay('open_webui/retrieval/web/searxng.py')).toMatchObject({ results });
  });
});
