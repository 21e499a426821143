import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildSegment } from '../../../../src/index/segment/build/builder.ts';
import { mergeSegments } from '../../../../src/index/segment/build/merge.ts';
import { joinPieces } from '../../../../src/index/segment/file-pieces.ts';
import { documentFrequency, openSegment, totalLengths } from '../../../../src/index/segment/reader.ts';
import { examplePage } from '../../../pages.ts';
import { corpusNumbers } from '../../brute-force.ts';
import { asFirstVersion } from '../older-versions.ts';
import { deadSet, packed, randomParts } from '../random-segments.ts';

const averageLengths = [2, 3, 4, 20] as const;
const page = (name: string) => examplePage({ url: `https://a.example/${name}`, body: `leaf ${name}` });

test('merged segments are, byte for byte, the segment of their living pages', () => {
  fc.assert(
    fc.property(randomParts, (parts) => {
      const living = parts.flatMap(({ pages, dead }) => pages.filter(({ id }) => !dead.has(id)));
      const sources = parts.map(({ pages, dead }) => {
        const segment = packed(pages, averageLengths);
        return { segment, dead: deadSet(segment, dead) };
      });
      expect(Buffer.from(joinPieces(mergeSegments(sources)))).toEqual(
        Buffer.from(buildSegment(living, { averageLengths })),
      );
    }),
    { numRuns: 300 },
  );
});

test('segments without dead pages need no set of them', () => {
  const merged = mergeSegments([
    { segment: packed([page('b')], averageLengths) },
    { segment: packed([page('a')], averageLengths) },
  ]);
  expect(Buffer.from(joinPieces(merged))).toEqual(
    Buffer.from(buildSegment([page('a'), page('b')], { averageLengths })),
  );
});

test('a segment of the first version is searched as it is, but not merged', () => {
  const opened = openSegment(asFirstVersion(buildSegment([page('a'), page('b')], { averageLengths })).buffer);
  if (opened.kind === 'damaged') throw new Error(opened.why);
  expect(documentFrequency(opened.segment, 'leaf')).toBe(2);
  expect(opened.segment.marksOf(0)).toBeUndefined();
  expect(() => mergeSegments([{ segment: opened.segment }])).toThrow(RangeError);
});

test('total lengths are those of the living pages', () => {
  fc.assert(
    fc.property(randomParts, (parts) => {
      for (const { pages, dead } of parts) {
        const living = pages.filter(({ id }) => !dead.has(id));
        const segment = packed(pages, averageLengths);
        const totals = totalLengths(segment, deadSet(segment, dead));
        const averages = totals.map((total) => total / Math.max(1, living.length));
        expect(averages).toEqual(corpusNumbers(living, { kind: 'all', of: [] }).averageLengths);
      }
    }),
  );
});

test('segments of different averages, or with one page twice, are refused', () => {
  const one = { segment: packed([page('a')], averageLengths) };
  const other = { segment: packed([page('b')], [9, 9, 9, 9]) };
  expect(() => mergeSegments([one, other])).toThrow(RangeError);
  expect(() => mergeSegments([one, one])).toThrow(RangeError);
  expect(() => mergeSegments([])).toThrow(RangeError);
});
