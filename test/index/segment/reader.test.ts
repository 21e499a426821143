import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PageMarks } from '../../../src/index/page-marks.ts';
import { buildSegment } from '../../../src/index/segment/build/builder.ts';
import { mergeSegments } from '../../../src/index/segment/build/merge.ts';
import { sectionKinds } from '../../../src/index/segment/format.ts';
import { documentFrequency, openSegment, pageNumber } from '../../../src/index/segment/reader.ts';
import { searchSegment } from '../../../src/index/segment/search.ts';
import { TopK } from '../../../src/index/segment/top-k.ts';
import { wordListOf } from '../../../src/index/segment/word-list.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { examplePage } from '../../pages.ts';
import { filled } from '../../text/occurrences/found-terms.ts';

const averageLengths = [2, 3, 4, 20] as const;
const pages = Array.from({ length: 40 }, (_, n) =>
  examplePage({
    url: `https://${n % 3}.example/${n}`,
    title: `Leaf ${n}`,
    headings: 'Leaves',
    body: `running trees ${'leaf '.repeat(n)} 数据库 ${n % 7}. One more sentence.\nname() ends`,
    lang: n % 2 ? 'en' : 'zh',
  }),
);
const file = buildSegment(pages, { averageLengths });
/** Enough pages for lists of all forms: of every page, of a third, of a tenth. */
const manyPages = Array.from({ length: 2600 }, (_, n) =>
  examplePage({
    url: `https://${n % 3}.example/many/${n}`,
    title: n % 9 ? 'Herons' : `Leaf ${n}`,
    body: `leaf ${n % 3 ? '' : 'runs'} ${n % 10 ? '' : 'tree'} ${n % 7}`,
  }),
);
const manyFile = buildSegment(manyPages, { averageLengths });
const queries = [
  'leaf',
  'leaf tree -3',
  'intitle:leaf run OR 数据库',
  'site:1.example leaf',
  '-leaf',
  'tree run leaf -"tree 4"',
  'intitle:herons (run OR -tree)',
].map((q) => parseQuery(q));
const headerBytes = 24;
const entryBytes = 16;

/** Makes the checksums right again, so that what is wrong must be found by other means. */
function withChecksums(bytes: Uint8Array): Uint8Array {
  const words = new DataView(bytes.buffer);
  const tableEnd = headerBytes + words.getUint32(12, true) * entryBytes;
  if (tableEnd > bytes.length) return bytes;
  for (let entry = headerBytes; entry < tableEnd; entry += entryBytes) {
    const start = words.getUint32(entry + 4, true);
    const section = bytes.subarray(start, start + words.getUint32(entry + 8, true));
    words.setUint32(entry + 12, crc32(section), true);
  }
  words.setUint32(20, crc32(bytes.subarray(headerBytes, tableEnd), crc32(bytes.subarray(0, 20))), true);
  return bytes;
}

function useMarks(marks: PageMarks, weights: ReadonlyMap<string, number>): void {
  const { url, address, title, siteName, lang, publishedAt, linkShare, likeness, bodyLength } = marks;
  for (const terms of [weights, new Map([['数据', 1]])]) {
    const limits = { perWord: 50, terms: 99, scanned: 1e6, read: 1e6 };
    const found = (['body', 'headings'] as const).flatMap((field) =>
      filled((into) => marks.occurrences(field, terms, limits, into)),
    );
    for (const { start, end } of found.slice(0, 3)) marks.text('body', start, end);
    marks.mayHoldInTitle(terms);
  }
  const sentence = marks.sentences.from(40);
  if (sentence) marks.sentences.before(sentence);
  marks.nameLineEndingAt(4);
  expect([url, address, title, siteName, lang, publishedAt, linkShare, likeness, bodyLength]).toHaveLength(9);
}

/** Opens bytes and, where that succeeds, uses every part of what came out; merging is only for what was checked. */
function use(bytes: Uint8Array, checksBytes = true): 'segment' | 'damaged' {
  const opened = openSegment(bytes.slice().buffer, checksBytes);
  if (opened.kind === 'damaged') return opened.kind;
  const { segment } = opened;
  const weights = new Map([
    ['leaf', 1],
    ['~leaf', 2],
    ['~run', 1],
  ]);
  for (const query of queries) {
    const top = new TopK(10);
    searchSegment(segment, { query, weights, top, prefer: { lang: 'zh', factor: 2 }, crawledSince: 1 });
    for (const { marks } of top.hits()) if (marks) useMarks(marks, weights);
  }
  if (!checksBytes) return opened.kind;
  try {
    mergeSegments([{ segment }, { segment, dead: new Uint8Array(8192).fill(255) }]);
  } catch (error) {
    // Two pages of one id, which no checksum can tell.
    if (!(error instanceof RangeError)) throw error;
  }
  return opened.kind;
}

const flips = fc.array(fc.record({ at: fc.nat(), mask: fc.integer({ min: 1, max: 255 }) }), {
  minLength: 1,
  maxLength: 8,
});
function flipped(at: readonly { at: number; mask: number }[], within: number): Uint8Array {
  const bytes = file.slice();
  for (const flip of at) bytes[flip.at % within] = (bytes[flip.at % within] ?? 0) ^ flip.mask;
  return bytes;
}

test('a file of a builder opens, in shared memory too', () => {
  expect(use(file)).toBe('segment');
  const shared = new SharedArrayBuffer(file.length);
  new Uint8Array(shared).set(file);
  const opened = openSegment(shared);
  if (opened.kind === 'damaged') throw new Error(opened.why);
  expect(opened.segment.pageCount).toBe(pages.length);
  expect(documentFrequency(opened.segment, '~tree')).toBe(pages.length);
  expect(documentFrequency(opened.segment, 'absent')).toBe(0);
  const ids = Array.from({ length: pages.length }, (_, page) => opened.segment.idOf(page));
  expect(ids).toEqual(pages.map(({ id }) => id).sort());
  expect(ids.map((id) => pageNumber(opened.segment, id))).toEqual([...ids.keys()]);
  expect(pageNumber(opened.segment, examplePage({ url: 'https://b.example/' }).id)).toBe(-1);
});

test('a file of no pages opens and matches nothing', () => {
  const opened = openSegment(buildSegment([], { averageLengths }).buffer);
  if (opened.kind === 'damaged') throw new Error(opened.why);
  for (const query of queries) {
    expect(searchSegment(opened.segment, { query, weights: new Map(), top: new TopK(3) })).toBe(0);
  }
});

test('a file cut short or made longer is damaged', () => {
  for (let length = 0; length < file.length; length += 7) expect(use(file.slice(0, length))).toBe('damaged');
  const longer = new Uint8Array(file.length + 8);
  longer.set(file);
  expect(use(longer)).toBe('damaged');
});

test('every flipped byte of content or header is noticed', () => {
  fc.assert(
    fc.property(flips, (at) => {
      const bytes = flipped(at, file.length);
      const same = openSegment(bytes.buffer as ArrayBuffer);
      // Only the bytes between two sections are not covered by a checksum.
      if (same.kind === 'segment') expect(use(bytes)).toBe('segment');
      else expect(same.why).not.toBe('');
    }),
    { numRuns: 2000 },
  );
});

test('a forged file with right checksums does no harm', () => {
  const outcomes = { segment: 0, damaged: 0 };
  const check = (at: Parameters<typeof flipped>[0], within: number) => {
    outcomes[use(withChecksums(flipped(at, within)))]++;
  };
  fc.assert(
    fc.property(flips, (at) => check(at, file.length)),
    { numRuns: 3000 },
  );
  fc.assert(
    fc.property(flips, (at) => check(at, headerBytes + Object.keys(sectionKinds).length * entryBytes)),
    { numRuns: 1000 },
  );
  expect(outcomes.segment).toBeGreaterThan(100);
  expect(outcomes.damaged).toBeGreaterThan(100);
});

test('a mapped file whose bytes were damaged later does no harm', async () => {
  const [first, last] = ['termBuckets', 'impacts'].map(startOf) as [number, number];
  await fc.assert(
    fc.asyncProperty(flips, async (at) => {
      const bytes = file.slice();
      for (const { at: offset, mask } of at) {
        const flip = first + (offset % (last - first));
        bytes[flip] = (bytes[flip] ?? 0) ^ mask;
      }
      expect(use(bytes, false)).toBe('segment');
      const opened = openSegment(bytes.buffer, false);
      if (opened.kind === 'damaged') throw new Error(opened.why);
      const { segment } = opened;
      const terms = ['leaf', '~leaf', 'running', '数据', 'absent', `${bytes[first]}`];
      for (const term of terms) expect(documentFrequency(segment, term)).toBeLessThan(file.length);
      await wordListOf(segment);
    }),
    { numRuns: 2000 },
  );
});

/** Where a section begins. */
function startOf(name: string): number {
  const entry = headerBytes + Object.keys(sectionKinds).indexOf(name) * entryBytes;
  return new DataView(file.buffer).getUint32(entry + 4, true);
}

const longSections = [
  'postingPages',
  'longLists',
  'longPages',
  'postingCounts',
  'postingStarts',
  'titleStarts',
];

/** Bytes of the sections that say which pages are in lists. */
const flipsInLists = fc.array(
  fc.record({
    section: fc.constantFrom(...longSections),
    at: fc.nat(),
    mask: fc.integer({ min: 1, max: 255 }),
  }),
  { minLength: 1, maxLength: 6 },
);

function flippedLists(flipped: readonly { section: string; at: number; mask: number }[]): Uint8Array {
  const bytes = manyFile.slice();
  const words = new DataView(bytes.buffer);
  const names = Object.keys(sectionKinds);
  for (const { section, at, mask } of flipped) {
    const entry = headerBytes + names.indexOf(section) * entryBytes;
    const offset = words.getUint32(entry + 4, true) + (at % words.getUint32(entry + 8, true));
    bytes[offset] = (bytes[offset] as number) ^ mask;
  }
  return bytes;
}

test('forged long lists with right checksums do no harm', () => {
  expect(use(manyFile)).toBe('segment');
  fc.assert(
    fc.property(flipsInLists, (flipped) => {
      use(withChecksums(flippedLists(flipped)));
    }),
    { numRuns: 60 },
  );
});

test('long lists of a mapped file that were damaged later do no harm', () => {
  fc.assert(
    fc.property(flipsInLists, (flipped) => {
      use(flippedLists(flipped), false);
    }),
    { numRuns: 300 },
  );
});

test('what is no segment file says so', () => {
  const opened = openSegment(new TextEncoder().encode('{"not":"a segment"}'.repeat(100)).buffer);
  expect(opened).toEqual({ kind: 'damaged', why: 'not a segment file' });
});
