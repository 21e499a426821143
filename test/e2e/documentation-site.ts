import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** One request: when it came and when its answer was complete, in milliseconds. */
export interface LoggedRequest {
  readonly path: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Requests that were open when it came, this one included. */
  readonly open: number;
  readonly status: number;
  readonly isConditional: boolean;
}

export interface DocumentationSite {
  readonly origin: string;
  readonly host: string;
  /** Paths of all HTML files, `index.html` as they are. */
  readonly paths: readonly string[];
  /** In the order of their end. */
  readonly log: LoggedRequest[];
  close(): Promise<void>;
}

interface SiteOptions {
  readonly folder: string;
  readonly robots: string;
  /** How long the site takes for an answer. */
  readonly answerMs?: number;
}

const types: Record<string, string> = {
  '.html': 'text/html',
  '.en': 'text/html',
  '.txt': 'text/plain',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

/** Serves a folder of documentation on loopback with a sitemap, robots.txt and ETags, and logs what is asked. */
export async function openDocumentationSite(options: SiteOptions): Promise<DocumentationSite> {
  const { folder, robots, answerMs = 0 } = options;
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html') && statSync(join(folder, file)).isFile())
    .sort();
  const paths = files.map((file) => `/${file.split('/').map(encodeURIComponent).join('/')}`);
  const log: LoggedRequest[] = [];
  let open = 0;
  let origin = '';

  const answerOf = (path: string): { status: number; type: string; body: string | Buffer } => {
    if (path === '/robots.txt') return { status: 200, type: 'text/plain', body: robots };
    if (path === '/sitemap.xml') {
      const urls = paths.map((page) => `<url><loc>${origin}${page}</loc></url>`).join('');
      return { status: 200, type: 'application/xml', body: `<urlset>${urls}</urlset>` };
    }
    const { pathname } = new URL(path, 'http://localhost');
    const file = join(folder, decodeURIComponent(pathname.replace(/\/$/, '/index.html')));
    try {
      return {
        status: 200,
        type: types[extname(file)] ?? 'application/octet-stream',
        body: readFileSync(file),
      };
    } catch {
      return { status: 404, type: 'text/plain', body: 'not found' };
    }
  };

  const server = createServer(async ({ url: path = '/', headers }, response) => {
    const startedAt = performance.now();
    open += 1;
    const openNow = open;
    if (answerMs > 0) await wait(answerMs);
    const { status: found, type, body } = answerOf(path);
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`;
    const isConditional = headers['if-none-match'] !== undefined;
    const status = found === 200 && headers['if-none-match'] === etag ? 304 : found;
    // Before the last byte: whoever has it may ask again, and this one is no longer open then.
    open -= 1;
    log.push({ path, startedAt, endedAt: performance.now(), open: openNow, status, isConditional });
    response.writeHead(status, { 'content-type': type, etag });
    response.end(status === 304 ? undefined : body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  origin = `http://${host}`;
  return {
    origin,
    host,
    paths,
    log,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
