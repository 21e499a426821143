import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp } from '../../src/app/app.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { pageFromExtraction } from '../../src/extract/page-from-extraction.ts';
import { silentLog } from '../../src/runtime.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { fetchContent } from '../../tools/fetch-content.ts';
import { prose, readPage } from '../extract/extractor.ts';
import { routesOver } from '../http/rig.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { heronAlmanac } from './library.ts';

const url = 'https://docs.example/guide/start';
const id = pageId(url);
const sentences = Array.from({ length: 40 }, (_, n) => {
  const link = `<a href="/a/long/way/to/the/page/number/${n}">${n}</a>`;
  return `What step ${n} of the installation needs, and what it leaves to the next one, is said under ${link}.`;
});

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'gleaner-markdown-'));
  const app = openApp({ config: { dataFolder }, log: silentLog });
  const extracted = readPage(
    `<title>Start</title><main><h1>Start</h1>${prose()}<h2>Install</h2>${prose('installing')}
     <pre><code class="language-sh">npm ci</code></pre><h2>Links</h2><p>${sentences.join(' ')}</p></main>`,
    { url },
  );
  await app.pageWriter.put(pageFromExtraction(extracted, { id, url, crawledAt: Date.UTC(2026, 1, 1) }));
  await app.pageWriter.put(heronAlmanac);
  ({ engine } = app);
  close = async () => {
    await app.close();
    rmSync(dataFolder, { recursive: true, force: true });
  };
});
afterAll(() => close());

async function call(args: Record<string, unknown>) {
  return fetchContent.output.parse(await fetchContent.handle(engine, fetchContent.input.parse(args), {}));
}

test('a page is plain text unless Markdown is asked for', async () => {
  const plain = await call({ id });
  expect(plain.body_text).not.toContain('```');
  expect(plain).not.toHaveProperty('outline');
  const { body_text = '', notice } = await call({ id, format: 'markdown' });
  expect(body_text).toContain('## Install\n\n');
  expect(body_text).toContain('```sh\nnpm ci\n```');
  expect(body_text).toContain('[39](https://docs.example/a/long/way/to/the/page/number/39)');
  expect(notice).toBeUndefined();
});

test('the outline says where each section begins, in either form', async () => {
  const { outline = [], body_text } = await call({ id, format: 'outline' });
  expect(body_text).toBeUndefined();
  expect(outline.map(({ level, title }) => [level, title])).toEqual([
    [2, 'Install'],
    [2, 'Links'],
  ]);
  const start = outline[0]?.start ?? 0;
  expect((await call({ id, start })).body_text).toMatch(/^Install\n/);
  expect((await call({ id, start, format: 'markdown' })).body_text).toMatch(/^## Install\n/);
});

test('windows of Markdown have at most max_chars and are together the whole page', async () => {
  const texts: string[] = [];
  for (let start: number | undefined = 0; start !== undefined; ) {
    const { body_text = '', next_start } = await call({ id, format: 'markdown', max_chars: 500, start });
    expect(body_text.length).toBeLessThanOrEqual(500);
    texts.push(body_text);
    start = next_start;
  }
  expect(texts.length).toBeGreaterThan(4);
  const found = texts.join('\n').match(/\[\d+\]\(https:\/\/docs\.example\/a\/long\/way/g);
  expect(found).toHaveLength(sentences.length);
});

test('a page that was stored without its structure is plain text, with a notice', async () => {
  for (const format of ['markdown', 'outline']) {
    const { notice, outline } = await call({ id: heronAlmanac.id, format });
    expect(notice).toContain('structure of this page is not known');
    expect(outline).toEqual(format === 'outline' ? [] : undefined);
  }
});

test('a page whose text was stored again without a structure does not get the one of its older text', async () => {
  const app = openApp({ config: { dataFolder: temporaryFolder() }, log: silentLog });
  const page = { ...heronAlmanac, structure: `${heronAlmanac.url}\nb0,3` };
  await app.pageWriter.put(page);
  expect((await app.engine.content(page.id, { structure: true })).structure?.marks).toHaveLength(1);
  await app.pageWriter.put({ ...heronAlmanac, body: `New. ${heronAlmanac.body}` });
  expect(await app.engine.content(page.id, { structure: true })).not.toHaveProperty('structure');
  await app.close();
});

test('over HTTP format=markdown adds the outline, and nothing else changes', async () => {
  const app = routesOver(engine);
  const get = async (query: string) => {
    const response = await app.request(`/api/v1/content/${id}${query}`);
    return {
      status: response.status,
      body: (await response.json()) as {
        body_text: string;
        outline: { level: number; title: string; start: number }[];
      },
    };
  };
  const plain = (await get('')).body;
  const { body } = await get('?format=markdown');
  const { body_text, outline, ...record } = body;
  expect({ ...record, body_text: plain.body_text }).toEqual({ ...plain, format: 'markdown' });
  expect(outline).toMatchObject([{ title: 'Install' }, { title: 'Links' }]);
  for (const { level, title, start } of outline)
    expect(body_text.slice(start)).toMatch(new RegExp(`^#{${level}} ${title}\\n`));
  expect((await get('?format=text')).body).toEqual(plain);
  expect(await get('?format=html')).toMatchObject({ status: 400 });
});

test('a page that an older version stored gains its structure at the next visit, though its text is the same', async () => {
  const app = openApp({ config: { dataFolder: temporaryFolder() }, log: silentLog });
  try {
    const extracted = readPage(
      `<title>Start</title><main><h1>Start</h1>${prose()}<h2>Install</h2>${prose('now')}</main>`,
      {
        url,
      },
    );
    const { structure, ...old } = pageFromExtraction(extracted, { id, url, crawledAt: Date.UTC(2026, 1, 1) });
    const outline = async () =>
      (await fetchContent.handle(app.engine, fetchContent.input.parse({ id, format: 'outline' }), {}))
        .outline;
    await app.pageWriter.put(old);
    expect(await outline()).toEqual([]);
    await app.pageWriter.touch(id, Date.UTC(2026, 1, 2), structure);
    expect(await outline()).toMatchObject([{ title: 'Install' }]);
  } finally {
    await app.close();
  }
});
