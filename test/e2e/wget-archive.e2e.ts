import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchResponse } from '../../src/contract/search.ts';
import { runGleaner } from '../process.ts';

const exec = promisify(execFile);
const pageCount = 120;

/** A site of linked pages, some chunked, some compressed, some in other character sets, and with what is no page. */
const site = createServer((request, response) => {
  const { url = '/' } = request;
  const n = url === '/' ? 0 : Number(/^\/page\/(\d+)\.html$/.exec(url)?.[1] ?? Number.NaN);
  if (url === '/style.css') response.setHeader('content-type', 'text/css').end('body { color: black }');
  else if (url === '/old') response.writeHead(301, { location: '/page/1.html' }).end();
  else if (url === '/notes.md')
    response.setHeader('content-type', 'text/markdown').end('# Notes\n\nOf storks.');
  else if (!(n < pageCount)) response.writeHead(404, { 'content-type': 'text/html' }).end('not here');
  else {
    const links = [2 * n + 1, 2 * n + 2].map((to) => `<a href="/page/${to}.html">Page ${to}</a>`).join(' ');
    const extra = '<a href="/old">old</a> <a href="/notes.md">notes</a> <a href="/missing">missing</a>';
    const html = `<html><head><title>Page ${n}</title><link rel="stylesheet" href="/style.css"></head><body><h1>Page ${n}</h1>
      <p>Chapter ${n} of the heron book: the heron ${'stands still and '.repeat(n % 7)}moves ${n} times a day.</p>
      <p>Straße nach Norden, Nummer ${n}.</p>${links} ${extra}</body></html>`;
    if (n % 3 === 1) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      for (const part of html.match(/.{1,50}/gs) ?? []) response.write(part);
      response.end();
    } else if (n % 3 === 2) {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' };
      response.writeHead(200, headers).end(gzipSync(html));
    } else {
      response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' });
      response.end(Buffer.from(html, 'latin1'));
    }
  }
});
let folder = '';
let origin = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gleaner-wget-'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe.each([
  ['warc.gz', ['--compression=gzip']],
  ['warc', ['--no-warc-compression', '--compression=gzip']],
  ['warc.gz of some size', ['--compression=gzip', '--warc-max-size=20k']],
])('a site in a %s of GNU Wget', (name, options) => {
  test('is imported completely', async () => {
    const place = mkdtempSync(join(folder, 'run-'));
    const wget = ['-q', '-r', '-l', 'inf', '--no-directories', '-P', join(place, 'files'), '-p'];
    // Wget ends with 8 where the site answers 404, as this one does.
    await exec('wget', [...wget, ...options, `--warc-file=${join(place, 'site')}`, `${origin}/`]).catch(
      (error: { code?: number | string }) => {
        if (error.code === 'ENOENT') throw new Error('wget is not installed: apt-get install wget');
        if (error.code !== 8) throw error;
      },
    );
    rmSync(join(place, 'files'), { recursive: true, force: true });
    const data = join(place, 'data');
    const imported = await runGleaner('import', place, '--data', data);
    console.info(`${name}\n${imported.stdout}`);
    expect(imported.code, imported.stderr + imported.stdout).toBe(0);
    expect(imported.stdout).toMatch(new RegExp(`^stored +${pageCount + 1}$`, 'm'));
    expect(imported.stdout).toMatch(/^ {2}status 404 +\d+$/m);
    expect(imported.stdout).not.toContain('Not read in full');
    const urls: string[] = [];
    for (let offset = 0; offset < pageCount + 1; offset += 100) {
      const found = await runGleaner(
        'search',
        'site:127.0.0.1',
        '--limit',
        '100',
        '--offset',
        String(offset),
        '--json',
        '--data',
        data,
      );
      urls.push(...(JSON.parse(found.stdout) as SearchResponse).results.map(({ url }) => url));
    }
    const expected = Array.from({ length: pageCount - 1 }, (_, n) => `${origin}/page/${n + 1}.html`);
    expect(urls.sort()).toEqual([`${origin}/`, `${origin}/notes.md`, ...expected].sort());
    const strasse = await runGleaner('search', 'Straße "Nummer 3"', '--json', '--data', data);
    expect((JSON.parse(strasse.stdout) as SearchResponse).results[0]?.url).toBe(`${origin}/page/3.html`);
  });
});
