import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { ServiceError } from '../contract/errors.ts';
import { trackConnections } from './connections.ts';
import { rawHttpError, serializeHttp } from './raw-http-errors.ts';

export interface ListenOptions {
  /** Answers requests; a Hono app is one. */
  readonly app: { fetch(request: Request, env?: object): Response | Promise<Response> };
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  /** How long open requests may still take once `close` is called. */
  readonly drainMs?: number;
  /** How long `close` waits for requests that are just being sent. */
  readonly lingerMs?: number;
  readonly caps?: Partial<ServerCaps>;
}

/** Limits per connection, so that slow or endless requests block nothing. */
export interface ServerCaps {
  /** Maximum time for the headers, and for the whole request with its body, to arrive. In ms, as all times here. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** How long an idle connection stays open. */
  readonly keepAliveTimeout: number;
  /** Maximum time without traffic on a connection in use, as when the client reads nothing. */
  readonly standstillTimeout: number;
  /** How often these times are checked. */
  readonly connectionsCheckingInterval: number;
  /** Maximum bytes of the request line and the headers together. */
  readonly maxHeaderSize: number;
}

export interface Listening {
  /** The address of the service, without a trailing slash. */
  readonly url: string;
  /**
   * Answers open requests and those that arrive within `lingerMs`, accepts no more connections, and closes the
   * remaining ones after `drainMs`.
   */
  close(): Promise<void>;
}

const defaultCaps: ServerCaps = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  // Longer than the usual 60 s of proxies, which else would send requests into a connection that is being closed.
  keepAliveTimeout: 65_000,
  standstillTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
  // 1.5 times the maximum URL, so that a URL slightly too long gets its own error.
  maxHeaderSize: 48 * 1024,
};

/** Leaves time to close the data folder within the ten seconds that supervisors allow. */
const defaultDrainMs = 8_000;
/** Longer than the pause between two requests of a busy client. */
const defaultLingerMs = 500;

/**
 * Serves `app` on a port and resolves once it accepts connections. Rejects with a `ServiceError` that says what to do
 * when the address cannot be used.
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
  const connections = trackConnections(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || connections.isBusy(socket)) socket.destroy();
    else socket.end(serializeHttp(rawHttpError(error.code)));
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
  const { status, headers, body } = rawHttpError(code);
  response.writeHead(status, headers).end(body);
}

/** Answers a request that cannot become a `Request`, such as `OPTIONS *`. Any other error is a bug and is thrown again. */
function unusable(error: unknown): Response {
  if (!(error instanceof RequestError)) throw error;
  const { status, headers, body } = rawHttpError('unusable_target');
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
