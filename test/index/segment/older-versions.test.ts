import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildSegment } from '../../../src/index/segment/build/builder.ts';
import { mergeSegments } from '../../../src/index/segment/build/merge.ts';
import { documentFrequency, type Segment } from '../../../src/index/segment/reader.ts';
import { searchSegment } from '../../../src/index/segment/search.ts';
import { TopK } from '../../../src/index/segment/top-k.ts';
import { wordListOf } from '../../../src/index/segment/word-list.ts';
import { examplePage } from '../../pages.ts';
import { corpusNumbers } from '../brute-force.ts';
import { randomFilters, randomQuery } from '../random-index.ts';
import { asFirstVersion, asSecondVersion, sampleAverages, samplePages, segmentOf } from './older-versions.ts';
import { deadSet, randomParts } from './random-segments.ts';

const averageLengths = sampleAverages;
const sample = readFileSync(new URL('../../samples/segments/version-2.seg', import.meta.url));

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

test('segments of versions 2 and 3 are merged into what the new pages would be packed into', () => {
  fc.assert(
    fc.property(randomParts, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (parts, areOlder) => {
      const living = parts.flatMap(({ pages, dead }) => pages.filter(({ id }) => !dead.has(id)));
      const sources = parts.map(({ pages, dead }, index) => {
        const file = buildSegment(pages, { averageLengths });
        const segment = segmentOf(areOlder[index] ? asSecondVersion(file) : file);
        return { segment, dead: deadSet(segment, dead) };
      });
      const merged = Buffer.from(mergeSegments(sources));
      expect(merged.equals(Buffer.from(buildSegment(living, { averageLengths })))).toBe(true);
    }),
    { numRuns: 200 },
  );
});
