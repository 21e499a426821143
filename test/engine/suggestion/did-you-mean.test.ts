import { describe, expect, onTestFinished, test } from 'vitest';
import { SearchParams } from '../../../src/contract/search.ts';
import type { Page } from '../../../src/page.ts';
import { silentLog } from '../../../src/runtime.ts';
import { openApp } from '../../opensearch/open-app.ts';
import { examplePage } from '../../pages.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

async function suggesterOver(pages: readonly Page[]) {
  const app = openApp({ config: { dataFolder: temporaryFolder() }, log: silentLog });
  onTestFinished(() => app.close());
  for (const page of pages) await app.pageWriter.put(page);
  return (q: string, params: Record<string, unknown> = {}) =>
    app.engine.didYouMean(SearchParams.parse({ q, ...params }));
}

/**
 * So many pages of this text, each with a word and a host of its own: pages of one host are stored anew for what they share,
 * and count twice in a cluster until segments are merged.
 */
function pagesOf(name: string, count: number, body: string): Page[] {
  return Array.from({ length: count }, (_, at) =>
    examplePage({
      url: `https://${name}${at}.example/`,
      title: 'Page',
      body: `${body} ${name}${at}x`,
    }),
  );
}

describe('over pages where popular words are like the misspelt ones', async () => {
  const cases: readonly (readonly [q: string, meant: string])[] = [
    ['treading', 'threading'],
    ['streem', 'stream'],
    ['pathlb', 'pathlib'],
    ['asynco', 'asyncio'],
    ['sqlit', 'sqlite'],
    ['taskgrop', 'taskgroup'],
    ['asyncio taskgrop', 'asyncio taskgroup'],
    ['asyncio.TaskGrop', 'asyncio.taskgroup'],
    ['concurently index', 'concurrently index'],
    ['lenght of string', 'length of string'],
    ['lenght', 'length'],
    ['pyhton', 'python'],
    ['subproccess', 'subprocess'],
    ['dictionnary', 'dictionary'],
    ['thrading pathlb', 'threading pathlib'],
  ];
  const pages = [
    ...pagesOf('popular', 12, 'creating btree path sync split tasks contents index strings python process'),
    ...pagesOf(
      'rare',
      2,
      'threading stream pathlib asyncio sqlite TaskGroup length of string dictionary subprocess',
    ),
    ...pagesOf('database', 2, 'create an index concurrently'),
  ];

  test.each(cases)('%s is %s', async (q, meant) => {
    const suggest = await suggesterOver(pages);
    expect(await suggest(q)).toBe(meant);
  });
});

const en = examplePage({ url: 'https://docs.example.com/tree', title: 'Trees', body: 'A tree has leaves.' });
const garden = examplePage({
  url: 'https://other.example/a',
  title: 'Gardening',
  body: '树有树叶。',
  lang: 'zh',
});

test('the rest of the query stays as it was typed, and the suggestion has results with its filters', async () => {
  const suggest = await suggesterOver([en, garden]);
  expect(await suggest('Gardning  site:example -Gardning')).toBe('gardening  site:example -Gardning');
  expect(await suggest('(gardning OR tulip) -"leaves"')).toBe('(gardening OR tulip) -"leaves"');
  expect(await suggest('leaves treees')).toBe('leaves trees');
  expect(await suggest('gardning', { lang: 'zh' })).toBe('gardening');
  expect(await suggest('gardning', { lang: 'en' })).toBeUndefined();
  expect(await suggest('gardning', { site: 'docs.example.com' })).toBeUndefined();
});

test('nothing is suggested for what is quoted, like no word, of other letters, or right but on no page together', async () => {
  const suggest = await suggesterOver([en, garden]);
  for (const q of [
    '"gardning"',
    'intitle:gardning',
    'zzzzzzzz',
    '数据库',
    'leaves gardning',
    'leaves gardening',
  ])
    expect(await suggest(q), q).toBeUndefined();
});

test('of two words as likely, the one that stands beside the rest of the query is suggested', async () => {
  const suggest = await suggesterOver([
    ...pagesOf('letters', 5, 'a latter word'),
    ...pagesOf('post', 2, 'write a letter by hand'),
  ]);
  expect(await suggest('lettter')).toBe('letter');
  expect(await suggest('lutter')).toBe('latter');
  expect(await suggest('lutter hand')).toBe('letter hand');
});

test('with few results, a word that is rare beside a word one letter away is taken for a misspelling', async () => {
  const suggest = await suggesterOver([
    ...pagesOf('right', 60, 'the receiver of a message'),
    ...pagesOf('wrong', 1, 'the reciever of a message'),
  ]);
  expect(await suggest('reciever')).toBe('receiver');
  expect(await suggest('reciever message')).toBe('receiver message');
  expect(await suggest('receiver')).toBeUndefined();
});

test('a word that pages hold by its stem alone is taken for a misspelling when another has more results', async () => {
  const suggest = await suggesterOver([...pagesOf('right', 4, 'hopping'), ...pagesOf('stem', 1, 'hopps')]);
  expect(await suggest('hoppping')).toBe('hopping');
});

test('a word of two pages beside one of a few more is no misspelling', async () => {
  const suggest = await suggesterOver([...pagesOf('flask', 20, 'flask'), ...pagesOf('flash', 2, 'flash')]);
  expect(await suggest('flash')).toBeUndefined();
});

test('in an index of many pages one page is no proof that a word is right', async () => {
  const suggest = await suggesterOver([
    ...pagesOf('filler', 100, 'nothing of interest'),
    ...pagesOf('typo', 1, 'recever'),
    ...pagesOf('right', 2, 'receiver'),
  ]);
  expect(await suggest('receverr')).toBe('receiver');
});

test('in an index of many pages a word of one page is suggested where no other is as near', async () => {
  const suggest = await suggesterOver([
    ...pagesOf('filler', 100, 'nothing of interest but deadlines'),
    ...pagesOf('name', 1, 'headline setSubjectKeyIdentifier'),
  ]);
  expect(await suggest('setSubjectKyeIdentifier')).toBe('setsubjectkeyidentifier');
  expect(await suggest('interest setSubjectKyeIdentifier')).toBeUndefined();
  expect(await suggest('headline setSubjectKyeIdentifier')).toBe('headline setsubjectkeyidentifier');
  expect(await suggest('headlinee')).toBe('headline');
  expect(await suggest('deadlinee')).toBe('deadlines');
});

test('a short word of one page is not suggested in an index of many pages', async () => {
  const suggest = await suggesterOver([
    ...pagesOf('filler', 100, 'nothing of interest'),
    ...pagesOf('name', 1, 'wxyz'),
  ]);
  expect(await suggest('wxz')).toBeUndefined();
});

test('a word on removed pages alone is not suggested', async () => {
  const app = openApp({ config: { dataFolder: temporaryFolder() }, log: silentLog });
  onTestFinished(() => app.close());
  await app.pageWriter.put(en);
  await app.pageWriter.put(garden);
  await app.pageWriter.remove(garden.id);
  expect(await app.engine.didYouMean(SearchParams.parse({ q: 'gardning' }))).toBeUndefined();
});
