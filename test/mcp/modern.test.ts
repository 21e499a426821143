import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { listen } from '../../src/http/serve.ts';
import { createMcpOverHttp } from '../../src/mcp/http.ts';
import { runStdio } from '../../src/mcp/stdio.ts';
import { silentLog } from '../../src/runtime.ts';
import { defaultToolNames } from '../../tools/tool-names.ts';
import { routesOver } from '../http/rig.ts';
import { engineThat, heronAlmanac, openLibrary } from '../tools/library.ts';

const version = '2026-07-28';

let library: Awaited<ReturnType<typeof openLibrary>>;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

const serverOptions = (engine: Engine) => ({
  engine: async () => engine,
  tools: defaultToolNames,
  log: silentLog,
  version: '1.2.3',
  progressEveryMs: 1,
});

async function openHttp(engine = library.engine): Promise<string> {
  const app = routesOver(engine, {
    mcp: { answer: createMcpOverHttp(serverOptions(engine)), origins: '*' },
  });
  const { url, close } = await listen({ app, host: '127.0.0.1', port: 0, lingerMs: 20 });
  onTestFinished(close);
  return `${url}/mcp`;
}

async function connect(url: string): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '0' },
    { versionNegotiation: { mode: { pin: version } } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  return client;
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const request = (id: number, method: string, params: object = {}, _meta: object = envelope) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta },
});

/** Sends one message as the revision demands, with the headers that repeat what it says. */
async function post(url: string, message: ReturnType<typeof request>, headers: Record<string, string> = {}) {
  const { name } = message.params as { name?: string };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': message.method,
      ...(name !== undefined && { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify(message),
  });
  return { status: response.status, body: (await response.json()) as { result?: object; error?: object } };
}

/** What a session over stdio answers to these messages, in their order. */
async function say(...messages: object[]): Promise<{ id?: number; result?: object; error?: object }[]> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const done = runStdio({ ...serverOptions(library.engine), stdin, stdout, stderr: new PassThrough() });
  for (const message of messages) stdin.write(`${JSON.stringify(message)}\n`);
  stdin.end();
  const heard: string[] = [];
  stdout.setEncoding('utf8').on('data', (text: string) => heard.push(text));
  await done;
  const lines = heard.join('').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

describe('over HTTP', () => {
  test('a client of 2026-07-28 alone finds, reads and is refused as any other', async () => {
    const client = await connect(await openHttp());
    expect(client.getServerVersion()).toMatchObject({ name: 'gleaner', version: '1.2.3' });
    expect(client.getInstructions()).toContain('web_search');
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(['web_search', 'fetch_content']);
    const found = await client.callTool({ name: 'web_search', arguments: { query: 'heron almanac' } });
    expect(found.structuredContent).toMatchObject({ total: 1, results: [{ id: heronAlmanac.id }] });
    const refused = await client.callTool({ name: 'web_search', arguments: { q: 'x', limit: 1000 } });
    expect(refused).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'search', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    const { contents } = await client.readResource({ uri: `gleaner://page/${heronAlmanac.id}` });
    expect(contents).toMatchObject([{ text: expect.stringContaining('# The heron almanac') }]);
    expect((await client.listPrompts()).prompts).toEqual([]);
  });

  test('each request stands for itself', async () => {
    const url = await openHttp();
    const { status, body } = await post(
      url,
      request(1, 'tools/call', { name: 'web_search', arguments: { q: 'heron almanac' } }),
    );
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ resultType: 'complete', structuredContent: { total: 1 } });
  });

  test('what is the same for all may be kept for an hour, what a page says not at all', async () => {
    const url = await openHttp();
    const hour = { ttlMs: 3_600_000, cacheScope: 'public' };
    for (const method of [
      'server/discover',
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ])
      expect((await post(url, request(1, method))).body.result).toMatchObject(hour);
    const uri = `gleaner://page/${heronAlmanac.id}`;
    const read = await post(url, request(1, 'resources/read', { uri }), { 'mcp-name': uri });
    expect(read.body.result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });

  test('is answered by the errors of the revision', async () => {
    const url = await openHttp();
    const call = request(1, 'tools/call', { name: 'web_search', arguments: 'heron' });
    expect((await post(url, call)).body.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('arguments must be an object'),
    });
    const uri = 'gleaner://page/none';
    const missing = await post(url, request(1, 'resources/read', { uri }), { 'mcp-name': uri });
    expect(missing.body.error).toMatchObject({ code: -32602, data: { uri } });
    const other = await post(url, request(1, 'tools/list'), { 'mcp-method': 'tools/call' });
    expect([other.status, other.body.error]).toMatchObject([400, { code: -32020 }]);
    const later = '2027-01-01';
    const unknown = await post(
      url,
      request(1, 'tools/list', {}, { ...envelope, 'io.modelcontextprotocol/protocolVersion': later }),
      { 'mcp-protocol-version': later },
    );
    expect([unknown.status, unknown.body.error]).toMatchObject([
      400,
      { code: -32022, data: { supported: [version], requested: later } },
    ]);
    const ping = await post(url, request(1, 'ping'));
    expect([ping.status, ping.body.error]).toMatchObject([404, { code: -32601 }]);
  });

  test('a call that asks for progress hears of it', async () => {
    let finish = () => {};
    const slow: Engine = {
      ...engineThat(() => Promise.reject(new Error('not asked'))),
      read: () =>
        new Promise((_, reject) => {
          finish = () => reject(new Error('enough'));
        }),
    };
    const client = await connect(await openHttp(slow));
    const heard: unknown[] = [];
    await client.callTool(
      { name: 'fetch_content', arguments: { url: 'https://a.example/' } },
      {
        onprogress: ({ progress, message }) => {
          heard.push({ progress, message });
          if (message === 'Visiting the page') finish();
        },
      },
    );
    expect(heard).toContainEqual({ progress: expect.any(Number), message: 'Visiting the page' });
  });

  test('a client that disconnects stops its call', async () => {
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
      void openHttp(hanging).then(async (url) => {
        const leave = new AbortController();
        const headers = {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': version,
          'mcp-method': 'tools/call',
          'mcp-name': 'web_search',
        };
        const body = JSON.stringify(request(1, 'tools/call', { name: 'web_search', arguments: { q: 'x' } }));
        void fetch(url, { method: 'POST', headers, body, signal: leave.signal }).catch(() => {});
        await wasAsked;
        leave.abort();
      });
    });
    await stopped;
  });

  test('a page of another origin may send the headers that the revision demands', async () => {
    const preflight = await fetch(await openHttp(), {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
    });
    const allowed = preflight.headers.get('access-control-allow-headers');
    for (const name of ['Mcp-Method', 'Mcp-Name', 'Mcp-Protocol-Version']) expect(allowed).toContain(name);
  });
});

describe('over stdio', () => {
  const call = { name: 'web_search', arguments: { q: 'heron almanac' } };

  test('a session that begins with server/discover goes on without a handshake', async () => {
    const answers = await say(request(1, 'server/discover'), request(2, 'tools/call', call));
    expect(answers).toMatchObject([
      { id: 1, result: { supportedVersions: [version], ttlMs: 3_600_000 } },
      { id: 2, result: { structuredContent: { total: 1 } } },
    ]);
  });

  test('the first message may be a call', async () => {
    expect(await say(request(1, 'tools/call', call))).toMatchObject([
      { id: 1, result: { resultType: 'complete', structuredContent: { total: 1 } } },
    ]);
  });

  test('a client that asks first and then begins with initialize is served the older revision', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 2,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '0' } },
    };
    const answers = await say(
      request(1, 'server/discover'),
      initialize,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 3, method: 'tools/call', params: call },
    );
    expect(answers).toMatchObject([
      { id: 1 },
      { id: 2, result: { protocolVersion: '2025-11-25' } },
      { id: 3, result: { structuredContent: { total: 1 } } },
    ]);
    expect(answers[2]?.result).not.toHaveProperty('resultType');
  });

  test('an open subscription does not hold up the end of the session', async () => {
    const answers = await say(
      request(1, 'subscriptions/listen', { notifications: {} }),
      request(2, 'tools/list'),
    );
    expect(answers).toContainEqual(expect.objectContaining({ id: 2, result: expect.anything() }));
  });

  test('a line that is no message is told so, and the session goes on', async () => {
    const answers = await say(request(1, 'tools/list'), { jsonrpc: '2.0' }, request(2, 'tools/list'));
    expect(answers).toHaveLength(3);
    expect(answers).toContainEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: expect.any(String) },
    });
    expect(answers).toContainEqual(expect.objectContaining({ id: 2, result: expect.anything() }));
  });
});
