import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

const body = JSON.parse(process.env.BODY ?? '{}') as object;
const app = new Hono().get('*', (c) => c.json(body));
const server = createServer(getRequestListener(app.fetch));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stderr.write(`listens on http://127.0.0.1:${port}\n`);
});
process.once('SIGTERM', () => process.exit());
