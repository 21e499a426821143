import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** Whether a request of this connection is unanswered. */
  isBusy(socket: object): boolean;
  /** Takes no new connections, drops idle ones, and the others once they are idle or after `drainMs`. */
  drain(drainMs: number): Promise<void>;
}

/**
 * Keeps the books on a server's connections. Node's own `closeIdleConnections` leaves those that never sent a
 * request, as browsers open them ahead of need, and those that fall idle later.
 */
export function followConnections(server: Server): Connections {
  const underWay = new Map<object, { socket: Socket; requests: number }>();
  let draining = false;

  server.on('connection', (socket) => {
    underWay.set(socket, { socket, requests: 0 });
    socket.once('close', () => underWay.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const connection = underWay.get(socket);
    if (!connection) return;
    connection.requests += 1;
    response.once('close', () => {
      connection.requests -= 1;
      if (draining && connection.requests === 0) socket.destroySoon();
    });
  });

  return {
    isBusy: (socket) => (underWay.get(socket)?.requests ?? 0) > 0,
    drain: (drainMs) =>
      new Promise((resolve, reject) => {
        draining = true;
        const cutOff = setTimeout(() => server.closeAllConnections(), drainMs);
        server.close((error) => {
          clearTimeout(cutOff);
          if (error) reject(error);
          else resolve();
        });
        for (const { socket, requests } of underWay.values()) if (requests === 0) socket.destroy();
      }),
  };
}
