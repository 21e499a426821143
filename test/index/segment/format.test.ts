import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildSegment } from '../../../src/index/segment/build/builder.ts';
import { fileTypes } from '../../../src/index/segment/columns.ts';
import { sectionKinds } from '../../../src/index/segment/format.ts';
import { examplePage } from '../../pages.ts';

const docs = readFileSync(new URL('../../../docs/segment-format.md', import.meta.url), 'utf8');
const rows = [...docs.matchAll(/^\| (\d+) \| (\w+) \| (\w+) \|[^|]*\| (.*) \|$/gm)];

test('docs/segment-format.md lists the sections as they are', () => {
  const written = Object.entries(sectionKinds).map(([name, { name: kind }], at) => [
    String(at + 1),
    name,
    kind.replace('Array', '').toLowerCase(),
  ]);
  expect(rows.map(([, number, name, kind]) => [number, name, kind])).toEqual(written);
});

test('docs/segment-format.md lists the file types as they are', () => {
  const told = rows.find(([, , name]) => name === 'fileTypes')?.[4];
  expect(told).toBe(fileTypes.map((type, number) => `${type} ${number}`).join(', '));
});

/** The records of all postings: flags, then bytes. */
function recordsOf(positions: Buffer): number[][] {
  const records: number[][] = [];
  for (let offset = 0; offset < positions.length; ) {
    const header = positions[offset] as number;
    const end = offset + 1 + (header >> 2);
    records.push([header & 3, ...positions.subarray(offset + 1, end)]);
    offset = end;
  }
  return records;
}

/** The sums of the first counts, from none to all of them. */
function sumsOf(counts: Buffer): number[] {
  return [0, ...counts.keys()].map((_, at) => counts.subarray(0, at).reduce((sum, count) => sum + count, 0));
}

test('a file can be read by what docs/segment-format.md says', () => {
  const pages = ['a', 'b'].map((name) =>
    examplePage({
      url: `https://docs.example.org/${name}`,
      title: name,
      body: 'One leaf, two leafs',
      crawledAt: 5,
    }),
  );
  const file = Buffer.from(buildSegment(pages, { averageLengths: [1, 2, 3, 4] }));
  expect(file.toString('ascii', 0, 8)).toBe('GLEANSEG');
  expect(file.readUInt32LE(16)).toBe(file.length);
  expect([file.readUInt32LE(8), file.readUInt32LE(12)]).toEqual([3, rows.length]);
  const table = file.subarray(24, 24 + rows.length * 16);
  expect(file.readUInt32LE(20)).toBe(crc32(table, crc32(file.subarray(0, 20))));
  const sections = new Map(
    rows.map(([, , name], at) => {
      const [number, start, length] = [0, 4, 8].map((field) => table.readUInt32LE(16 * at + field));
      expect([number, (start as number) % 8]).toEqual([at + 1, 0]);
      return [name, file.subarray(start, (start as number) + (length as number))];
    }),
  );
  const section = (name: string): Buffer => sections.get(name) as Buffer;
  expect([0, 8, 16, 24].map((at) => section('averageLengths').readDoubleLE(at))).toEqual([1, 2, 3, 4]);
  expect(section('hostText').toString()).toBe('gro.elpmaxe.scod');
  expect(section('pathText').toString()).toMatch(/^(\/a\/b|\/b\/a)$/);
  const title = section('pathText').toString().charAt(1);
  expect(section('crawlTimes').readDoubleLE(8)).toBe(5);
  const termOffsets = sumsOf(section('termLengths'));
  const terms = termOffsets
    .slice(1)
    .map((end, at) => section('termText').toString('utf8', termOffsets[at] as number, end));
  const leaf = terms.indexOf('leaf');
  expect(section('termTags').length).toBe(terms.length);
  const postingOffsets = sumsOf(section('postingCounts'));
  const starts = (name: string): number[] => [...new Uint32Array(new Uint8Array(section(name)).buffer)];
  const blocks = [0, 16].filter((first) => first < terms.length);
  const end = terms.length;
  expect(end).toBeLessThan(32);
  for (const [name, offsets] of [
    ['termStarts', termOffsets],
    ['postingStarts', postingOffsets],
  ] as const) {
    const large = 2 * blocks.length + 2;
    expect(starts(name)).toEqual([...blocks, end].flatMap((first) => [offsets[first], large]));
  }
  const start = postingOffsets[leaf] as number;
  expect(postingOffsets[leaf + 1]).toBe(start + 2);
  expect([0, 1].map((at) => section('postingPages').readUInt16LE(2 * (start + at)))).toEqual([0, 1]);
  const [stemBits = 0] = starts('stemBits');
  expect((stemBits >>> leaf) & 1).toBe(1);
  const rank = Array.from({ length: leaf }, (_, term) => (stemBits >>> term) & 1).filter(Boolean).length;
  const stem = section('termStems').readUInt32LE(4 * rank);
  expect(terms[stem]).toBe('~leaf');
  expect(section('originText').toString()).toBe('https://docs.example.org');
  const body = section('pageText').subarray(0, section('pageTextOffsets').readUInt32LE(4));
  expect(body.toString()).toBe('One leaf, two leafs');
  // The stem stands at 4, and 10 units later with another length.
  const records = recordsOf(section('positions'));
  expect(records[postingOffsets[stem] as number]).toEqual([2, 4 * 2, 10 * 2 + 1, 5]);
  expect(records[start]).toEqual([0, 4]);
  const skips = section('positionSkips');
  expect(skips.readUInt32LE(0)).toBe(0);
  const marks = section('pageMarks');
  expect([...marks.subarray(0, 1), ...marks.subarray(9, 15)]).toEqual([
    0,
    0,
    0,
    19,
    19,
    1,
    title.charCodeAt(0),
  ]);
  expect([...marks.subarray(15, 20)]).toEqual([0, 4, 1, 0, 19]);
});

/** The page numbers of a packed list by the words of docs/segment-format.md: bit by bit. */
function unpacked(words: readonly number[], count: number): number[] {
  const blocks = Math.ceil(count / 128);
  const groups = words.slice(blocks + 1);
  const pages: number[] = [];
  for (let block = 0; block < blocks; block++) {
    const [own, next] = [words[block] as number, words[block + 1] as number];
    const width = block < blocks - 1 ? (next >>> 16) - (own >>> 16) : next & 0xffff;
    for (let gap = 0; gap < Math.min(128, count - 128 * block); gap++) {
      let value = 0;
      for (let bit = 0; bit < width; bit++) {
        const at = Math.floor(gap / 4) * width + bit;
        const word = groups[4 * ((own >>> 16) + Math.floor(at / 32)) + (gap % 4)] as number;
        value += ((word >>> (at % 32)) & 1) * 2 ** bit;
      }
      pages.push(gap === 0 ? own & 0xffff : (pages.at(-1) as number) + value + 1);
    }
  }
  return pages;
}

test('long lists can be read by what docs/segment-format.md says', () => {
  const pages = Array.from({ length: 2600 }, (_, n) =>
    examplePage({
      url: `https://docs.example.org/${n}`,
      title: n % 10 === 3 ? 'tenth' : n % 4 === 0 ? 'fourth' : '数',
      body: `${n % 3 === 0 ? 'third' : ''} ${n % 9 === 0 ? 'ninth' : ''} ${n % 40}`,
      lang: 'zh',
    }),
  );
  const file = Buffer.from(buildSegment(pages, { averageLengths: [1, 2, 3, 4] }));
  const numbers = new Map(
    rows.map(([, , name, kind], at) => {
      const [start = 0, length = 0] = [4, 8].map((field) => file.readUInt32LE(24 + 16 * at + field));
      const bytes = new Uint8Array(file.subarray(start, start + length)).buffer;
      const Kind = { uint8: Uint8Array, uint16: Uint16Array }[kind as string] ?? Uint32Array;
      return [name as string, kind === 'float64' ? [] : [...new Kind(bytes)]];
    }),
  );
  const section = (name: string): number[] => numbers.get(name) as number[];
  const [lengths, text] = [section('termLengths'), Buffer.from(section('termText'))];
  const ends = sumsOf(Buffer.from(lengths));
  const terms = lengths.map((_, at) => text.toString('utf8', ends[at], ends[at + 1]));
  /** Counts with those of 255 and more in their places. */
  const countsOf = (name: string): number[] => {
    const counts = section(`${name}Counts`);
    const large = section(`${name}Starts`).slice(2 * Math.ceil(counts.length / 16) + 2);
    return counts.map((count) => (count < 255 ? count : (large.shift() as number)));
  };
  const isInTitle = (term: number): boolean =>
    (((section('titleBits')[2 * (term >>> 5)] as number) >>> (term & 31)) & 1) === 1;
  const titled = [...terms.keys()].filter(isInTitle);
  const lists = [
    ...countsOf('posting').map((count, term) => ({ name: terms[term] as string, count })),
    ...countsOf('title').map((count, at) => {
      const term = titled[at] as number;
      return { name: `intitle:${terms[term]}`, count };
    }),
  ];
  const [short, table, words] = ['postingPages', 'longLists', 'longPages'].map(section) as [
    number[],
    number[],
    number[],
  ];
  const ids = pages.map(({ id }) => id).sort();
  const pagesWith = (matches: (n: number) => boolean): number[] =>
    pages.flatMap(({ id }, n) => (matches(n) ? [ids.indexOf(id)] : [])).sort((a, b) => a - b);
  const expected = new Map([
    ['third', pagesWith((n) => n % 3 === 0)],
    ['ninth', pagesWith((n) => n % 9 === 0)],
    ['intitle:tenth', pagesWith((n) => n % 10 === 3)],
    ['intitle:fourth', pagesWith((n) => n % 4 === 0 && n % 10 !== 3)],
    ['17', pagesWith((n) => n % 40 === 17)],
  ]);
  const read = new Map<string, number[]>();
  let [start, long] = [0, 0];
  for (const { name, count } of lists) {
    const [before = 0, at = 0] = table.slice(2 * long);
    const ranks = Math.ceil(2600 / 1024);
    const list =
      count < 255
        ? short.slice(start - before, start - before + count)
        : 8 * count < 2600
          ? unpacked(words.slice(at), count)
          : ids.flatMap((_, page) =>
              (((words[at + ranks + (page >>> 5)] as number) >>> (page & 31)) & 1) === 1 ? [page] : [],
            );
    if (count >= 255 && 8 * count >= 2600)
      expect(words.slice(at, at + ranks)).toEqual(
        [0, 1024, 2048].map((first) => list.filter((page) => page < first).length),
      );
    if (count >= 255) long++;
    start += count;
    if (expected.has(name)) read.set(name, list);
  }
  expect(table.slice(2 * long)).toEqual([start - short.length, words.length]);
  expect(Object.fromEntries(read)).toEqual(Object.fromEntries(expected));
});
