import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

export interface Connections {
  /** Whether this connection has an unanswered request. */
  isBusy(socket: object): boolean;
  /**
   * Stops accepting connections, and closes each open one with its next response. Idle connections are closed after
   * `lingerMs`, all others after `drainMs`; both times count from the call.
   */
  drain(options: { readonly drainMs: number; readonly lingerMs: number }): Promise<void>;
}

interface Connection {
  readonly socket: Socket;
  /** Responses that are not sent yet, in the order of their requests. */
  readonly unanswered: Set<ServerResponse>;
}

/**
 * Tracks a server's connections, so that they can be closed without losing requests. Closing an idle connection loses a
 * request that its client is just sending. Clients are therefore warned by `Connection: close` in a response first, and
 * only connections that stay silent are dropped. Node's `closeIdleConnections` is not enough: it skips connections that
 * never sent a request (browsers open them in advance) and those that become idle later.
 */
export function trackConnections(server: Server): Connections {
  const open = new Map<object, Connection>();
  let draining = false;

  server.on('connection', (socket) => {
    open.set(socket, { socket, unanswered: new Set() });
    socket.once('close', () => open.delete(socket));
  });
  // Registered before the handler, which may answer synchronously.
  server.prependListener('request', ({ socket }, response) => {
    const connection = open.get(socket);
    if (!connection) return;
    connection.unanswered.add(response);
    if (draining) closeWithLast(connection);
    response.once('close', () => {
      connection.unanswered.delete(response);
      if (draining && connection.unanswered.size === 0) socket.destroySoon();
    });
  });

  const dropIdle = (): void => {
    for (const { socket, unanswered } of open.values()) if (unanswered.size === 0) socket.destroySoon();
  };

  return {
    isBusy: (socket) => (open.get(socket)?.unanswered.size ?? 0) > 0,
    drain: ({ drainMs, lingerMs }) =>
      new Promise((resolve, reject) => {
        const linger = setTimeout(dropIdle, lingerMs);
        const cutOff = setTimeout(() => server.closeAllConnections(), drainMs);
        // First accept the connections that wait in the backlog: closing the server now would reset them.
        setImmediate(() => {
          draining = true;
          for (const connection of open.values()) closeWithLast(connection);
          // `Server.prototype.close` of HTTP would also drop all idle connections at once.
          NetServer.prototype.close.call(server, (error) => {
            clearTimeout(linger);
            clearTimeout(cutOff);
            if (error) reject(error);
            else resolve();
          });
        });
      }),
  };
}

/** Lets the last response of a connection close it. Earlier ones, of pipelined requests, must keep it open. */
function closeWithLast({ unanswered }: Connection): void {
  const responses = [...unanswered];
  for (const [index, response] of responses.entries())
    response.shouldKeepAlive = index < responses.length - 1;
}
