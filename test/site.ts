import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One request that reached the site. */
export interface Hit {
  readonly method: string;
  /** Path and query, as sent. */
  readonly path: string;
  readonly host: string;
  readonly headers: IncomingHttpHeaders;
  /** Epoch milliseconds. */
  readonly at: number;
  /** How many requests with this Host header were open, this one included. */
  readonly open: number;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Uint8Array;
}

/** What a path answers: a body of HTML, a whole answer, or a function of the hit that may also answer by itself. */
export type PageOfSite =
  | string
  | Answer
  | ((hit: Hit, response: ServerResponse) => string | Answer | null | Promise<string | Answer | null>);

export interface Site {
  readonly origin: string;
  /** Host and port. */
  readonly host: string;
  readonly port: number;
  /** In the order of their arrival. */
  readonly hits: readonly Hit[];
  /** May be changed while the site is up. */
  readonly pages: Map<string, PageOfSite>;
  url(path: string): string;
  /** Paths that were asked for, in order; robots.txt, llms.txt and sitemap.xml left out. */
  pagesAsked(): string[];
  timesAsked(path: string): number;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** Answers every path that has no page of its own, instead of 404. */
  readonly fallback?: PageOfSite;
  readonly now?: () => number;
}

/**
 * Opens a real HTTP server on 127.0.0.1 that serves `pages` by path (with the query, else without it), records
 * every hit, and closes with the test that opened it.
 */
export async function openSite(pages: Record<string, PageOfSite>, options: SiteOptions = {}): Promise<Site> {
  const { fallback, now = Date.now } = options;
  const hits: Hit[] = [];
  const served = new Map(Object.entries(pages));
  const open = new Map<string, number>();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url: path = '/', method = 'GET', headers } = request;
    const host = headers.host ?? '';
    open.set(host, (open.get(host) ?? 0) + 1);
    response.once('close', () => open.set(host, (open.get(host) ?? 1) - 1));
    const hit: Hit = { method, path, host, headers, at: now(), open: open.get(host) ?? 0 };
    hits.push(hit);
    const page = served.get(path) ??
      served.get(path.replace(/\?.*/, '')) ??
      fallback ?? { status: 404, body: 'Not here' };
    const answer = typeof page === 'function' ? await page(hit, response) : page;
    if (answer === null) return;
    const {
      status = 200,
      headers: own = {},
      body = '',
    } = typeof answer === 'string' ? { body: answer } : answer;
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...own });
    response.end(body);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  onTestFinished(close);

  const host = `127.0.0.1:${port}`;
  return {
    origin: `http://${host}`,
    host,
    port,
    hits,
    pages: served,
    url: (path) => `http://${host}${path}`,
    pagesAsked: () =>
      hits
        .map(({ path }) => path)
        .filter((path) => !/^\/(robots\.txt|llms[^/]*\.txt|sitemap\.xml)$/.test(path)),
    timesAsked: (path) => hits.filter((hit) => hit.path === path).length,
    close,
  };
}

/** A small HTML page with links to `links`. */
export function htmlPage(title: string, links: readonly string[] = [], head = ''): string {
  const anchors = links.map((href) => `<li><a href="${href}">to ${href}</a></li>`).join('');
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
<p>This page is about ${title}, and it says so in a sentence of some length, so that there is something to read.</p>
<ul>${anchors}</ul></main></body></html>`;
}
