import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ListenOptions, listen } from '../../src/http/serve.ts';

const echo = new Hono().get('/', (c) => c.text(new URL(c.req.url).search));

async function open(options: Partial<ListenOptions> = {}) {
  const listening = await listen({ app: echo, host: '127.0.0.1', port: 0, lingerMs: 20, ...options });
  onTestFinished(() => listening.close());
  return listening;
}

/** That a new connection is not taken; one that was kept open may still look alive to the client. */
const isRefused = (url: string) =>
  expect(once(get(url, { agent: false }), 'response')).rejects.toMatchObject({ code: 'ECONNREFUSED' });

/** An app of which every request waits until it is let go. */
function waitingApp() {
  let letGo = () => {};
  let arrived = () => {};
  const hasArrived = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const app = new Hono().get('/', async (c) => {
    arrived();
    await gate;
    return c.text('done');
  });
  return { app, hasArrived, letGo: () => letGo() };
}

test('answers at its url and not after close', async () => {
  const { url, close } = await open();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(`${url}/?a=1`)).text()).toBe('?a=1');
  await close();
  await close();
  await isRefused(url);
});

test('the url of an IPv6 host has brackets', async (context) => {
  const listening = await open({ host: '::1' }).catch((error: Error) => error);
  if (listening instanceof Error) return context.skip(`no IPv6 loopback here: ${listening.message}`);
  expect(listening.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await fetch(listening.url)).status).toBe(200);
});

test('a taken port is refused with what to do', async () => {
  const { url } = await open();
  const port = Number(new URL(url).port);
  await expect(open({ port })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(new RegExp(`port ${port} on 127\\.0\\.0\\.1 is taken.*--port`)),
  });
});

test('an address of another machine is refused with what to do', async () => {
  await expect(open({ host: '192.0.2.1' })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('--host'),
  });
});

test.each([
  ['GET /?q=数据 HTTP/1.1', 400, /percent-encoded/],
  ['nonsense', 400, /not a valid HTTP request/],
  ['GET / HTTP/1.1\r\nExpect: a miracle', 417, /100-continue/],
  ['GET / HTTP/1.1\r\nHost: a b', 400, /Host header/],
  ['OPTIONS * HTTP/1.1', 400, /target/],
  [`GET /?q=${'x'.repeat(60_000)} HTTP/1.1`, 431, /too long/],
])('a request that node cannot read gets problem details too', async (line, status, detail) => {
  const { url } = await open();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`${line}\r\nHost: x\r\n\r\n`);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain('Content-Type: application/problem+json');
  expect(JSON.parse(body)).toMatchObject({ status, detail: expect.stringMatching(detail) });
});

test('HTTP/1.1 without a Host is a bad request, HTTP/1.0 is not', async () => {
  const { url } = await open();
  const ask = (request: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(request);
    return text(socket);
  };
  expect(await ask('GET / HTTP/1.1\r\n\r\n')).toMatch(
    /^HTTP\/1.1 400 [\s\S]*X-Request-Id: [\s\S]*needs a Host header/,
  );
  expect(await ask('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
});

describe('a request that never ends is cut off', () => {
  const caps = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 };

  test.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['body', 'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nslow'],
  ])('in its %s', async (_, beginning) => {
    const waiting = new Hono()
      .put('/', async (c) => c.text(await c.req.text()))
      .onError((_, c) => c.text('broken off', 400));
    const { url } = await open({ app: waiting, caps });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(beginning);
    const answer = await text(socket).catch(() => '');
    expect(answer).not.toContain('HTTP/1.1 200');
  });

  test('and is told so while nothing was answered', async () => {
    const { url } = await open({ caps });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 408 [\s\S]*did not arrive in time/);
  });
});

test('close lets the request under way finish and drops connections that idle', async () => {
  const { app, hasArrived, letGo } = waitingApp();
  const { url, close } = await open({ app, drainMs: 60_000 });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const idle = connect(Number(new URL(url).port), '127.0.0.1');
  await once(idle, 'connect');

  const request = get(url, { agent });
  await hasArrived;
  const closed = close();
  await once(idle.resume(), 'close');
  await isRefused(url);
  letGo();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(await text(response)).toBe('done');
  await closed;
});

test('close answers what comes on a connection that was kept open, and closes it with that', async () => {
  const { url, close } = await open({ lingerMs: 60_000 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = async () => {
    const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
    await text(response);
    return response.headers.connection;
  };
  expect(await ask()).toBe('keep-alive');
  const closed = close();
  expect(await ask()).toBe('close');
  await closed;
  await isRefused(url);
});

test('close answers all of the requests that came at once on one connection', async () => {
  const { app, hasArrived, letGo } = waitingApp();
  const { url, close } = await open({ app, drainMs: 60_000 });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
  await hasArrived;
  const closed = close();
  letGo();
  expect((await text(socket)).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  await closed;
});

test('close cuts off what is not done in time', async () => {
  const { app, hasArrived } = waitingApp();
  const { url, close } = await open({ app, drainMs: 50 });
  const answer = expect(fetch(url)).rejects.toThrow();
  await hasArrived;
  await close();
  await answer;
});
