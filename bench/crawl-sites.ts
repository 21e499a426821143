import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drawPage, drawWord, seededRandom } from './page-source.ts';

/**
 * The process that serves `bench/crawl.ts`: a number of sites on loopback, each with a number of pages of some 20 kB that link to
 * each other. Sends the origins to its parent and ends with it.
 */
const [sites = 50, pagesOfSite = 100] = process.argv.slice(2).map(Number);

const random = seededRandom(7);
const bodies = Array.from({ length: 200 }, (_, n) => drawPage(random, n));

function html(page: number): string {
  const { title, headings, body, description } = bodies[page % bodies.length] as (typeof bodies)[number];
  const to = Array.from({ length: 60 }, (_, i) => (page + i * i + 1) % pagesOfSite);
  const links = to.map(
    (n) =>
      `<li class="toc-item"><a class="reference internal" href="/p/${n}">${drawWord(random)} ${n}</a></li>`,
  );
  const parts = body
    .split('\n')
    .map((text, i) => `<h2 id="s${i}">${headings.split('\n')[i] ?? ''}</h2><p>${text}</p>`);
  return `<!doctype html><html lang="en"><head><title>${title} ${page}</title><meta name="description" content="${description}">
<link rel="stylesheet" href="/style.css"><script>var page=${page};${'/* tracking */'.repeat(60)}</script></head>
<body><nav><ul>${links.join('\n')}</ul></nav><main><article><h1>${title} ${page}</h1>${parts.join('\n')}</article></main>
<footer>${links.slice(0, 20).join('\n')}</footer></body></html>`;
}

const pages = Array.from({ length: pagesOfSite }, (_, page) => Buffer.from(html(page)));

function openSite(): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const page = url === '/' ? pages[0] : pages[Number(/^\/p\/(\d+)$/.exec(url)?.[1] ?? Number.NaN)];
    response.writeHead(page ? 200 : 404, {
      'content-type': page ? 'text/html; charset=utf-8' : 'text/plain',
    });
    response.end(page ?? 'not found');
  });
  return new Promise((open) => server.listen(0, '127.0.0.1', () => open(server)));
}

const servers = await Promise.all(Array.from({ length: sites }, openSite));
process.on('disconnect', () => process.exit());
process.send?.(servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
