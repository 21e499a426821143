import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createJsonClient } from '../../src/external/json-client.ts';
import { createSearxng } from '../../src/external/providers/searxng.ts';
import { createOutgoing, type Proxies } from '../../src/runtime.ts';
import { documented } from './documented.ts';
import { never, now, request } from './provider-rig.ts';
import { openService } from './service.ts';

/** A real proxy that records what it was asked to reach, by CONNECT or by a whole URL. */
async function openProxy() {
  const reached: string[] = [];
  const server = createServer((asked, response) => {
    reached.push(new URL(asked.url ?? '').host);
    response.writeHead(502).end();
  });
  server.on('connect', ({ url = '' }, socket) => {
    reached.push(url);
    const [host = '', port] = url.split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, reached };
}

async function search(origin: string, proxies: Proxies) {
  const outgoing = createOutgoing(proxies);
  onTestFinished(() => outgoing.close());
  const fetchJson = createJsonClient({ outgoing, userAgent: 'Gleaner/0.0.0' });
  const provider = createSearxng({ fetchJson, now: () => now, baseUrl: origin });
  return (await provider.search(request('tokio'), never)).results;
}

test('requests go through the proxy that is set, save to the hosts that need none', async () => {
  const service = await openService({ body: documented.searxng.answer });
  const proxy = await openProxy();
  const host = new URL(service.origin).host;
  const expected = documented.searxng.expected;

  expect(await search(service.origin, { http: proxy.url, https: '', none: '' })).toEqual(expected);
  expect(proxy.reached).toEqual([host]);
  expect(await search(service.origin, { http: proxy.url, https: '', none: '127.0.0.1' })).toEqual(expected);
  expect(await search(service.origin, { http: '', https: proxy.url, none: '' })).toEqual(expected);
  expect(proxy.reached).toEqual([host]);
  expect(service.asked).toHaveLength(3);
});

test('a proxy that is not there is a failure to connect, which does not name it', async () => {
  const service = await openService({ body: documented.searxng.answer });
  const proxies = { http: 'http://user:s3cret@127.0.0.1:1', https: '', none: '' };
  const error = await search(service.origin, proxies).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'ProviderError', kind: 'connection' });
  expect(String(error)).not.toMatch(/s3cret|127\.0\.0\.1/);
  expect(String(error)).toMatch(/was not asked: its proxy refused the connection: check HTTP_PROXY$/);
  const unknown = await search('https://service.invalid', {
    http: '',
    https: 'http://junk.invalid',
    none: '',
  }).catch((reason: unknown) => reason);
  expect(String(unknown)).toMatch(/its proxy (was not found|could not be reached): check HTTPS_PROXY$/);
});
