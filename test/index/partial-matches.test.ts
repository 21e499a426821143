import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { followStore } from '../../src/index/follow.ts';
import { openIndex } from '../../src/index/open-index.ts';
import { pack } from '../../src/index/packed/pack.ts';
import type { PartialSearch } from '../../src/index/page-index.ts';
import { maxPartialMatches, minShare, wellCovered } from '../../src/index/partial-matches.ts';
import type { Page } from '../../src/page.ts';
import { type BareWord, loosenQuery } from '../../src/query/bare-words.ts';
import { parseQuery } from '../../src/query/parser.ts';
import type { Query } from '../../src/query/query.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { bruteForce, corpusNumbers } from './brute-force.ts';
import { randomFilters, randomPage, words } from './random-index.ts';

async function openIndexOf(packed: readonly Page[], live: readonly Page[], dataFolder: string) {
  const store = openPageStore(dataFolder);
  const folder = join(dataFolder, 'index');
  await store.write((writer) => packed.forEach(writer.putPage));
  pack(store, folder);
  await store.write((writer) => live.forEach(writer.putPage));
  const index = openIndex({ folder, log: silentLog });
  const follower = followStore({ store, index, log: silentLog, pollMs: 60_000 });
  await follower.catchUp();
  const close = async () => {
    await follower.stop();
    await index.close();
    await store.close();
  };
  return { index, close };
}

function searchOf(q: string): PartialSearch | undefined {
  const query = parseQuery(q);
  const loosened = loosenQuery(query);
  return loosened && { query, loosened };
}

/** The slow, obvious reading: for every page the words that it holds, by one search a word. */
function obvious(pages: readonly Page[], search: PartialSearch) {
  const { query, loosened, ...filters } = search;
  const { hard, words } = loosened;
  const held = (of: Query, among: object) =>
    new Set(bruteForce(pages, { query: of, limit: 1e6, ...among }).map(({ id }) => id));
  const asQuery = ({ typed, of }: BareWord): Query => ({
    kind: 'words',
    text: typed,
    words: of,
    quoted: false,
  });
  const numbers = corpusNumbers(pages, query);
  const rarities = words.map(({ of }) => {
    const each = of.map(({ term, stem }) => {
      // A word's idf is that of its commonest form, taken from what the whole corpus says of it.
      const one = (form: string) => {
        const query: Query = {
          kind: 'words',
          text: form,
          quoted: false,
          words: [{ term: form, stem: null, required: true, weight: 1 }],
        };
        const rarity = corpusNumbers(pages, query).weights.get(form) ?? 0;
        const none = Math.log(1 + (pages.length + 0.5) / 0.5);
        return Math.abs(rarity - none) < 1e-12 ? Number.POSITIVE_INFINITY : rarity;
      };
      return Math.min(one(term), stem === null ? Number.POSITIVE_INFINITY : one(stem));
    });
    return Math.max(...each);
  });
  const isKnown = rarities.map(Number.isFinite);
  const whole = rarities.reduce((sum, rarity, at) => sum + (isKnown[at] ? rarity : 0), 0);
  const holders = words.map((word) => held({ kind: 'all', of: [hard, asQuery(word)] }, filters));
  const scores = new Map(
    bruteForce(pages, { query: { kind: 'all', of: [hard] }, limit: 1e6, ...filters }, numbers).map(
      ({ id, score }) => [id, score],
    ),
  );
  const found = [...scores].flatMap(([id, score]) => {
    const missing = words.flatMap((_, place) => (holders[place]?.has(id) ? [] : [place]));
    const lacked = missing.reduce(
      (sum, place) => sum + (isKnown[place] ? (rarities[place] as number) : 0),
      0,
    );
    const coverage = (whole - lacked) / whole;
    const holdsNone = missing.length === words.length;
    return holdsNone || missing.length === 0 ? [] : [{ id, score, coverage, missing }];
  });
  const best = Math.max(0, ...found.map(({ coverage }) => coverage));
  return {
    best,
    unknown: isKnown.flatMap((known, place) => (known ? [] : [place])),
    // Far from every border, since idf is counted in small whole numbers.
    surely: found.filter(({ coverage }) => coverage > best * minShare + 1e-4),
    perhaps: found.filter(({ coverage }) => coverage > best * minShare - 1e-4),
  };
}

const word = fc.constantFrom(...words, 'missing', 'leaves');
const question = fc
  .tuple(
    fc.array(word, { minLength: 2, maxLength: 6 }),
    fc.option(
      fc.constantFrom('+tree', '-root', 'leaf OR json', 'site:example.com', '"tree leaf"', 'filetype:pdf'),
    ),
  )
  .map(([bare, hard]) => [...bare, ...(hard ? [hard] : [])].join(' '));

test('pages of every tier with most of the words: coverage, order and missing words of a scan', async () => {
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(randomPage, { maxLength: 6, selector: ({ id }) => id }),
      fc.array(randomPage, { maxLength: 2 }),
      question,
      randomFilters,
      async (packed, put, q, filters) => {
        const search = searchOf(q);
        if (!search) return;
        const dataFolder = mkdtempSync(join(tmpdir(), 'gleaner-partial-'));
        const live = [...new Map(put.map((page) => [page.id, page])).values()];
        // A page that was put again is dead in its segment, where it still counts.
        const replaced = packed.filter(({ id }) => !live.some((page) => page.id === id));
        const isWhole = replaced.length === packed.length;
        const { index, close } = await openIndexOf(packed, live, dataFolder);
        try {
          const pages = [...replaced, ...live];
          const answer = await index.partialMatches({ ...search, ...filters });
          const hits = [...answer.well, ...answer.rest];
          for (const list of [answer.well, answer.rest]) {
            const scores = list.map(({ score }) => score);
            expect(scores).toEqual(scores.toSorted((a, b) => b - a));
          }
          if (!isWhole) return;
          asked++;
          const expected = obvious(pages, { ...search, ...filters });
          expect(answer.unknown).toEqual(expected.unknown);
          const ids = new Set(hits.map(({ id }) => id));
          expect(ids.size).toBe(hits.length);
          for (const { id } of expected.surely) expect(ids).toContain(id);
          const perhaps = new Map(expected.perhaps.map((page) => [page.id, page]));
          if (hits.length > 0) expect(answer.coverage).toBeCloseTo(expected.best, 3);
          for (const [place, { id }] of hits.entries()) {
            const page = perhaps.get(id);
            if (!page) throw new Error(`${id} is no partial match`);
            expect(answer.missing(id)).toEqual(page.missing);
            if (Math.abs(page.coverage - wellCovered) > 1e-3)
              expect(place < answer.well.length).toBe(page.coverage > wellCovered);
          }
        } finally {
          await close();
          rmSync(dataFolder, { recursive: true, force: true });
        }
      },
    ),
    { numRuns: 100 },
  );
  expect(asked).toBeGreaterThan(10);
}, 120_000);

test('the best hundred of many, packed or not, and none that holds all words', async () => {
  const pages = Array.from({ length: 300 }, (_, n) =>
    examplePage({
      url: `https://a.example/${n}`,
      title: `Page ${n}`,
      body: `heron ${n % 3 === 0 ? 'pond ' : ''}${n % 2 === 0 ? 'reed ' : ''}${n % 100 === 0 ? 'kingfisher' : ''}`,
    }),
  );
  const { index, close } = await openIndexOf(pages.slice(0, 200), pages.slice(200), temporaryFolder());
  onTestFinished(close);
  const search = searchOf('heron pond reed kingfisher zeppelin') as PartialSearch;
  const answer = await index.partialMatches(search);
  expect(answer.unknown).toEqual([4]);
  expect(answer.well.length + answer.rest.length).toBeLessThanOrEqual(maxPartialMatches);
  expect(answer.well.map(({ id }) => id)).toContain(pages[0]?.id);
  expect(answer.missing(pages[0]?.id ?? '')).toEqual([4]);
  const strict = await index.partialMatches(searchOf('heron pond reed kingfisher') as PartialSearch);
  const found = [...strict.well, ...strict.rest].map(({ id }) => id);
  expect(found).not.toContain(pages[0]?.id);
  expect(found).toContain(pages[200]?.id);
});
