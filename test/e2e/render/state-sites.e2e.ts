import { expect, test } from 'vitest';
import { runGleaner } from '../../process.ts';
import { openSite } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { buildAstroSite } from './astro-site.ts';
import { frameworks, guides } from './framework-sites.ts';

test('pages of all three whose state is in the page are crawled and found without a browser', async () => {
  const site = await openSite({ '/robots.txt': '', ...(await buildAstroSite(temporaryFolder())) });
  const data = temporaryFolder();
  const urls = frameworks.map((framework) => site.url(`/${framework}/`));
  const options = ['--data', data, '--delay', '0', '--allow-private', '--json'];
  const { stdout } = await runGleaner('crawl', ...urls, ...options);
  const summary = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect(summary).toMatchObject({ stored: 3, rendered: 0, failed: {} });
  const found = await runGleaner('search', 'vole snow without a sound', '--data', data, '--json');
  // The three say the same, so that one stands for all.
  expect(urls).toContain(JSON.parse(found.stdout).results[0]?.url);
  for (const url of urls) {
    const read = await runGleaner('extract', url, '--explain', '--allow-private', '--json');
    expect(read.stdout).toContain('body from the state in the page (astro-island)');
    for (const text of guides.owls.text) expect(read.stdout).toContain(text);
  }
});
