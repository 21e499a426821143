import { getEventListeners } from 'node:events';
import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { createRateLimit } from '../../src/http/rate-limit.ts';
import { listen } from '../../src/http/serve.ts';
import { createAdmissionControl } from '../../src/limits/admission.ts';
import { type ApiKeyRecord, createApiKeys, makeApiKey } from '../../src/limits/api-keys.ts';
import { createClientIdentity } from '../../src/limits/client-identity.ts';
import { noProxies } from '../../src/limits/trusted-proxies.ts';
import { createMcpOverHttp, maxMessageBytes } from '../../src/mcp/http.ts';
import { silentLog } from '../../src/runtime.ts';
import { defaultToolNames } from '../../tools/tool-names.ts';
import { routesOver } from '../http/rig.ts';
import { engineThat, heronAlmanac, openLibrary } from '../tools/library.ts';

let library: Awaited<ReturnType<typeof openLibrary>>;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

interface Setup {
  readonly engine?: Engine;
  readonly hosts?: '*' | readonly string[];
  readonly origins?: '*' | readonly string[];
}

/** The whole service on a port of its own: two searches at once, one that asks others, and a clock that stands still. */
async function open({ engine = library.engine, hosts = [], origins = '*' }: Setup = {}) {
  const records = new Map<string, ApiKeyRecord>();
  const rateLimit = createRateLimit({
    control: createAdmissionControl({
      search: { perMinute: 6, burst: 2 },
      content: { perMinute: 6, burst: 2 },
      fallback: { perMinute: 6, burst: 1 },
      inFlight: 4,
      maxInFlight: 64,
      now: () => 1000,
    }),
    clientIdentity: createClientIdentity({
      apiKeys: createApiKeys({ table: records }),
      trustedProxies: noProxies,
      proxyHeader: 'forwarded',
    }),
  });
  const answer = createMcpOverHttp({
    engine: async () => engine,
    tools: defaultToolNames,
    log: silentLog,
    version: '1.2.3',
    progressEveryMs: 1,
  });
  const app = routesOver(engine, {
    origins,
    rateLimit,
    allowedHosts: { hosts, isLoopbackOnly: false, isFromTrustedProxy: () => false },
    mcp: { answer, origins },
  });
  const { url, close } = await listen({ app, host: '127.0.0.1', port: 0, lingerMs: 20 });
  onTestFinished(close);
  return { url: `${url}/mcp`, records };
}

async function connect(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '0' });
  // The SDK's own class does not fit its interface under exactOptionalPropertyTypes.
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
  }) as Parameters<Client['connect']>[0];
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

const search = (id: unknown, q = 'heron', _meta = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'web_search', arguments: { q }, _meta },
});

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The status of a ping under another Host or Origin, which `fetch` does not let anybody choose. */
function pingAs(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const all = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    const sent = request(url, { method: 'POST', headers: all }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    sent.once('error', reject);
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
  });
}

const textOf = (result: unknown): string => (result as { content: [{ text: string }] }).content[0].text;

test.each([undefined, '*/*', 'text/html, */*;q=0.1', 'application/json, text/event-stream'])(
  'a message with Accept: %s is answered',
  async (accept) => {
    const { url } = await open();
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', ...(accept && { accept }) };
      const sent = request(url, { method: 'POST', headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      sent.once('error', reject);
      sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    });
    expect(status).toBe(200);
  },
);

describe('a client', () => {
  test('gets over HTTP what it gets over any other door', async () => {
    const { url } = await open();
    const client = await connect(url);
    expect(client.getServerVersion()).toMatchObject({ name: 'gleaner', version: '1.2.3' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['web_search', 'fetch_content']);
    const found = (await client.callTool({
      name: 'web_search',
      arguments: { q: 'heron almanac' },
    })) as CallToolResult;
    expect(found.structuredContent).toMatchObject({ total: 1, results: [{ id: heronAlmanac.id }] });
    expect(JSON.parse(textOf(found))).toEqual(found.structuredContent);
  });

  test('is answered in plain JSON, and in a stream only when it asks for progress', async () => {
    const { url } = await open();
    const plain = await post(url, search(1));
    expect(plain.headers.get('content-type')).toBe('application/json');
    expect(plain.headers.get('mcp-session-id')).toBeNull();
    expect(await plain.json()).toMatchObject({ id: 1, result: { structuredContent: { total: 2 } } });
    const streamed = await post(url, search(2, 'heron', { progressToken: 'p' }));
    expect(streamed.headers.get('content-type')).toBe('text/event-stream');
    expect(await streamed.text()).toContain('"id":2');
  });

  test('that asks for progress hears what a slow call does', async () => {
    let finish = () => {};
    const slow: Engine = {
      ...engineThat(() => Promise.reject(new Error('not asked'))),
      read: () =>
        new Promise((_, reject) => {
          finish = () => reject(new Error('enough'));
        }),
    };
    const { url } = await open({ engine: slow });
    const client = await connect(url);
    const heard: { progress: number; message?: string | undefined }[] = [];
    const visits = () => heard.filter(({ message }) => message === 'Visiting the page');
    await client.callTool({ name: 'fetch_content', arguments: { url: 'https://a.example/' } }, undefined, {
      onprogress: ({ progress, message }) => {
        heard.push({ progress, message });
        if (visits().length >= 2) finish();
      },
    });
    expect(heard.map(({ progress }) => progress)).toEqual(heard.map((_, index) => index + 1));
    // The first call may still be opening what it needs.
    expect(heard.slice(-visits().length)).toEqual(visits());
  });

  test('gets its own answer though another one numbers its questions alike', async () => {
    const { url } = await open();
    const [heron, owl] = await Promise.all(
      ['almanac', 'owl'].map(async (q) => (await post(url, search(7, q))).json()),
    );
    expect(heron).toMatchObject({
      id: 7,
      result: { structuredContent: { results: [{ id: heronAlmanac.id }] } },
    });
    expect(owl).toMatchObject({
      id: 7,
      result: { structuredContent: { results: [{ title: 'Owl notes' }] } },
    });
  });

  test.each([{}, { progressToken: 1 }])('that goes away stops its call (%j)', async (_meta) => {
    let asked = () => {};
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const stopped = new Promise<void>((resolve) => {
      const hanging = engineThat((signal) => {
        signal?.addEventListener('abort', () => resolve());
        asked();
        return new Promise(() => {});
      });
      void open({ engine: hanging }).then(async ({ url }) => {
        const leave = new AbortController();
        const body = JSON.stringify(search(1, 'x', _meta));
        const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
        void fetch(url, { method: 'POST', headers, body, signal: leave.signal })
          .then((response) => response.text())
          .catch(() => {});
        await wasAsked;
        leave.abort();
      });
    });
    await stopped;
  });
});

test.each([{}, { progressToken: 1 }])(
  'nothing waits for a client whose call is answered (%j)',
  async (_meta) => {
    const answer = createMcpOverHttp({
      engine: async () => library.engine,
      tools: defaultToolNames,
      log: silentLog,
      version: '1.2.3',
    });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    for (const body of [
      search(1, 'heron', _meta),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      {},
    ]) {
      const { signal } = new AbortController();
      const asked = new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        signal,
      });
      await (await answer(asked)).text();
      expect(getEventListeners(asked.signal, 'abort')).toEqual([]);
    }
  },
);

describe('what is no message', () => {
  test.each(['GET', 'DELETE', 'PUT'])('%s is told that only POST is possible', async (method) => {
    const { url } = await open();
    const response = await fetch(url, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
  });

  test('is refused in the words of JSON-RPC', async () => {
    const { url } = await open();
    const garbage = await post(url, '{"jsonrpc":');
    expect([garbage.status, await garbage.json()]).toMatchObject([
      400,
      { id: null, error: { code: -32700 } },
    ]);
    const long = await post(url, search(1, 'x'.repeat(maxMessageBytes)));
    expect([long.status, await long.json()]).toMatchObject([413, { id: null, error: { code: -32000 } }]);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const odd of [null, 7, {}, { jsonrpc: '2.0', id: 1 }, { params: null }, deep]) {
      expect((await post(url, odd)).status).toBe(400);
    }
  });
});

test('arguments that are no object are refused in words', async () => {
  const { url } = await open();
  const answer = await post(url, {
    ...search(1),
    params: { name: 'web_search', arguments: 'heron' },
  });
  const { error } = (await answer.json()) as { error: { code: number; message: string } };
  expect(error).toEqual({
    code: -32602,
    message: 'Invalid params: params.arguments must be an object, such as {"name": "value"}.',
  });
});

describe('a web page', () => {
  const evil = 'http://evil.example';

  test('reaches nothing under a name of its own, nor from an origin that is not named', async () => {
    const { url } = await open();
    const { host } = new URL(url);
    expect(await pingAs(url, {})).toBe(200);
    expect(await pingAs(url, { host: 'localhost:8080' })).toBe(200);
    expect(await pingAs(url, { host: '[::1]:8080' })).toBe(200);
    expect(await pingAs(url, { host, origin: 'http://localhost:3000' })).toBe(200);
    expect(await pingAs(url, { host: 'evil.example' })).toBe(403);
    expect(await pingAs(url, { host: 'localhost.evil.example' })).toBe(403);
    expect(await pingAs(url, { host, origin: evil })).toBe(403);
    expect(await pingAs(url, { host, origin: 'null' })).toBe(403);
    expect(await pingAs(url, { host: 'evil.example', origin: evil })).toBe(403);
  });

  test('that is named may ask, as may whoever knows the service by a name that is', async () => {
    const { url } = await open({ hosts: ['search.example'], origins: ['https://chat.example'] });
    expect(await pingAs(url, { host: 'search.example', origin: 'https://chat.example' })).toBe(200);
    expect(await pingAs(url, { host: 'search.example', origin: evil })).toBe(403);
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'https://chat.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Protocol-Version');
    const any = await open({ hosts: '*' });
    expect(await pingAs(any.url, { host: 'evil.example' })).toBe(200);
  });
});

describe('fair use', () => {
  test('counts calls of tools alone, and tells a limited one how long to wait', async () => {
    const { url } = await open();
    const client = await connect(url);
    for (let times = 0; times < 5; times++) await client.listTools();
    const calls = [];
    for (let times = 0; times < 3; times++)
      calls.push(await client.callTool({ name: 'web_search', arguments: { q: 'heron' } }));
    expect(calls.map(({ isError = false }) => isError)).toEqual([false, false, true]);
    expect(textOf(calls[2])).toBe(
      'Too many requests: your address has used up its share of requests: try again in 10 seconds. ' +
        'Wait 10 seconds before calling web_search again.',
    );
    const read = await client.callTool({ name: 'fetch_content', arguments: { id: heronAlmanac.id } });
    expect(read.isError).toBeFalsy();
  });

  test('counts a dear search as what it costs, and one that is refused as one', async () => {
    const { url, records } = await open();
    const { id, text, hash } = makeApiKey();
    const rate = { perMinute: 60, burst: 10 };
    records.set(id, { name: 'team', hash, rate, createdAt: 0, expiresAt: null, revokedAt: null });
    const leftAfter = async (args: object) => {
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
      const message = { ...call, params: { name: 'web_search', arguments: args } };
      const response = await post(url, message, { authorization: `Bearer ${text}` });
      return Number(response.headers.get('x-ratelimit-remaining'));
    };
    expect(await leftAfter({ q: 'heron' })).toBe(9);
    expect(await leftAfter({ query: 'heron', max_results: 100 })).toBe(5);
    expect(await leftAfter({ q: 'heron', limit: 1000 })).toBe(4);
  });

  test('counts a page that is read as a resource like one that is fetched', async () => {
    const { url } = await open();
    const client = await connect(url);
    const read = () => client.readResource({ uri: `gleaner://page/${heronAlmanac.id}` });
    await read();
    await read();
    await expect(read()).rejects.toThrow('try again in 10 seconds');
  });

  test('has a share of its own for searches that ask others', async () => {
    const asking: Engine = {
      ...library.engine,
      search: async (_, { mayAskExternal = () => true } = {}) => ({
        total: 0,
        took_ms: 0,
        results: [],
        external: (await mayAskExternal())
          ? { state: 'ok', failures: [] }
          : { state: 'off', reason: 'budget spent', failures: [] },
      }),
    };
    const { url } = await open({ engine: asking });
    const client = await connect(url);
    const find = () => client.callTool({ name: 'web_search', arguments: { q: 'heron' } });
    expect((await find()).structuredContent).not.toHaveProperty('notice');
    expect((await find()).structuredContent).toHaveProperty('notice', expect.stringContaining('used up'));
  });

  test('gives the holder of a key the share of that key, and nobody anything with a bad one', async () => {
    const { url, records } = await open();
    const { id, text, hash } = makeApiKey();
    const rate = { perMinute: 60, burst: 4 };
    records.set(id, { name: 'team', hash, rate, createdAt: 0, expiresAt: null, revokedAt: null });
    const response = await post(url, search(1), { authorization: `Bearer ${text}` });
    expect(response.headers.get('x-ratelimit-remaining')).toBe('3');
    const refused = await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' }, { 'x-api-key': 'gl_nobody' });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('invalid_token');
  });
});
