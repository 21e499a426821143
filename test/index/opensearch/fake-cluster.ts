import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ClusterClient, createClusterClient } from '../../../src/index/opensearch/cluster-client.ts';

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** A status and a body to answer with, or `cut` for a connection that ends in the middle of an answer. */
export type FakeAnswer = { readonly status: number; readonly body: object } | 'cut';

/** A server on loopback that answers as it is told, and a client of it. It records what it was asked. */
export async function fakeCluster(
  answer: (request: FakeRequest, number: number) => FakeAnswer,
): Promise<{ readonly client: ClusterClient; readonly requests: FakeRequest[] }> {
  const requests: FakeRequest[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      body: await bodyOf(request),
    };
    requests.push(asked);
    const answered = answer(asked, requests.length);
    if (answered === 'cut') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"items":[');
      setImmediate(() => response.destroy());
      return;
    }
    response
      .writeHead(answered.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answered.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = createClusterClient({
    urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
  });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, requests };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}
