import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTerms } from '../../../../src/index/page-terms.ts';
import {
  buildSegment,
  buildSegments,
  createSegmentBuilder,
} from '../../../../src/index/segment/build/builder.ts';
import { TermCounter } from '../../../../src/index/segment/build/terms/term-counter.ts';
import { joinPieces } from '../../../../src/index/segment/file-pieces.ts';
import { maxPositions } from '../../../../src/index/segment/marks/positions.ts';
import { openSegment } from '../../../../src/index/segment/reader.ts';
import { searchSegment } from '../../../../src/index/segment/search.ts';
import { TopK } from '../../../../src/index/segment/top-k.ts';
import { parseQuery } from '../../../../src/query/parser.ts';
import { locateTerms } from '../../../../src/text/terms.ts';
import { examplePage } from '../../../pages.ts';
import { randomParts } from '../random-segments.ts';

const averageLengths = [2, 3, 4, 20] as const;

test('the builder counts terms as the live tier does', () => {
  fc.assert(
    fc.property(randomParts, (parts) => {
      const counter = new TermCounter();
      for (const page of parts.flatMap(({ pages }) => pages)) {
        counter.count(page);
        const { lengths, frequencies } = countTerms(page);
        const counted = Array.from({ length: counter.size }, (_, slot) => [
          counter.table.termAt(counter.terms[slot] as number),
          [...counter.counts.subarray(4 * slot, 4 * slot + 4)],
        ]);
        expect(new Map(counted as [string, number[]][])).toEqual(frequencies);
        expect(counter.lengths).toEqual(lengths);
      }
    }),
  );
});

test('any text is counted as the live tier counts it, what was seen before and what was not', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'ab',
      'Ab',
      'v1.2.3',
      'don\u2019t',
      '\u6570\u636e\u5e93',
      '\u0e20\u0e32\u0e29\u0e32',
      '\ud867\ude3d\u6570',
      '\ud867',
      '\u302e\u6570',
      'x'.repeat(200),
    ),
    fc.constantFrom(' ', '.', '_', '+', '#', '\n', '\u0301'),
  );
  const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), fc.constantFrom('en', 'zh', 'de', 'ru'), (bodies, lang) => {
      const counter = new TermCounter();
      for (const body of [...bodies, ...bodies]) {
        const page = examplePage({ url: 'https://a.example/', title: body.slice(0, 9), body, lang });
        counter.count(page);
        const { lengths, frequencies } = countTerms(page);
        const counted = new Map(
          Array.from({ length: counter.size }, (_, slot) => [
            counter.table.termAt(counter.terms[slot] as number),
            [...counter.counts.subarray(4 * slot, 4 * slot + 4)],
          ]),
        );
        expect(counted).toEqual(frequencies);
        expect(counter.lengths).toEqual(lengths);
      }
    }),
  );
});

test('words of ASCII letters, digits and connectors are split and placed as texts are', () => {
  const part = fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', 'b', 'A', 'B', '1', '.', '_', '-', '/', ':', '@'),
      maxLength: 14,
    }),
    fc.constantFrom(
      'fs.readFile',
      'HTTPServer',
      'JavaScript',
      'theGitHub',
      'U.S.A',
      '1.2.3',
      'v3.x',
      '.NET',
      'C++',
    ),
    fc.constantFrom(
      'x'.repeat(63),
      'X'.repeat(64),
      'yZ'.repeat(40),
      'word1',
      'Word',
      'WORD',
      'Word2',
      'twelvelength',
    ),
    fc.constantFrom('.', '_', '::', "'s", ' ', ' '),
  );
  const texts = fc.array(
    fc.array(part, { maxLength: 30 }).map((parts) => parts.join('')),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(texts, (bodies) => {
      const counter = new TermCounter();
      for (const body of [...bodies, ...bodies]) {
        counter.count(examplePage({ url: 'https://a.example/', title: '', headings: '', body }));
        counter.positions.sort(2 * counter.exactTerms);
        expect(placesOf(counter)).toEqual(placesIn(body));
      }
    }),
  );
});

/** The first places of each term of a text. */
function placesIn(text: string): string[] {
  const counts = new Map<string, number>();
  return locateTerms(text)
    .filter(({ term }) => {
      const count = (counts.get(term) ?? 0) + 1;
      counts.set(term, count);
      return count <= maxPositions;
    })
    .map(({ term, start, end }) => `${term} ${start} ${end}`)
    .sort();
}

/** Where the terms of the last page stand in its body. */
function placesOf({ table, terms, exactTerms, positions }: TermCounter): string[] {
  const places: string[] = [];
  for (let slot = 0; slot < exactTerms; slot++) {
    const term = table.termAt(terms[slot] as number);
    for (let index = positions.startOf(2 * slot + 1); index < positions.endOf(2 * slot + 1); index++)
      places.push(`${term} ${positions.starts[index]} ${positions.ends[index]}`);
  }
  return places.sort();
}

test('the order in which pages come does not show in the file', () => {
  fc.assert(
    fc.property(randomParts, (parts) => {
      const pages = parts.flatMap(({ pages }) => pages);
      const one = buildSegment(pages, { averageLengths });
      expect(Buffer.from(buildSegment(pages.toReversed(), { averageLengths }))).toEqual(Buffer.from(one));
    }),
  );
});

test('one id twice is refused', () => {
  const page = examplePage({ url: 'https://a.example/' });
  expect(() => buildSegment([page, page], { averageLengths })).toThrow(RangeError);
});

test('a segment holds 65,536 pages and not one more', () => {
  const builder = createSegmentBuilder({ averageLengths });
  const pageAt = (n: number) => examplePage({ url: `https://a.example/${n}`, title: '', body: 'leaf' });
  for (let n = 0; n < 65_536; n++) builder.add(pageAt(n));
  expect(() => builder.add(pageAt(65_536))).toThrow(RangeError);
  expect(builder.postingCount()).toBeGreaterThan(65_536);
  const opened = openSegment(joinPieces(builder.finish()).buffer);
  if (opened.kind === 'damaged') throw new Error(opened.why);
  const { segment } = opened;
  for (const q of ['leaf', '-absent', 'leaf OR absent', 'site:a.example']) {
    const top = new TopK(3);
    expect(searchSegment(segment, { query: parseQuery(q), weights: new Map(), top })).toBe(65_536);
    expect(top.hits().map(({ id }) => id)).toEqual([0, 1, 2].map(segment.idOf));
  }
});

test('a segment ends when the texts of its pages have reached the limit', () => {
  const pages = Array.from({ length: 10 }, (_, n) =>
    examplePage({ url: `https://a.example/${n}`, body: n === 4 ? 'long '.repeat(100) : 'short' }),
  );
  const counts = [...buildSegments(pages, { averageLengths, textLimit: 100 })].map((file) => {
    const opened = openSegment(joinPieces(file).buffer);
    if (opened.kind === 'damaged') throw new Error(opened.why);
    return opened.segment.pageCount;
  });
  expect(counts).toEqual([5, 5]);
  expect([...buildSegments([], { averageLengths })]).toEqual([]);
});
