import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

export interface Connections {
  /** Whether a request of this connection is unanswered. */
  isBusy(socket: object): boolean;
  /**
   * Takes no new connections, and closes those that are there with the answer to their next request. Idle ones are
   * dropped after `lingerMs`, what is left is cut off after `drainMs` in all.
   */
  drain(options: { readonly drainMs: number; readonly lingerMs: number }): Promise<void>;
}

interface Connection {
  readonly socket: Socket;
  /** The answers that are not sent yet, in the order of their requests. */
  readonly unanswered: Set<ServerResponse>;
}

/**
 * Keeps the books on a server's connections. Closing one that is idle loses the request that its client is sending at
 * that moment, so clients are told first, by `Connection: close` in an answer, and only those that say nothing for a
 * while are dropped. Node's own `closeIdleConnections` leaves those that never sent a request, as browsers open them
 * ahead of need, and those that fall idle later.
 */
export function followConnections(server: Server): Connections {
  const open = new Map<object, Connection>();
  let draining = false;

  server.on('connection', (socket) => {
    open.set(socket, { socket, unanswered: new Set() });
    socket.once('close', () => open.delete(socket));
  });
  // Before the handler, which may answer at once.
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
        // What was sent before this moment is read first: connections that wait to be taken would be reset.
        setImmediate(() => {
          draining = true;
          for (const connection of open.values()) closeWithLast(connection);
          // The HTTP server's own `close` would drop at once what is idle at this moment.
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

/** The last of a connection's answers closes it: those before it, of pipelined requests, must not. */
function closeWithLast({ unanswered }: Connection): void {
  const responses = [...unanswered];
  for (const [at, response] of responses.entries()) response.shouldKeepAlive = at < responses.length - 1;
}
