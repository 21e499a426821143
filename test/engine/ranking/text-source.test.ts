import { expect, onTestFinished, test } from 'vitest';
import { queryFeatures } from '../../../src/engine/ranking/query-features.ts';
import { namesTextSource, readersUrls } from '../../../src/engine/ranking/text-source.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { silentLog } from '../../../src/runtime.ts';
import { openApp } from '../../opensearch/open-app.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test.each([
  ['https://d.example/3/_sources/library/json.rst.txt', 'https://d.example/3/library/json.html'],
  ['https://d.example/api/fs.md', 'https://d.example/api/fs.html'],
  ['https://d.example/api/fs.md', 'https://d.example/api/fs/'],
  ['https://d.example/guide/index.md', 'https://d.example/guide/'],
  ['https://d.example/a?print=1', 'https://d.example/a'],
  ['https://d.example/print/a', 'https://d.example/a'],
  ['https://d.example/en/2.2/_modules/heron/app.html', 'https://d.example/en/2.2/'],
  ['https://d.example/_modules/heron/app.html', 'https://d.example/index.html'],
  ['https://d.example/api/src-html/org/heron/App.html', 'https://d.example/api/index.html'],
  ['https://d.example/heron/latest/src/heron/app.rs.html', 'https://d.example/heron/latest/heron/index.html'],
])('%s is shown to readers at %s', (source, shown) => {
  expect(readersUrls(source)).toContain(shown);
});

test.each([
  ['https://d.example/api/heron/class-use/Nest.html', 'https://d.example/api/heron/Nest.html'],
  ['https://d.example/api/heron/package-use.html', 'https://d.example/api/heron/package-summary.html'],
  ['https://d.example/api/heron/package-tree.html', 'https://d.example/api/heron/package-summary.html'],
  ['https://d.example/api/overview-tree.html', 'https://d.example/api/index.html'],
  ['https://d.example/api/allclasses-index.html', 'https://d.example/api/'],
  ['https://d.example/api/index-files/index-3.html', 'https://d.example/api/index.html'],
])('%s lists what is explained at %s', (list, explained) => {
  expect(readersUrls(list)).toContain(explained);
});

test('other pages are nobody’s source', () => {
  expect(readersUrls('https://d.example/a.html')).toEqual([]);
  expect(readersUrls('https://d.example/blueprints/a')).toEqual([]);
  expect(readersUrls('https://d.example/src/heron/app.html')).toEqual([]);
});

test('a query asks for sources by words or a path of theirs', () => {
  for (const text of [
    'asyncio rst',
    '_sources json',
    'json.rst.txt',
    '/3/_sources',
    'json source code',
    '/_modules',
  ])
    expect(namesTextSource(text)).toBe(true);
  for (const text of ['asyncio streams', 'first', 'open source', '/3/library'])
    expect(namesTextSource(text)).toBe(false);
});

test('a word that the title must have asks for sources too', () => {
  const namesSource = (q: string) => queryFeatures(parseQuery(q), new Map()).namesSource;
  expect(namesSource('json intitle:json.rst')).toBe(true);
  expect(namesSource('json intitle:streams')).toBe(false);
});

const source = 'https://d.example/_sources/json.rst.txt';
const shown = 'https://d.example/json.html';

async function find(q: string, urls: readonly string[]) {
  const app = openApp({ config: { dataFolder: temporaryFolder() }, log: silentLog });
  onTestFinished(() => app.close());
  for (const url of urls) {
    const isSource = url === source;
    const body = `Heron codec. ${isSource ? 'Heron codec heron codec.' : 'It reads and writes.'}`;
    const fileType = isSource ? 'text' : 'html';
    await app.pageWriter.put(examplePage({ url, title: 'Heron codec', body, fileType }));
  }
  return (await app.engine.search({ q, limit: 10, offset: 0 })).results.map(({ url }) => url);
}

test('the page for readers stands above its source, which is found all the same', async () => {
  expect(await find('heron codec', [source, shown])).toEqual([shown, source]);
});

test('documentation stands above the program that it shows', async () => {
  const program = 'https://d.example/_modules/heron/app.html';
  const app = openApp({ config: { dataFolder: temporaryFolder() }, log: silentLog });
  onTestFinished(() => app.close());
  await app.pageWriter.put(
    examplePage({ url: program, title: 'heron.app', body: 'return codec if codec else none' }),
  );
  await app.pageWriter.put(
    examplePage({
      url: 'https://d.example/api/',
      title: 'API',
      body: 'The codec reads and writes. Other things are explained here.',
    }),
  );
  const find = async (q: string) =>
    (await app.engine.search({ q, limit: 10, offset: 0 })).results.map(({ url }) => url);
  expect((await find('codec'))[0]).toBe(program);
  await app.pageWriter.put(
    examplePage({ url: 'https://d.example/', title: 'Welcome', body: 'Guide and reference.' }),
  );
  expect(await find('codec')).toEqual(['https://d.example/api/', program]);
  expect((await find('codec site:d.example/_modules'))[0]).toBe(program);
});

test('a source that was asked for, or that is all there is, loses nothing', async () => {
  expect(await find('heron codec site:d.example/_sources', [source, shown])).toEqual([source]);
  expect((await find('heron codec', [source, 'https://d.example/other.html']))[0]).toBe(source);
});
