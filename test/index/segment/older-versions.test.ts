import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildSegment } from '../../../src/index/segment/build/builder.ts';
import { mergeSegments } from '../../../src/index/segment/build/merge.ts';
import { countCoverage, holdsWord } from '../../../src/index/segment/coverage.ts';
import { joinPieces } from '../../../src/index/segment/file-pieces.ts';
import { documentFrequency, type Segment } from '../../../src/index/segment/reader.ts';
import { highestCoverage, scoreParts, searchSegment } from '../../../src/index/segment/search.ts';
import { TopK } from '../../../src/index/segment/top-k.ts';
import { wordListOf } from '../../../src/index/segment/word-list.ts';
import type { Page } from '../../../src/page.ts';
import { parseQuery } from '../../../src/query/parser.ts';
import { queryWords } from '../../../src/text/terms.ts';
import { examplePage } from '../../pages.ts';
import { corpusNumbers } from '../brute-force.ts';
import { randomFilters, randomQuery } from '../random-index.ts';
import { asFirstVersion, asSecondVersion, sampleAverages, samplePages, segmentOf } from './older-versions.ts';
import { deadSet, randomParts } from './random-segments.ts';

const averageLengths = sampleAverages;
const sample = readFileSync(new URL('../../samples/segments/version-2.seg', import.meta.url));

/** Lists of all forms: of nearly every page, of a third, of a tenth; most words have short ones. */
const manyMorePages = Array.from({ length: 2600 }, (_, n) =>
  examplePage({
    url: `https://${n % 4}.example/many/${n}`,
    title: n % 8 ? 'Herons' : `Leaf ${n}`,
    headings: n % 5 ? '' : 'Cranes',
    body: `leaf ${n % 3 ? 'leaf' : 'running'} ${n % 10 ? '' : 'trees'} ${n % 300} ${'long '.repeat(n % 6)}`,
    crawledAt: n % 50,
    lang: n % 7 ? 'en' : 'de',
  }),
);

/** 700 pages: lists of 255 postings and more in bodies and in titles, a long term. */
const manyPages = Array.from({ length: 700 }, (_, n) =>
  examplePage({
    url: `https://many.example/${n}`,
    title: n % 2 ? 'Herons' : `Leaf ${n}`,
    body: `common words ${n} ${n % 300} ${'long'.repeat(n % 9 === 0 ? 16 : 1)} running`,
  }),
);

test('the file of version 2 that was written before version 3 is what the tests make of a newer one', () => {
  const now = buildSegment(samplePages, { averageLengths });
  expect(Buffer.from(asSecondVersion(now)).equals(sample)).toBe(true);
});

/** The numbers of all terms and what the dictionary says of them. */
function everyTerm({ dictionary }: Segment): unknown[] {
  const { termCount, texts, postings, titles } = dictionary;
  return Array.from({ length: termCount }, (_, term) => [
    ...[texts, postings, titles].flatMap((ranges) => [
      ranges.count(term) && ranges.start(term),
      ranges.count(term),
    ]),
    dictionary.stemOf(term),
  ]);
}

test('the compact dictionary says what that of version 2 says, long lists included', async () => {
  const file = buildSegment(manyPages, { averageLengths });
  const [now, older] = [segmentOf(file), segmentOf(asSecondVersion(file))];
  expect(now.dictionary.texts.count(now.termNumber('long'.repeat(16)))).toBe(64);
  expect(documentFrequency(now, 'common')).toBe(700);
  expect(now.dictionary.titles.count(now.termNumber('herons'))).toBe(350);
  expect(everyTerm(now)).toEqual(everyTerm(older));
  expect(await wordListOf(now)).toEqual(await wordListOf(older));
  const absent = ['', 'absent', '~absent', '数', 'x'.repeat(5000)];
  expect(absent.map((term) => now.termNumber(term))).toEqual(absent.map(() => -1));
  for (const term of ['common', '~common', 'herons', '17', 'long'])
    expect(now.termNumber(term)).toBe(older.termNumber(term));
});

test('a search of versions 1, 2 and 3 of the same pages gives the same answers', () => {
  fc.assert(
    fc.property(randomParts, randomQuery, randomFilters, ([part], query, filters) => {
      const pages = part?.pages ?? [];
      const file = buildSegment(pages, { averageLengths });
      const { weights } = corpusNumbers(pages, query);
      const [now, ...older] = [file, asSecondVersion(file), asFirstVersion(file)].map((bytes) => {
        const segment = segmentOf(bytes);
        const top = new TopK(100);
        const dead = deadSet(segment, part?.dead ?? new Set());
        const total = searchSegment(segment, { query, ...filters, weights, dead, top });
        return [total, top.hits().map(({ marks: _, ...hit }) => hit)];
      });
      for (const answer of older) expect(answer).toEqual(now);
    }),
    { numRuns: 300 },
  );
});

/** The answer of a segment to a query, with all hits. */
function answerOf(bytes: Uint8Array, pages: readonly Page[], q: string): unknown[] {
  const query = parseQuery(q);
  const top = new TopK(3000);
  const { weights } = corpusNumbers(pages, query);
  const total = searchSegment(segmentOf(bytes), { query, weights, top });
  return [total, top.hits().map(({ marks: _, ...hit }) => hit)];
}

/** What a page must be for each query. */
const longQueries: readonly (readonly [q: string, matches: (n: number) => boolean])[] = [
  ['leaf', () => true],
  ['running', (n) => n % 3 === 0],
  ['trees', (n) => n % 10 === 0],
  ['trees running', (n) => n % 30 === 0],
  ['trees -running', (n) => n % 10 === 0 && n % 3 !== 0],
  ['trees OR cranes', (n) => n % 5 === 0],
  ['17 OR trees', (n) => n % 300 === 17 || n % 10 === 0],
  ['17 trees', () => false],
  ['30 trees leaf', (n) => n % 300 === 30],
  ['intitle:herons trees', (n) => n % 8 !== 0 && n % 10 === 0],
  ['-intitle:herons running', (n) => n % 8 === 0 && n % 3 === 0],
  ['site:1.example running', (n) => n % 4 === 1 && n % 3 === 0],
  ['(trees running) OR (cranes -trees)', (n) => n % 30 === 0 || (n % 5 === 0 && n % 10 !== 0)],
  ['-trees', (n) => n % 10 !== 0],
];

test('long lists of versions 1, 2 and 3 give the same answers, which are those of a scan', () => {
  const file = buildSegment(manyMorePages, { averageLengths });
  const older = [asSecondVersion(file), asFirstVersion(file)];
  for (const [q, matches] of longQueries) {
    const answer = answerOf(file, manyMorePages, q);
    const ids = (answer[1] as { id: string }[]).map(({ id }) => id);
    expect(ids.sort(), q).toEqual(manyMorePages.flatMap(({ id }, n) => (matches(n) ? [id] : [])).sort());
    for (const bytes of older)
      expect(answerOf(bytes, manyMorePages, q)).toEqual(answerOf(file, manyMorePages, q));
  }
});

const { part: nestedQuery } = fc.letrec<{ part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4, depthSize: 'large' },
    fc.constantFrom('leaf', 'running', 'trees', 'cranes', 'long', '17', 'intitle:herons', 'site:1.example'),
    fc.tuple(tie('part'), tie('part')).map(([a, b]) => `(${a} ${b})`),
    fc.tuple(tie('part'), tie('part')).map(([a, b]) => `(${a} OR ${b})`),
    fc.tuple(tie('part'), tie('part')).map(([a, b]) => `(${a} -${b})`),
  ),
}));

test('long lists of versions 2 and 3 give the same answers to any query, and the same words of a page', () => {
  const file = buildSegment(manyMorePages, { averageLengths });
  const both = [segmentOf(file), segmentOf(asSecondVersion(file))];
  const words = queryWords('leaf running trees cranes long 17 absent', { quoted: false, lang: 'en' });
  const terms = words.flatMap(({ term, stem }) => (stem === null ? [term] : [term, stem]));
  const weights = new Map(terms.map((term, at) => [term, 1 + at / 3]));
  fc.assert(
    fc.property(nestedQuery, fc.nat(40), fc.nat(2599), (q, limit, page) => {
      const query = parseQuery(q);
      const covered = words.map((word, at) => ({ of: [word], weight: 1 + at }));
      const [now, older] = both.map((segment) => {
        const top = new TopK(limit);
        const total = searchSegment(segment, { query, weights, top });
        const coverage = countCoverage(segment, covered);
        const bounds = { coverage, below: 30, best: 0 };
        return [
          total,
          top.hits().map(({ marks: _, ...hit }) => hit),
          scoreParts(segment, page, weights),
          words.map((word) => holdsWord(segment, page, [word])),
          coverage,
          highestCoverage(segment, { query }, bounds),
        ];
      });
      expect(now).toEqual(older);
    }),
    { numRuns: 150 },
  );
});

test('long lists of versions 2 and 3 are merged into those of all pages, with dead pages or without', () => {
  const parts = [manyMorePages.slice(0, 900), manyMorePages.slice(900, 2300), manyMorePages.slice(2300)];
  for (const isDead of [() => false, (n: number) => n % 11 === 4]) {
    const dead = new Set(manyMorePages.flatMap(({ id }, n) => (isDead(n) ? [id] : [])));
    const sources = parts.map((pages, index) => {
      const file = buildSegment(pages, { averageLengths });
      const segment = segmentOf(index === 1 ? asSecondVersion(file) : file);
      return { segment, dead: deadSet(segment, dead) };
    });
    const living = manyMorePages.filter(({ id }) => !dead.has(id));
    const merged = Buffer.from(joinPieces(mergeSegments(sources)));
    expect(merged.equals(Buffer.from(buildSegment(living, { averageLengths })))).toBe(true);
  }
});

test('segments of versions 2 and 3 are merged into what the new pages would be packed into', () => {
  fc.assert(
    fc.property(randomParts, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (parts, areOlder) => {
      const living = parts.flatMap(({ pages, dead }) => pages.filter(({ id }) => !dead.has(id)));
      const sources = parts.map(({ pages, dead }, index) => {
        const file = buildSegment(pages, { averageLengths });
        const segment = segmentOf(areOlder[index] ? asSecondVersion(file) : file);
        return { segment, dead: deadSet(segment, dead) };
      });
      const merged = Buffer.from(joinPieces(mergeSegments(sources)));
      expect(merged.equals(Buffer.from(buildSegment(living, { averageLengths })))).toBe(true);
    }),
    { numRuns: 200 },
  );
});
