import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PageMarks } from '../../../../src/index/page-marks.ts';
import { mergeSegments } from '../../../../src/index/segment/build/merge.ts';
import { joinPieces } from '../../../../src/index/segment/file-pieces.ts';
import { maxPositions } from '../../../../src/index/segment/marks/positions.ts';
import { openSegment, pageNumber, type Segment } from '../../../../src/index/segment/reader.ts';
import type { Page } from '../../../../src/page.ts';
import { chooseOccurrences, groupByWord } from '../../../../src/text/occurrences/choose-occurrences.ts';
import { type FoundTerm, findTerms, type TermWeights } from '../../../../src/text/occurrences/find-terms.ts';
import { addressOf } from '../../../../src/text/page-address.ts';
import { likenessOf } from '../../../../src/text/passages/likeness.ts';
import { examplePage } from '../../../pages.ts';
import { filled } from '../../../text/occurrences/found-terms.ts';
import { passageLists } from '../../../text/passages/passage-lists.ts';
import { chooseTerms, randomText, textLanguages } from '../../../text/random-text.ts';
import { packed } from '../random-segments.ts';

const averageLengths = [2, 3, 4, 20] as const;
const noLimits = { scanned: Number.POSITIVE_INFINITY, read: 0 };

function marksOf(segment: Segment, { id }: Page): PageMarks {
  const marks = segment.marksOf(pageNumber(segment, id));
  if (!marks) throw new Error('a page without marks');
  return marks;
}

/** The occurrences as `PageMarks` promises them, by looking through the whole text. */
function occurrencesIn(
  text: string,
  terms: TermWeights,
  lang: string,
  { perWord, most, scanned = text.length }: { perWord: number; most: number; scanned?: number },
): FoundTerm[] {
  const found = findTerms(text, terms, lang)
    .filter(({ start }) => start < scanned)
    .map((token) => ({ ...token, term: terms.has(token.term) ? token.term : token.word }));
  const { list, words } = groupByWord(found);
  const kept = words.map(({ from, to }) => ({ from, to: Math.min(to, from + maxPositions) }));
  return filled((into) => chooseOccurrences({ list, words: kept }, { perWord, terms: most }, into));
}

function expectHead(marks: PageMarks, page: Page): void {
  const { url, title, siteName, lang, publishedAt, crawledAt, linkShare, body } = page;
  expect({
    url: marks.url,
    address: marks.address,
    title: marks.title,
    siteName: marks.siteName,
    lang: marks.lang,
    publishedAt: marks.publishedAt,
    crawledAt: marks.crawledAt,
    linkShare: marks.linkShare,
    bodyLength: marks.bodyLength,
    likeness: marks.likeness,
  }).toEqual({
    url,
    address: addressOf(url),
    title: title.toWellFormed(),
    siteName: siteName?.toWellFormed() ?? null,
    lang,
    publishedAt,
    crawledAt,
    linkShare,
    bodyLength: body.length,
    likeness: likenessOf(title, body, body),
  });
}

function expectPassages(marks: PageMarks, { title, headings, body }: Page): void {
  const { sentences, nameLines } = passageLists({ title, headings, body });
  const found = sentences.flatMap((sentence, index) => {
    const before = sentences[index - 1];
    // Between two sentences, the next one is found.
    const from = [before?.end ?? 0, sentence.start, sentence.end - 1].map((at) => marks.sentences.from(at));
    const last = marks.sentences.before(sentence);
    return [...from, last ?? sentence.isFirst];
  });
  const expected = sentences.flatMap((sentence, index) => [
    sentence,
    sentence,
    sentence,
    sentence.isFirst || sentences[index - 1],
  ]);
  expect(found).toEqual(expected);
  expect(marks.sentences.from(sentences.at(-1)?.end ?? 0)).toBeUndefined();
  const starts = new Map(nameLines.map(({ start, nameEnd }) => [nameEnd, start]));
  const wrong: number[] = [];
  for (let end = 0; end <= body.length; end++)
    if (marks.nameLineEndingAt(end) !== starts.get(end)) wrong.push(end);
  expect(wrong).toEqual([]);
}

function expectOccurrences(marks: PageMarks, page: Page, terms: TermWeights): void {
  for (const field of ['headings', 'body'] as const) {
    for (const [perWord, most] of [
      [maxPositions, Number.POSITIVE_INFINITY],
      [2, 7],
    ] as const) {
      const limits = { ...noLimits, perWord, terms: most };
      const expected = occurrencesIn(page[field], terms, page.lang, { perWord, most });
      expect(filled((into) => marks.occurrences(field, terms, limits, into))).toEqual(expected);
      const scanned = expected[1]?.start ?? 0;
      expect(filled((into) => marks.occurrences(field, terms, { ...limits, scanned }, into))).toEqual(
        occurrencesIn(page[field], terms, page.lang, { perWord, most, scanned }),
      );
    }
  }
  const inTitle = findTerms(page.title, terms, page.lang).length > 0;
  expect(marks.mayHoldInTitle(terms)).toBe(inTitle);
}

const someText = fc.oneof(
  { weight: 3, arbitrary: randomText },
  {
    weight: 1,
    arbitrary: fc
      .tuple(randomText, fc.integer({ min: 20, max: 120 }))
      .map(([text, times]) => text.repeat(times)),
  },
);

const anyPage = fc
  .record({
    title: randomText,
    headings: randomText,
    body: someText,
    lang: fc.constantFrom(...textLanguages),
    siteName: fc.option(randomText),
    publishedAt: fc.option(fc.integer()),
    linkShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
    url: fc.constantFrom(
      'https://a.example/',
      'http://b.example:81/x/%C3%A9?q=1&r=%20',
      'https://b.example/y#z',
      'https://b.example/y?#z',
      'https://C.example/ü',
    ),
  })
  .map(({ linkShare, ...fields }) => ({ ...fields, ...(linkShare !== undefined && { linkShare }) }));

const anyPages = fc
  .array(anyPage, { minLength: 1, maxLength: 4 })
  .map((drawn) =>
    drawn.map((fields, n) => examplePage({ ...fields, url: fields.url.replace('example', `p${n}.example`) })),
  );

test('of two forms of a stem that begin together the longer one is first', () => {
  const page = examplePage({ url: 'https://a.example/', body: 'run runÉ', lang: 'nl' });
  const terms = new Map([['~run', 1]]);
  expectOccurrences(marksOf(packed([page], averageLengths), page), page, terms);
});

test('the marks of a packed page are those of its text', () => {
  const choices = fc.array(fc.nat(), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(anyPages, choices, (pages, chosen) => {
      const segment = packed(pages, averageLengths);
      for (const page of pages) {
        const marks = marksOf(segment, page);
        expectHead(marks, page);
        expectPassages(marks, page);
        const text = pages
          .map(({ title, headings, body }) => `${title} ${headings} ${body.slice(0, 500)}`)
          .join(' ');
        expectOccurrences(marks, page, chooseTerms(text, page.lang, chosen));
        expect(marks.text('body', 0, page.body.length)).toBe(page.body.toWellFormed());
        expect(marks.text('headings', 1, 9)).toBe(page.headings.toWellFormed().slice(1, 9));
      }
    }),
    { numRuns: 200 },
  );
});

const docs = new URL('../../../../docs/', import.meta.url);
const realPages = readdirSync(docs)
  .filter((file) => file.endsWith('.md'))
  .map((file) => {
    const body = readFileSync(new URL(file, docs), 'utf8');
    const headings = [...body.matchAll(/^#+ (.*)$/gm)].map(([, line]) => line).join('\n');
    return examplePage({ url: `https://docs.example/${file}`, title: file, headings, body });
  });

test('the marks of long real pages are those of their texts, merged or not', () => {
  const long = examplePage({
    url: 'https://long.example/',
    body: `${'fs.readFile() reads. '.repeat(9000)}\n${realPages
      .map(({ body }) => body)
      .join('\n')
      .repeat(2)}\nlast_name()`,
  });
  const pages = [...realPages, long];
  const halves = [pages.filter((_, n) => n % 2 === 0), pages.filter((_, n) => n % 2 === 1)];
  const merged = openSegment(
    joinPieces(mergeSegments(halves.map((half) => ({ segment: packed(half, averageLengths) })))).buffer,
  );
  if (merged.kind === 'damaged') throw new Error(merged.why);
  const terms = new Map([
    ['page', 2],
    ['~page', 1],
    ['~pack', 1.5],
    ['fs.readfile', 3],
    ['readfile', 1],
    ['the', 0.1],
    ['last_name', 1],
    ['index', 1],
    ['nowhere', 1],
  ]);
  for (const segment of [packed(pages, averageLengths), merged.segment]) {
    for (const page of pages) {
      const marks = marksOf(segment, page);
      expectHead(marks, page);
      expectOccurrences(marks, page, terms);
      expectPassages(marks, page);
      expect(marks.text('body', 5000, 5040)).toBe(page.body.slice(5000, 5040));
    }
    const marks = marksOf(segment, long);
    expect(marks.nameLineEndingAt(long.body.length - 2)).toBe(long.body.length - 'last_name()'.length);
  }
});
