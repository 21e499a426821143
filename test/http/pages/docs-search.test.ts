import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/app/about.ts';
import { loadDocsPages } from '../../../src/http/pages/docs.ts';
import { createDocsSearch } from '../../../src/http/pages/docs-search.ts';
import { openEngine, routesOver } from '../rig.ts';

const docs = await loadDocsPages(packageRoot);
const search = createDocsSearch(docs);

test.each([
  ['rate limit', '/docs/limits'],
  ['GLEANER_METRICS', '/docs/'],
  ['import warc', '/docs/import'],
  ['highlights', '/docs/http'],
])('%s leads to a section of %s', (q, path) => {
  expect(
    search(q)
      .map(({ address }) => address)
      .find((address) => address.startsWith(path)),
  ).toBeDefined();
});

test('every section that can be found has its address on its page', () => {
  for (const q of ['a', 'g', 'the', 'c', 's', 'w', 'p']) {
    for (const { address } of search(q)) {
      const [path, id] = address.split('#');
      const page = docs.find((each) => each.path === path);
      expect(page, address).toBeDefined();
      if (id !== undefined) expect(page?.html).toContain(`id="${id}"`);
    }
  }
});

test('a section has all words, and nothing is found by signs alone', () => {
  expect(search('robots zeppelin')).toEqual([]);
  expect(search('?! <>')).toEqual([]);
  expect(search('crawl').length).toBeGreaterThan(1);
});

test('/docs?q= is a page of results, which escapes what was typed', async () => {
  const { engine } = await openEngine([]);
  const routes = routesOver(engine, { docs });
  const html = await (await routes.request('/docs?q=robots.txt')).text();
  expect(html).toMatch(/<h2><a href="\/docs\/crawling#[^"]+">/);
  const evil = await (await routes.request('/docs?q=%3Cscript%3E')).text();
  expect(evil).toContain('value="&lt;script&gt;"');
  expect(await (await routes.request('/docs?q=')).text()).toContain('<h1 id="gleaner">Gleaner</h1>');
});
