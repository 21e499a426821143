import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { createMetrics } from '../../../src/http/metrics/metrics.ts';
import { createRoutes } from '../../../src/http/routes.ts';
import { listen } from '../../../src/http/serve.ts';
import { createAdmissionControl } from '../../../src/limits/admission.ts';
import { createApiKeys } from '../../../src/limits/api-keys.ts';
import { createClientIdentity } from '../../../src/limits/client-identity.ts';
import { isLoopback } from '../../../src/limits/loopback.ts';
import { createMcpOverHttp } from '../../../src/mcp/http.ts';
import { silentLog } from '../../../src/runtime.ts';
import { defaultToolNames } from '../../../tools/tool-names.ts';
import { openLibrary } from '../../tools/library.ts';
import { emptyServiceState } from '../empty-service-state.ts';

let library: Awaited<ReturnType<typeof openLibrary>>;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

const loopback = {};
/** On loopback, too, since it is a test; its settings are those of a service that listens on all addresses. */
const elsewhere = { GLEANER_HOST: '0.0.0.0' };

/** The whole service with these settings, on a port of its own. */
async function open(settings: Record<string, string>) {
  const config = readConfig(settings);
  const { hosts, origins, trustedProxies, proxyHeader } = config;
  const clientIdentity = createClientIdentity({
    apiKeys: createApiKeys({ table: new Map() }),
    trustedProxies,
    proxyHeader,
  });
  const { engine } = library;
  const app = createRoutes({
    engine,
    log: silentLog,
    version: '1.2.3',
    docs: [],
    readiness: () => ({ notReady: undefined, pages: 0, searchable: 0, providers: {} }),
    origins,
    logQueries: false,
    allowedHosts: {
      hosts,
      isLoopbackOnly: isLoopback(config.host),
      isFromTrustedProxy: clientIdentity.isFromTrustedProxy,
    },
    mcp: {
      answer: createMcpOverHttp({
        engine: async () => engine,
        tools: defaultToolNames,
        log: silentLog,
        version: '1.2.3',
      }),
      origins,
    },
    metrics: createMetrics({
      state: async () => emptyServiceState,
      admissionStats: createAdmissionControl(config.limits).stats,
      access: 'private',
    }),
  });
  const { url, close } = await listen({ app, host: '127.0.0.1', port: 0, lingerMs: 20 });
  onTestFinished(close);
  const port = Number(new URL(url).port);

  /** Sends a request as it stands here, with nothing that a client would add, and gives the whole answer. */
  const send = async (...lines: string[]) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const answer = await text(socket);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
  };
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(
      `${method} ${path} HTTP/1.1`,
      ...Object.entries({ Host: `127.0.0.1:${port}`, Connection: 'close', ...headers }).map(
        ([name, value]) => `${name}: ${value}`,
      ),
    );
  return { port, send, get };
}

const search = '/api/v1/search?q=heron';
const content = `/api/v1/content/${'0'.repeat(26)}`;
const rebound = 'rebind.evil.example:8114';

describe('on loopback', () => {
  test('every route is refused to a name that a page lets lead here, and says what to do', async () => {
    const { get } = await open(loopback);
    const paths = [search, content, '/', '/docs', '/openapi.json', '/llms.txt', '/nothing'];
    for (const path of [...paths, '/metrics', '/mcp', '/healthz', '/readyz']) {
      const { status, head, body } = await get(path, { Host: rebound, Origin: `http://${rebound}` });
      expect([path, status]).toEqual([path, 403]);
      expect(head).toContain('content-type: application/problem+json');
      expect(head).not.toContain('access-control-allow-origin');
      expect(body).toMatch(/GLEANER_HOSTS.*GLEANER_TRUST_PROXY/);
      expect(body).not.toContain('evil');
    }
    expect((await get(search, { Host: rebound }, 'OPTIONS')).status).toBe(403);
    expect((await get('/mcp', { Host: rebound }, 'POST')).status).toBe(403);
  });

  test.each([
    ['localhost', 200],
    ['LocalHost:8080', 200],
    ['localhost.:8080', 200],
    ['gleaner.localhost:3000', 200],
    ['127.0.0.1', 200],
    ['127.9.8.7:1', 200],
    ['[::1]', 200],
    ['[::1]:8080', 200],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example:8080', 403],
    ['evillocalhost', 403],
    ['0.0.0.0:8080', 403],
    ['192.168.1.5:8080', 403],
    ['203.0.113.9', 403],
    ['[2001:db8::1]:8080', 403],
    ['gleaner', 403],
  ])('Host: %s is %i', async (host, status) => {
    const { get } = await open(loopback);
    expect((await get(search, { Host: host })).status).toBe(status);
  });

  test('health checks are answered under any address, and under no name', async () => {
    const { get } = await open(loopback);
    for (const path of ['/healthz', '/readyz']) {
      for (const host of ['10.1.2.3:8080', '[fd00::5]:8080'])
        expect([path, host, (await get(path, { Host: host })).status]).toEqual([path, host, 200]);
      expect((await get(path, { Host: 'probe.example' })).status).toBe(403);
    }
  });

  test('what a request says of other hosts counts for nothing', async () => {
    const { get } = await open(loopback);
    const words = { 'X-Forwarded-Host': 'localhost', Forwarded: 'host=localhost', 'X-Forwarded-For': '::1' };
    expect((await get(search, { Host: rebound, ...words })).status).toBe(403);
    expect((await get(search, { 'X-Forwarded-Host': rebound })).status).toBe(200);
  });

  test('an absolute target is checked as well as Host; without Host the address listened on counts', async () => {
    const { send, port } = await open(loopback);
    const target = (authority: string, host: string) =>
      send(`GET http://${authority}${search} HTTP/1.1`, `Host: ${host}`, 'Connection: close');
    expect((await target(`127.0.0.1:${port}`, 'localhost')).status).toBe(200);
    expect((await target(rebound, 'localhost')).status).toBe(403);
    expect((await target('localhost', rebound)).status).toBe(403);
    expect((await send(`GET ${search} HTTP/1.0`)).status).toBe(200);
    expect((await send(`GET ${search} HTTP/1.1`)).status).toBe(400);
  });

  test('names in GLEANER_HOSTS are known, on every route and port', async () => {
    const { get } = await open({ GLEANER_HOSTS: 'search.example.com,[2001:db8::1],192.168.1.5' });
    for (const host of ['search.example.com', 'Search.Example.COM:443', '[2001:db8::1]:1', '192.168.1.5'])
      expect([host, (await get(search, { Host: host })).status]).toEqual([host, 200]);
    expect((await get('/mcp', { Host: 'search.example.com' })).status).toBe(405);
    expect((await get(search, { Host: 'other.example.com' })).status).toBe(403);
    const any = await open({ GLEANER_HOSTS: '*' });
    expect((await any.get(search, { Host: rebound })).status).toBe(200);
  });

  test('a trusted proxy passes any name on, when it says for whom it asks', async () => {
    const { get } = await open({ GLEANER_TRUST_PROXY: '127.0.0.1' });
    const forwarded = { 'X-Forwarded-For': '203.0.113.9' };
    expect((await get(search, { Host: 'search.example.com', ...forwarded })).status).toBe(200);
    expect((await get('/mcp', { Host: 'search.example.com', ...forwarded })).status).toBe(405);
    expect((await get(search, { Host: 'search.example.com' })).status).toBe(403);
    expect((await get(search, { Host: rebound, Forwarded: 'for=203.0.113.9' })).status).toBe(403);
    const others = await open({ GLEANER_TRUST_PROXY: '10.0.0.0/8' });
    expect((await others.get(search, { Host: 'search.example.com', ...forwarded })).status).toBe(403);
  });
});

describe('elsewhere', () => {
  test('/mcp alone is checked where no host is named', async () => {
    const { get } = await open(elsewhere);
    for (const path of [search, '/docs', '/healthz'])
      expect((await get(path, { Host: 'any.example' })).status).toBe(200);
    expect((await get('/mcp', { Host: 'any.example' })).status).toBe(403);
    expect((await get('/mcp', { Host: '192.168.1.5' })).status).toBe(405);
  });

  test('every route is checked where hosts are named; addresses and localhost are known', async () => {
    const { get } = await open({ ...elsewhere, GLEANER_HOSTS: 'search.example.com' });
    for (const path of [search, '/docs', '/healthz', '/mcp']) {
      expect([path, (await get(path, { Host: 'any.example' })).status]).toEqual([path, 403]);
      for (const host of ['search.example.com', '10.1.2.3:8080', 'localhost', '[fd00::5]']) {
        expect([host, (await get(path, { Host: host })).status]).toEqual([host, path === '/mcp' ? 405 : 200]);
      }
    }
  });

  test('a trusted proxy may pass other names on, but to /mcp', async () => {
    const settings = { GLEANER_HOSTS: 'search.example.com', GLEANER_TRUST_PROXY: '1' };
    const { get } = await open({ ...elsewhere, ...settings });
    const passedOn = { Host: 'other.example.com', 'X-Forwarded-For': '203.0.113.9' };
    expect((await get(search, passedOn)).status).toBe(200);
    expect((await get('/mcp', passedOn)).status).toBe(403);
  });
});

describe('web pages of other origins', () => {
  const origin = 'https://app.example';
  const preflight = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
  const allowed = (head: string) => /access-control-allow-origin: (\S+)/.exec(head)?.[1];

  test('read nothing of a service on loopback, and everything of one elsewhere', async () => {
    const closed = await open(loopback);
    const opened = await open(elsewhere);
    for (const path of [search, '/healthz', '/nothing']) {
      expect(allowed((await closed.get(path, { Origin: origin })).head)).toBeUndefined();
      expect(allowed((await opened.get(path, { Origin: origin })).head)).toBe('*');
    }
    expect(allowed((await closed.get(search, preflight, 'OPTIONS')).head)).toBeUndefined();
    expect(allowed((await opened.get(search, preflight, 'OPTIONS')).head)).toBe('*');
  });

  test.each(['127.0.0.2', '::1', 'localhost'])('read nothing on %s', (host) => {
    expect(readConfig({ GLEANER_HOST: host }).origins).toEqual([]);
  });

  test('read what the operator opens to them, on loopback too', async () => {
    const all = await open({ GLEANER_CORS_ORIGINS: '*' });
    expect(allowed((await all.get(search, { Origin: origin })).head)).toBe('*');
    const some = await open({ GLEANER_CORS_ORIGINS: origin });
    expect(allowed((await some.get(search, { Origin: origin })).head)).toBe(origin);
    expect(allowed((await some.get(search, preflight, 'OPTIONS')).head)).toBe(origin);
    expect(allowed((await some.get(search, { Origin: 'https://other.example' })).head)).toBeUndefined();
  });

  test('never read /metrics', async () => {
    for (const settings of [{ GLEANER_CORS_ORIGINS: '*' }, { GLEANER_CORS_ORIGINS: origin }, elsewhere]) {
      const { get } = await open(settings);
      const answer = await get('/metrics', { Origin: origin });
      expect(answer.status).toBe(200);
      expect(answer.head).not.toContain('access-control-');
      expect(allowed((await get('/metrics', preflight, 'OPTIONS')).head)).toBeUndefined();
      expect((await get('/metrics', { Origin: origin, Via: '1.1 x' })).head).not.toContain('access-control-');
    }
  });

  test('see whether the web was asked', async () => {
    const { get } = await open(elsewhere);
    const { head } = await get(search, { Origin: origin });
    expect(/access-control-expose-headers: (.*)/.exec(head)?.[1]).toContain('gleaner-external');
  });
});

describe('/metrics is public, and so hidden,', () => {
  test.each([
    ['Host', 'search.example.com'],
    ['Host', rebound],
    ['Host', '203.0.113.9:8080'],
    ['Host', '[2001:db8::1]'],
    ['CF-Connecting-IP', '203.0.113.9'],
    ['X-Forwarded-Host', 'search.example.com'],
    ['X-Real-IP', '127.0.0.1'],
    ['True-Client-IP', '203.0.113.9'],
    ['Via', '1.1 proxy'],
  ])('with %s: %s', async (name, value) => {
    const { get } = await open(elsewhere);
    expect((await get('/metrics', { [name]: value })).status).toBe(404);
    expect(await (await get('/metrics', { [name]: value })).body).not.toContain('gleaner_pages');
  });

  test('under a public name that the operator has named, too', async () => {
    const { get } = await open({ GLEANER_HOSTS: 'search.example.com' });
    expect((await get('/metrics', { Host: 'search.example.com' })).status).toBe(404);
    expect((await get('/metrics')).status).toBe(200);
  });

  test.each([
    'localhost:8080',
    '10.1.2.3:8080',
    '[fd00::5]',
    'gleaner:8080',
    'gleaner.internal',
    'box.local',
  ])('but not under %s', async (host) => {
    const { get } = await open(elsewhere);
    expect((await get('/metrics', { Host: host })).status).toBe(200);
  });
});
