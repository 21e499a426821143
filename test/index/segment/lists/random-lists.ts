import fc from 'fast-check';
import { packLists } from '../../../../src/index/segment/build/pack-lists.ts';
import { CountedRanges, packCounts } from '../../../../src/index/segment/dictionary/counted-ranges.ts';
import { OffsetRanges } from '../../../../src/index/segment/dictionary/ranges.ts';
import { packBits, RankedBits } from '../../../../src/index/segment/dictionary/ranked-bits.ts';
import { TitleRanges } from '../../../../src/index/segment/dictionary/title-ranges.ts';
import { CompactLists, PlainLists } from '../../../../src/index/segment/lists/list-pages.ts';

/** The pages of each term, and those with the term in their title. */
export interface ListsOfPages {
  readonly pageCount: number;
  readonly postings: readonly (readonly number[])[];
  readonly titles: readonly (readonly number[])[];
}

/** Mixes the bits of a number (the finish of MurmurHash3). */
function mixed(number: number): number {
  let hash = Math.imul(number ^ (number >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** About `count` of the pages, spread or in runs. */
export function somePages(pageCount: number, count: number, seed: number, run = 1): number[] {
  const keys = Array.from({ length: pageCount }, (_, page) => mixed(Math.floor(page / run) + seed * 7919));
  const limit = keys.toSorted((a, b) => a - b)[count] ?? 2 ** 32;
  return [...keys.keys()].filter((page) => (keys[page] as number) < limit);
}

const counts = [
  0, 1, 127, 128, 129, 254, 255, 256, 257, 383, 384, 385, 511, 600, 1500, 5000, 9000, 20_000, 65_536,
];
const pageCounts = [1, 31, 255, 256, 1024, 1025, 2041, 2048, 3000, 5000, 12_345, 65_535, 65_536];

export const randomLists: fc.Arbitrary<ListsOfPages> = fc.constantFrom(...pageCounts).chain((pageCount) => {
  const list = fc
    .tuple(fc.constantFrom(...counts), fc.nat(1000), fc.constantFrom(1, 1, 3, 300))
    .map(([count, seed, run]) => somePages(pageCount, count, seed, run));
  const lists = fc.array(list, { minLength: 20, maxLength: 20 });
  return fc.record({ pageCount: fc.constant(pageCount), postings: lists, titles: lists });
});

/** The lists as a file has them, and as one of version 2 has them. */
export function storedLists({ pageCount, postings, titles }: ListsOfPages) {
  const kinds = [postings, titles].map((lists) => {
    let end = 0;
    const ends = lists.map(({ length }) => {
      end += length;
      return end;
    });
    return { pages: Uint16Array.from(lists.flat()), offsets: Uint32Array.from([0, ...ends]) };
  });
  const [own, inTitles] = kinds as [(typeof kinds)[0], (typeof kinds)[0]];
  const first = own.pages.length;
  const sections = packLists(kinds, pageCount);
  const every = new RankedBits(packBits(titles.length, () => true));
  const ranges = {
    postings: new CountedRanges(packCounts(own.offsets)),
    titles: new TitleRanges(every, new CountedRanges(packCounts(inTitles.offsets)), first),
  };
  const plain = new PlainLists(Uint16Array.from([...own.pages, ...inTitles.pages]), {
    postings: new OffsetRanges(own.offsets),
    titles: new OffsetRanges(inTitles.offsets.map((offset) => offset + first)),
  });
  const longCounts = kinds.flatMap(({ offsets }) =>
    [...offsets.subarray(1)].map((end, at) => end - (offsets[at] as number)).filter((count) => count >= 255),
  );
  return { sections, longCounts, plain, compact: new CompactLists({ ...sections, ...ranges, pageCount }) };
}
