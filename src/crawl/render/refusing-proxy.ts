import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy on loopback that refuses every request and every tunnel: whatever goes past the interception ends here. */
export async function openRefusingProxy(): Promise<number> {
  const server = createServer((_, response) => {
    response.writeHead(403, { connection: 'close' }).end();
  });
  for (const event of ['connect', 'upgrade'] as const)
    server.on(event, (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n'));
  server.on('clientError', (_, socket) => socket.destroy());
  server.unref();
  // Without a loopback device there is nothing to refuse.
  return new Promise((resolve) => {
    server.once('error', () => resolve(1));
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
