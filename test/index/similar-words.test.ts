import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openIndex } from '../../src/index/open-index.ts';
import { pack } from '../../src/index/packed/pack.ts';
import type { PageIndex } from '../../src/index/page-index.ts';
import type { Page } from '../../src/page.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { createDistance } from '../../src/text/edit-distance.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Pages that hold these texts, in the live tier alone. */
async function live(texts: readonly string[]): Promise<PageIndex> {
  const index = openIndex({ log: silentLog });
  onTestFinished(() => index.close());
  await index.apply(pagesOf(texts).map((page, at) => ({ seq: at + 1, kind: 'put', page })));
  return index;
}

/** The first half packed in two segments, the rest in the live tier. */
async function mixed(texts: readonly string[]): Promise<PageIndex> {
  const dataFolder = temporaryFolder();
  const store = openPageStore(dataFolder);
  const folder = join(dataFolder, 'index');
  const pages = pagesOf(texts);
  const packed = pages.slice(0, Math.ceil(pages.length / 2));
  for (const part of [packed.slice(0, 1), packed.slice(1)]) {
    for (const page of part) await store.write((writer) => writer.putPage(page));
    pack(store, folder);
  }
  await store.close();
  const index = openIndex({ folder, log: silentLog });
  onTestFinished(() => index.close());
  const { seq } = index.stats();
  const later = pages.slice(packed.length);
  await index.apply(later.map((page, at) => ({ seq: seq + at + 1, kind: 'put', page })));
  return index;
}

function pagesOf(texts: readonly string[]): Page[] {
  return texts.map((body, at) => examplePage({ url: `https://a.example/${at}`, title: '', body }));
}

const all = { maxDistance: 2, minPages: 1, limit: 100 };

describe.each([
  ['live', live],
  ['mixed', mixed],
])('similar words of the %s tiers', (_, open) => {
  test('are all words within the distance with their pages: nearest first, then those of more pages', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 4, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(word), { minLength: 1, maxLength: 6 }),
        word,
        async (lists, asked) => {
          const index = await open(lists.map((list) => list.join(' ')));
          const typed = asked.replaceAll('é', 'e');
          const distanceTo = createDistance(typed);
          const pages = new Map<string, number>();
          for (const list of lists) {
            for (const each of new Set(list.map((text) => text.replaceAll('é', 'e'))))
              pages.set(each, (pages.get(each) ?? 0) + 1);
          }
          const expected = Array.from(pages, ([term, count]) => {
            return { term, distance: distanceTo(Buffer.from(term), 0, term.length, 9), pages: count };
          })
            .filter(({ distance }) => distance === 1 || distance === 2)
            .sort((a, b) => a.distance - b.distance || b.pages - a.pages || (a.term < b.term ? -1 : 1));
          expect(await index.similarWords({ word: typed, ...all })).toEqual(expected);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('are words as people type them: no stems, bigrams, compounds, numbers or keys', async () => {
    const index = await open(['creation of 数据库优化 cre.ation x86creatio', 'creatiom1234 straße']);
    const similar = async (word: string) =>
      (await index.similarWords({ word, ...all })).map(({ term }) => term);
    expect(await similar('creatio')).toEqual(['creation']);
    expect(await similar('数据优化')).toEqual([]);
    expect(await similar('creatiom1')).toEqual([]);
    expect(await similar('strase')).toEqual(['strasse']);
  });

  test('have the digits that were typed', async () => {
    const index = await open(['sqlite sqlite3 sqlite4']);
    expect(await index.similarWords({ word: 'sqlit3', ...all })).toEqual([
      { term: 'sqlite3', distance: 1, pages: 1 },
    ]);
  });

  test('keep to the least number of pages and to the limit', async () => {
    const index = await open(['tree free', 'tree', 'trek']);
    const asked = { word: 'treee', maxDistance: 2, limit: 9 };
    expect(await index.similarWords({ ...asked, minPages: 2 })).toEqual([
      { term: 'tree', distance: 1, pages: 2 },
    ]);
    expect(await index.similarWords({ ...asked, minPages: 1, limit: 2 })).toHaveLength(2);
  });
});

test('a word of letters beyond those of a stemmer is found like any other', async () => {
  const index = await mixed(['корова', 'собака']);
  expect((await index.similarWords({ word: 'карова', ...all })).map(({ term }) => term)).toEqual(['корова']);
});
