import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SearchResponse } from '../../src/contract/search.ts';
import { openCrawler } from '../crawl/rig.ts';
import { runGleaner, startGleaner } from '../process.ts';
import { htmlPage, openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A data folder with two pages that were crawled ten days ago and are due, and the site that they are from. */
async function duePages() {
  const site = await openSite({ '/': htmlPage('Owls', ['/a']), '/a': htmlPage('Barn owl') });
  const { crawl, clock, folder, close } = openCrawler();
  clock.ms = Date.now() - 10 * 24 * 3_600_000;
  await crawl([site.url('/')]);
  await close();
  return { site, data: folder };
}

test('crawl --recrawl visits what is due, follows no links, and says when the next page is due', async () => {
  const { site, data } = await duePages();
  site.pages.set('/', htmlPage('Owls', ['/a', '/new']));
  site.pages.set('/new', htmlPage('New'));
  const again = () => runGleaner('crawl', '--recrawl', '--allow-private', '--delay', '0', '--data', data);
  const { code, stdout } = await again();
  expect(stdout).toMatch(/^stored +1$/m);
  expect(stdout).toMatch(/^unchanged +1$/m);
  expect(stdout).toMatch(/^Nothing else is due before \d{4}-\d\d-\d\d /m);
  expect(code).toBe(0);
  expect(site.timesAsked('/new')).toBe(0);
  const asked = site.hits.length;
  expect((await again()).stdout).toMatch(/^unchanged +0$/m);
  expect(site.hits).toHaveLength(asked);
});

test('crawl without a URL says what it needs', async () => {
  const { code, stderr } = await runGleaner('crawl', '--data', temporaryFolder());
  expect(stderr).toMatch(/needs a URL to start at, or --recrawl/);
  expect(code).toBe(1);
});

test('serve --recrawl visits what is due in the background, and a page that is gone is found no more', async () => {
  const { site, data } = await duePages();
  site.pages.set('/a', { status: 410 });
  const file = join(temporaryFolder(), 'gleaner.conf');
  writeFileSync(
    file,
    `GLEANER_ALLOW_PRIVATE=1\nGLEANER_PORT=0\nGLEANER_DATA=${data}\nGLEANER_SEARCH_LIMIT=off\n`,
  );
  const service = startGleaner(['serve', '--recrawl', '--config', file]);
  const [, url] = await service.says(/listens on (\S+)/);
  await service.says(/visited again when they are due/);
  const found = async (q: string): Promise<string[]> => {
    const response = await fetch(`${url}/api/v1/search?${new URLSearchParams({ q, limit: '50' })}`);
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
    return ((await response.json()) as SearchResponse).results.map((result) => result.url);
  };
  await expect.poll(() => found('intitle:barn'), { timeout: 30_000, interval: 200 }).toEqual([]);
  await expect.poll(() => found('intitle:owls')).toEqual([site.url('/')]);
  await expect.poll(() => site.timesAsked('/'), { timeout: 30_000 }).toBe(2);
  service.child.kill('SIGTERM');
  expect((await service.finished).code).toBe(0);
});
