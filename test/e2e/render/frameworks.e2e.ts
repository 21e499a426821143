import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Environment, startGleaner } from '../../process.ts';
import { openSite, type PageOfSite, type Site } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { buildSite, type Framework, frameworks, guides, installFrameworks } from './framework-sites.ts';

let folder: string;
const built = new Map<Framework, Record<string, PageOfSite>>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gleaner-frameworks-'));
  await installFrameworks(folder);
  for (const framework of frameworks) built.set(framework, await buildSite(folder, framework));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** The built application on loopback, which answers every address with its document. */
async function openApplication(framework: Framework): Promise<Site> {
  const pages = built.get(framework) ?? {};
  const site = await openSite(pages, { fallback: pages['/'] ?? '' });
  for (const path of ['/sitemap.xml', '/llms.txt']) site.pages.set(path, { status: 404 });
  return site;
}

const drawing = { GLEANER_RENDER: 'auto', GLEANER_ALLOW_PRIVATE: '1' };
const run = (args: readonly string[], more: Environment = {}) => startGleaner(args, '', more).finished;
const crawl = (site: Site, data: string, more: Environment) =>
  run(['crawl', site.url('/'), '--data', data, '--delay', '0', '--allow-private', '--json'], more);

/** The last line of `crawl --json`. */
const summaryOf = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

describe.each(frameworks)('an application of %s, built by its own tools', (framework) => {
  test('is crawled, searched and read with a browser', async () => {
    const site = await openApplication(framework);
    const data = temporaryFolder();
    const crawled = await crawl(site, data, drawing);
    expect(summaryOf(crawled.stdout)).toMatchObject({ stored: 3, rendered: 3, failed: {} });

    const found = await run(['search', 'vole snow without a sound', '--data', data, '--json']);
    expect(JSON.parse(found.stdout).results).toMatchObject([
      { title: guides.owls.title, url: site.url('/guide/owls') },
    ]);
    const status = await run(['status', '--site', site.host, '--data', data]);
    expect(status.stdout).toMatch(/^drawn by a browser +3$/m);

    const read = await run(['extract', site.url('/guide/lynxes'), '--explain', '--json'], drawing);
    expect(read.stdout).toContain('body from the page as a browser drew it\n');
    const record = JSON.parse(read.stdout.slice(read.stdout.indexOf('\n{')));
    const { title, text } = guides.lynxes;
    expect(record).toMatchObject({ title, body_text: text.join('\n\n') });
  });

  test('is named for what it is without one, and nothing is stored', async () => {
    const site = await openApplication(framework);
    const { stdout } = await crawl(site, temporaryFolder(), { GLEANER_ALLOW_PRIVATE: '1' });
    expect(summaryOf(stdout)).toMatchObject({ stored: 0, rendered: 0, failed: { 'drawn by scripts': 1 } });
  });
});

test('fetch_content draws a page on request', async () => {
  const site = await openApplication('vue');
  const service = startGleaner(['serve', '--port', '0', '--data', temporaryFolder()], '', {
    ...drawing,
    GLEANER_LEARN: '1',
  });
  const [, origin = ''] = await service.says(/listens on (\S+)/);
  const call = { name: 'fetch_content', arguments: { url: site.url('/guide/owls') } };
  const answer = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  });
  expect(await answer.text()).toContain(guides.owls.text[0]);
});
