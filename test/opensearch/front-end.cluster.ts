import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { sitesTable } from '../../src/store/host/site-record.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { createStructures } from '../../src/store/page/structures.ts';
import { examplePage } from '../pages.ts';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ownPrefix } from './cluster/fed-index.ts';

const long = `${'The bittern booms. '.repeat(12_000)}At the end a heron stands.`;
const pages = [
  ...Array.from({ length: 40 }, (_, n) =>
    examplePage({
      url: `https://${['a', 'b', 'c'][n % 3]}.example/birds/${n}`,
      title: n % 5 === 0 ? `Heron ${n}` : `Bird ${n}`,
      headings: n % 7 === 0 ? 'The heron in the reed' : '',
      body: `The heron ${n % 4 === 0 ? 'waits' : 'hunts'} by pond ${n}. ${'It is still. '.repeat(n)}Then the reed moves.`,
      description: `About bird ${n}.`,
      lang: n % 6 === 0 ? 'de' : 'en',
    }),
  ),
  examplePage({
    url: 'https://a.example/_sources/guide.rst.txt',
    title: 'Guide',
    body: 'A guide to the heron.',
  }),
  examplePage({
    url: 'https://a.example/guide.html',
    title: 'Guide',
    body: 'A guide to the heron, to read.',
  }),
  examplePage({
    url: 'https://long.example/',
    title: 'Bitterns',
    body: long,
    author: 'A. Watcher',
    structure: 'https://long.example/\nh0,i,2\na4,7,/bittern',
  }),
];

async function filledFolder(): Promise<string> {
  const folder = temporaryFolder();
  const store = openPageStore(folder);
  const sites = store.table(sitesTable);
  const structures = createStructures(store);
  await store.write((writer) => {
    for (const page of pages) {
      writer.putPage(page);
      structures.put(writer, page);
    }
    writer.put(sites, 'a.example', { hasLlmsTxt: true });
  });
  await store.close();
  return folder;
}

const questions = [
  'q=heron',
  'q=heron&offset=10&limit=20',
  'q=heron+reed',
  'q=%22by+pond%22&lang=en',
  'q=heron+-waits&lang_priority=de',
  'q=intitle:heron',
  'q=site:a.example+heron',
  'q=guide',
  'q=bittern',
  'q=stands+heron',
  'q=heron+reed+zeppelin&partial=true',
  'q=herron',
];

describe.skipIf(inject('jars') === undefined)('a front end without a data folder', () => {
  test('answers as the service that has the pages, knows its keys, and stores nothing', async () => {
    const folder = await filledFolder();
    const home = temporaryFolder();
    const environment = {
      GLEANER_INDEX: 'opensearch',
      OPENSEARCH_URL: inject('clusterUrls').join(','),
      OPENSEARCH_PREFIX: ownPrefix(),
      GLEANER_EXTERNAL: 'off',
      GLEANER_SEARCH_LIMIT: '6000/1000',
      GLEANER_CONTENT_LIMIT: '6000/1000',
    };
    const crawling = startGleaner(['serve', '--port', '0', '--data', folder], 'open', environment);
    const front = startGleaner(['serve', '--port', '0'], 'open', { ...environment, XDG_DATA_HOME: home });
    const [, own] = await crawling.says(/listens on (\S+)/);
    const [, other] = await front.says(/listens on (\S+)/);
    const ask = async (origin: string | undefined, path: string, headers = {}) => {
      const response = await fetch(`${origin}${path}`, { headers });
      const text = await response.text();
      return { status: response.status, body: text.replace(/"took_ms":\d+/, '"took_ms":0') };
    };
    await expect
      .poll(async () => JSON.parse((await ask(other, '/api/v1/search?q=heron')).body) as object)
      .toMatchObject({ total: 43 });
    for (const question of questions) {
      const expected = await ask(own, `/api/v1/search?${question}`);
      expect(expected.status).toBe(200);
      expect([question, await ask(other, `/api/v1/search?${question}`)]).toEqual([question, expected]);
    }
    for (const { id } of [pages[0], pages[1], pages.at(-1)].flatMap((page) => page ?? [])) {
      for (const format of ['text', 'markdown']) {
        const expected = await ask(own, `/api/v1/content/${id}?format=${format}`);
        expect(expected.status).toBe(200);
        expect(await ask(other, `/api/v1/content/${id}?format=${format}`)).toEqual(expected);
      }
    }
    const { body: bitterns } = await ask(other, `/api/v1/content/${pages.at(-1)?.id}?format=markdown`);
    expect(JSON.parse(bitterns)).toMatchObject({ outline: [{ title: 'The bittern booms.' }] });
    expect((await ask(other, `/api/v1/content/${'a'.repeat(26)}`)).status).toBe(404);
    expect((await ask(other, '/readyz')).status).toBe(200);

    const run = (...args: string[]) => startGleaner([...args, '--data', folder], '', environment).finished;
    const key = (await run('keys', 'create', 'someone')).stdout
      .trim()
      .split(/\s+/)
      .find((word) => word.startsWith('gl_'));
    const withKey = { authorization: `Bearer ${key}` };
    const status = async () => (await ask(other, '/api/v1/search?q=heron', withKey)).status;
    await expect.poll(status).toBe(200);
    await run('keys', 'revoke', 'someone');
    await expect.poll(status).toBe(401);

    expect(existsSync(join(home, 'gleaner'))).toBe(false);
  });
});
