import { createServer, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ServiceError } from '../contract/errors.ts';
import { followConnections } from './connections.ts';
import { malformedResponse } from './malformed.ts';

export interface ListenOptions {
  /** Answers requests; a Hono app is one. */
  readonly app: { fetch(request: Request, env?: object): Response | Promise<Response> };
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** How long requests under way may take once `close` is called. */
  readonly drainMs?: number;
}

export interface Listening {
  /** Where the service answers, with no slash at the end. */
  readonly url: string;
  /** Takes no new connections, lets requests under way finish, cuts off what is left after `drainMs`. */
  close(): Promise<void>;
}

const timeouts = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  // Longer than the 60 s of the usual proxies, or they send into a connection that is just being closed.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
};

/**
 * Serves `app` on a port and resolves once connections are taken. Rejects with a `ServiceError` that says what to
 * do when the address cannot be had.
 */
export async function listen({ app, host, port, drainMs = 10_000 }: ListenOptions): Promise<Listening> {
  const answer = getRequestListener((request, env) => app.fetch(request, env), { hostname: authority(host) });
  const server = createServer(timeouts, (request, response) => void answer(request, response));
  const connections = followConnections(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || connections.isBusy(socket)) socket.destroy();
    else socket.end(malformedResponse(error.code));
  });
  await listening(server, host, port);

  const address = server.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${authority(host)}:${actualPort}`,
    close: () => {
      closed ??= connections.drain(drainMs);
      return closed;
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(refused(error, host, port)));
    server.listen({ host, port }, resolve);
  });
}

function refused(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const message = {
    EADDRINUSE: `port ${port} on ${host} is taken: choose another one with --port, or end what listens there`,
    EACCES: `port ${port} on ${host} is not allowed to this user: choose one above 1023 with --port`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: choose another one with --host`,
    ENOTFOUND: `the host name ${host} is not known: choose another one with --host`,
  }[error.code ?? ''];
  return message === undefined ? error : new ServiceError('unavailable', message);
}

function authority(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}
