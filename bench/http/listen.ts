import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';

/** Serves on a free port, says so on stderr, and ends with SIGTERM. */
export function listen(app: Hono): void {
  const server = createServer(getRequestListener(app.fetch));
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stderr.write(`listens on http://127.0.0.1:${port}\n`);
  });
  process.once('SIGTERM', () => process.exit());
}
