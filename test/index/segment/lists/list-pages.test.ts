import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DecodedPages } from '../../../../src/index/segment/lists/decoded-pages.ts';
import { areLongLists, type ListPages } from '../../../../src/index/segment/lists/list-pages.ts';
import { noPage, type PageList } from '../../../../src/index/segment/lists/page-list.ts';
import { type ListsOfPages, randomLists, somePages, storedLists } from './random-lists.ts';

function everyList(lists: ListsOfPages) {
  return [lists.postings, lists.titles].flatMap((kind, at) =>
    kind.map((pages, term) => ({ pages, key: { term, inTitle: at === 1 } })),
  );
}

/** Ascending page numbers: all of few, else steps that change. */
function targets(pageCount: number, seed: number): number[] {
  const all = Array.from({ length: pageCount }, (_, page) => page);
  return pageCount < 3000 ? all : somePages(pageCount, 500, seed);
}

function pagesOf({ pages, start, end }: PageList): number[] {
  return [...pages.subarray(start, end)];
}

test('lists are read back as they were, with the posting of each page', () => {
  fc.assert(
    fc.property(randomLists, fc.nat(99), (lists, seed) => {
      const { compact, plain } = storedLists(lists);
      for (const { pages, key } of everyList(lists)) {
        const first = plain.open(key).start;
        expect(compact.holds(key)).toBe(true);
        expect(pagesOf(compact.whole(key))).toEqual(pages);
        const postings = new Map(pages.map((page, posting) => [page, first + posting]));
        const wrong = targets(lists.pageCount, seed).filter(
          (page) => compact.postingOf(key, page) !== (postings.get(page) ?? -1),
        );
        expect(wrong).toEqual([]);
      }
    }),
    { numRuns: 15 },
  );
});

test('every page of a list of 65,536 and of a packed one is found, and where it is', () => {
  const pageCount = 65_536;
  const postings = [
    somePages(pageCount, pageCount, 1),
    somePages(pageCount, 8191, 2),
    somePages(pageCount, 8192, 3),
  ];
  const { compact } = storedLists({ pageCount, postings, titles: [[], [], []] });
  let first = 0;
  for (const [term, pages] of postings.entries()) {
    const list = compact.open({ term, inTitle: false }, new DecodedPages());
    let posting = 0;
    const wrong: number[] = [];
    for (let page = 0; page < pageCount; page++) {
      const isThere = pages[posting] === page;
      if (compact.postingOf({ term, inTitle: false }, page) !== (isThere ? first + posting : -1))
        wrong.push(page);
      if (list.nextPage(page) !== (pages[posting] ?? noPage)) wrong.push(page);
      if (isThere) posting++;
    }
    expect(wrong).toEqual([]);
    expect(list.nextPage(pageCount)).toBe(noPage);
    first += pages.length;
  }
});

/** What a reader gives that goes forward through a list in steps. */
function readForward(
  lists: ListPages,
  key: { term: number; inTitle: boolean },
  steps: readonly number[],
): unknown[] {
  const memory = new DecodedPages();
  const [finder, cursor, taker] = [0, 1, 2].map(() => lists.open(key, memory)) as [
    PageList,
    PageList,
    PageList,
  ];
  const taken = new Uint16Array(1024);
  const found: unknown[] = [];
  let next = taker.start;
  for (const [step, target] of steps.entries()) {
    const page = cursor.nextPage(target);
    found.push(page);
    // A cursor stays where it is when a part of a query asks for less.
    found.push(cursor.nextPage(Math.floor(target / 2)));
    const from = finder.floor(finder.start, target);
    found.push(finder.find(from, target) - finder.start);
    const index = page === noPage ? -1 : finder.find(from, page);
    found.push(index - finder.start);
    if (index >= 0 && step % 3 === 0) {
      const to = Math.min(finder.end, index + 50);
      finder.load(index, to);
      found.push([...finder.pages.subarray(index, to)]);
    }
    const end = Math.min(taker.end, next + 1024);
    taker.take(next, end, taken);
    found.push([...taken.subarray(0, end - next)]);
    next = end;
  }
  // Relative to the list, a missing page is -1 less its start.
  return found.map((item) => (typeof item === 'number' && item < 0 ? -1 : item));
}

test('a reader that goes forward finds what one of version 2 finds', () => {
  fc.assert(
    fc.property(randomLists, fc.array(fc.nat(65_536), { maxLength: 30 }), (lists, drawn) => {
      const { compact, plain } = storedLists(lists);
      const steps = drawn.map((page) => page % (lists.pageCount + 1)).sort((a, b) => a - b);
      for (const { key } of everyList(lists))
        expect(readForward(compact, key, steps)).toEqual(readForward(plain, key, steps));
    }),
    { numRuns: 15 },
  );
});

test('tables and sums have the impacts of the pages, and are cleared', () => {
  fc.assert(
    fc.property(
      randomLists,
      fc.array(fc.nat(65_536), { maxLength: 8 }),
      fc.boolean(),
      (lists, drawn, scored) => {
        const { compact, plain } = storedLists(lists);
        const { pageCount } = lists;
        const total = lists.postings.flat().length + lists.titles.flat().length;
        const impacts = Uint8Array.from({ length: total }, (_, at) => 1 + (at % 255));
        const steps = [0, ...drawn.map((page) => page % pageCount), pageCount].sort((a, b) => a - b);
        for (const { pages, key } of everyList(lists)) {
          const first = plain.open(key).start;
          const impactOf = (posting: number): number => (scored ? (impacts[first + posting] as number) : 1);
          const memory = new DecodedPages();
          const [list, other] = [compact.open(key, memory), compact.open(key, memory)];
          const scores = scored ? { impacts, shift: first - list.start, weight: 2 } : undefined;
          const table = new Uint8Array(65_536);
          let from = list.start;
          for (const [at, low] of steps.slice(0, -1).entries()) {
            const high = (steps[at + 1] as number) - 1;
            if (high < low) continue;
            from = list.floor(from, low);
            list.tabulate(from, list.ceiling(from, high), table, scores);
            const expected = Array.from({ length: high - low + 1 }, () => 0);
            for (const [posting, page] of pages.entries())
              if (page >= low && page <= high) expected[page - low] = impactOf(posting);
            expect([...table.subarray(low, high + 1)]).toEqual(expected);
            list.clear(table);
            expect(table.every((impact) => impact === 0)).toBe(true);
          }
          const scoresOfOther = scores && { ...scores, shift: first - other.start };
          const stretch = 2048;
          let index = other.start;
          const summed: [number, number][] = [];
          for (let start = 0; start < pageCount; start += stretch) {
            const into = {
              first: start,
              marks: new Uint32Array(stretch / 32),
              sums: new Float64Array(stretch),
            };
            index = other.accumulate(index, into, scoresOfOther);
            for (let page = 0; page < stretch; page++)
              if ((((into.marks[page >>> 5] as number) >>> (page & 31)) & 1) === 1)
                summed.push([start + page, into.sums[page] as number]);
          }
          expect(summed).toEqual(pages.map((page, posting) => [page, scored ? 2 * impactOf(posting) : 0]));
        }
      },
    ),
    { numRuns: 12 },
  );
});

test('a table is cleared of a list whose damaged gaps lead beyond the last page number', () => {
  const pages = somePages(65_536, 5000, 1);
  const { compact, sections } = storedLists({ pageCount: 65_536, postings: [pages], titles: [[]] });
  const key = { term: 0, inTitle: false };
  const blocks = Math.ceil(pages.length / 128);
  sections.longPages.fill(0xffff_ffff, blocks + 1);
  expect(compact.holds(key)).toBe(true);
  const list = compact.open(key, new DecodedPages());
  const table = new Uint8Array(65_536);
  list.tabulate(list.floor(list.start, 60_000), list.end, table, undefined);
  expect(table.some((impact) => impact > 0)).toBe(true);
  list.clear(table);
  expect(table.every((impact) => impact === 0)).toBe(true);
});

test('long lists that are not where they must be are noticed', () => {
  const lists = {
    pageCount: 3000,
    postings: [300, 3000, 260, 374, 375].map((count, n) => somePages(3000, count, n)),
  };
  const { sections, longCounts } = storedLists({ ...lists, titles: [somePages(3000, 320, 9)] });
  expect(areLongLists(longCounts, sections, 3000)).toBe(true);
  expect(areLongLists(longCounts.slice(1), sections, 3000)).toBe(false);
  expect(areLongLists(longCounts, sections, 299)).toBe(false);
  const { longLists, longPages } = sections;
  expect(areLongLists(longCounts, { longLists, longPages: longPages.slice(0, -1) }, 3000)).toBe(false);
  expect(areLongLists(longCounts, { longLists: longLists.slice(0, -2), longPages }, 3000)).toBe(false);
  for (let at = 0; at < longLists.length; at++) {
    for (const mask of [1, 2 ** 20, 2 ** 31]) {
      const changed = longLists.slice();
      changed[at] = (changed[at] as number) ^ mask;
      expect(areLongLists(longCounts, { longLists: changed, longPages }, 3000)).toBe(false);
    }
  }
  // All entries of blocks, ranks and bits. The gaps within a block are not gone through.
  const packedStart = longLists[1] as number;
  const bitmapStart = longLists[3] as number;
  const bitmapEnd = longLists[5] as number;
  const noticed = [
    ...[0, 1, 2, 3].map((entry) => packedStart + entry),
    ...Array.from({ length: bitmapEnd - bitmapStart }, (_, word) => bitmapStart + word),
  ];
  for (const at of noticed) {
    const changed = longPages.slice();
    changed[at] = (changed[at] as number) ^ (2 ** 20);
    expect(areLongLists(longCounts, { longLists, longPages: changed }, 3000)).toBe(false);
  }
});
