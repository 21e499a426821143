import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** One question that reached the service. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** The body of a POST, as JSON. */
  readonly json: unknown;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** An object goes out as JSON. */
  readonly body?: unknown;
}

/** A reply, or one that is made for each question; null when the function answers by itself, or never. */
export type Behaviour = Reply | ((asked: Asked, response: ServerResponse) => Reply | null);

export interface Service {
  readonly origin: string;
  readonly asked: readonly Asked[];
  /** Answers from now on like this. */
  behave(behaviour: Behaviour): void;
  /** Questions whose connection was closed before they were answered. */
  givenUp(): number;
}

/** A real HTTP server on 127.0.0.1 that stands for a search service and dies with the test. */
export async function openService(behaviour: Behaviour): Promise<Service> {
  const asked: Asked[] = [];
  let behaves = behaviour;
  let givenUp = 0;
  const server = createServer((request, response) => {
    response.once('close', () => {
      if (!response.writableEnded) givenUp++;
    });
    const answer = async () => {
      const { method = '', url = '/', headers } = request;
      const { pathname: path, searchParams } = new URL(url, 'http://service');
      const body = await text(request);
      const one: Asked = {
        method,
        path,
        parameters: Object.fromEntries(searchParams),
        headers,
        json: body === '' ? undefined : JSON.parse(body),
      };
      asked.push(one);
      const reply = typeof behaves === 'function' ? behaves(one, response) : behaves;
      if (reply === null) return;
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
      response.end(typeof reply.body === 'object' ? JSON.stringify(reply.body) : reply.body);
    };
    answer().catch((error) => response.destroy(error));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    behave: (next) => {
      behaves = next;
    },
    givenUp: () => givenUp,
  };
}
