import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { ServiceError } from '../contract/errors.ts';
import { followConnections } from './connections.ts';
import { malformed, onTheWire } from './raw-http-errors.ts';

export interface ListenOptions {
  /** Answers requests; a Hono app is one. */
  readonly app: { fetch(request: Request, env?: object): Response | Promise<Response> };
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** How long requests may take to be answered once `close` is called. */
  readonly drainMs?: number;
  /** How long `close` waits for the requests that are just being sent. */
  readonly lingerMs?: number;
  readonly caps?: Partial<ServerCaps>;
}

/** What one client may take of the server, so that slow and endless requests hold nothing up. */
export interface ServerCaps {
  /** How long the headers, and the whole request with its body, may take to arrive. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** How long a connection may stay open with no request under way. */
  readonly keepAliveTimeout: number;
  /** How long a connection may stand still while it is used, as when the client reads nothing. */
  readonly standstillTimeout: number;
  /** How often these are looked at. */
  readonly connectionsCheckingInterval: number;
  /** Bytes of the request line and the headers together. */
  readonly maxHeaderSize: number;
}

export interface Listening {
  /** Where the service answers, with no slash at the end. */
  readonly url: string;
  /**
   * Answers what is under way and what comes within a moment, takes no more connections, and cuts off what is left
   * after `drainMs`.
   */
  close(): Promise<void>;
}

const defaultCaps: ServerCaps = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  // Longer than the 60 s of the usual proxies, or they send into a connection that is just being closed.
  keepAliveTimeout: 65_000,
  standstillTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
  // Twice the longest URL that is read, so that a URL somewhat too long is told so in words of its own.
  maxHeaderSize: 48 * 1024,
};

/** Leaves time to close the data folder within the ten seconds that supervisors give. */
const defaultDrainMs = 8_000;
/** Longer than clients that ask all the time take to ask again. */
const defaultLingerMs = 500;

/**
 * Serves `app` on a port and resolves once connections are taken. Rejects with a `ServiceError` that says what to
 * do when the address cannot be had.
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { app, host, port, drainMs = defaultDrainMs, lingerMs = defaultLingerMs } = options;
  const { standstillTimeout, ...caps } = { ...defaultCaps, ...options.caps };
  const answer = getRequestListener((request, env) => app.fetch(request, env), {
    hostname: authority(host),
    errorHandler: (error) => unusable(error),
  });
  const server = createServer({ ...caps, requireHostHeader: false }, (request, response) => {
    if (lacksHost(request)) refuse(response, 'missing_host');
    else void answer(request, response);
  });
  server.setTimeout(standstillTimeout);
  server.on('checkExpectation', (_, response) => refuse(response, 'expectation'));
  const connections = followConnections(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || connections.isBusy(socket)) socket.destroy();
    else socket.end(onTheWire(malformed(error.code)));
  });
  await listening(server, host, port);

  const address = server.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${authority(host)}:${actualPort}`,
    close: () => {
      closed ??= connections.drain({ drainMs, lingerMs });
      return closed;
    },
  };
}

/** RFC 9112, section 3.2: HTTP/1.1 without a Host is a bad request. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && headers.host === undefined;
}

function refuse(response: ServerResponse, code: string): void {
  const { status, headers, body } = malformed(code);
  response.writeHead(status, headers).end(body);
}

/** What cannot be made a `Request`, such as `OPTIONS *`; anything else that comes here is a bug, for the caller to see. */
function unusable(error: unknown): Response {
  if (!(error instanceof RequestError)) throw error;
  const { status, headers, body } = malformed('unusable_target');
  return new Response(body, { status, headers });
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
