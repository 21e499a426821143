import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

export interface Hit {
  readonly path: string;
  readonly userAgent: string;
}

export interface FolderSite {
  readonly url: string;
  /** Every request, in the order of arrival. */
  readonly hits: readonly Hit[];
  close(): Promise<void>;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

/** Serves a folder on loopback, the way a plain web server would. */
export async function serveFolder(folder: string): Promise<FolderSite> {
  const hits: Hit[] = [];
  const server = createServer(async ({ url = '/', headers }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    hits.push({ path: pathname, userAgent: headers['user-agent'] ?? '' });
    const file = join(folder, normalize(decodeURIComponent(pathname.replace(/\/$/, '/index.html'))));
    try {
      const body = await readFile(file);
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(body);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    hits,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
