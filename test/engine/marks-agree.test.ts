import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyMarks } from '../../src/engine/marks/body-marks.ts';
import type { PageMarks } from '../../src/index/page-marks.ts';
import { maxPositions } from '../../src/index/segment/marks/positions.ts';
import { pageNumber } from '../../src/index/segment/reader.ts';
import type { Page } from '../../src/page.ts';
import { wholePage } from '../../src/store/page/beginnings.ts';
import type { FoundTerm, TermWeights } from '../../src/text/occurrences/find-terms.ts';
import type { SentenceMark } from '../../src/text/passages/sentence-table.ts';
import { packed } from '../index/segment/random-segments.ts';
import { examplePage } from '../pages.ts';
import { filled } from '../text/occurrences/found-terms.ts';
import { chooseTerms, randomText, textLanguages } from '../text/random-text.ts';

const line = fc.constantFrom(
  '\nfs.readFile(path)\n',
  '\n- first item. With two sentences!\n',
  '\nsys.argv — the arguments\n',
  '\nChapter 3. Names of parts\n',
  '\nMr. Fox ran. He has run since, and runs still.\n',
);
const text = fc.array(fc.oneof(randomText, line), { maxLength: 12 }).map((parts) => parts.join(''));

const anyPage = fc
  .record({
    title: randomText,
    headings: text,
    body: text,
    lang: fc.constantFrom(...textLanguages),
    siteName: fc.option(randomText),
    publishedAt: fc.option(fc.integer()),
  })
  // UTF-8, in which segments keep texts, has no halves of characters.
  .map(({ title, headings, body, siteName, ...rest }) =>
    examplePage({
      ...rest,
      url: 'https://a.example/x?q=1',
      title: title.toWellFormed(),
      headings: headings.toWellFormed(),
      body: body.toWellFormed(),
      siteName: siteName?.toWellFormed() ?? null,
    }),
  );

/** The first occurrences of each word. A text that is looked through may give more of them, within one compound. */
function firstOf(found: readonly FoundTerm[], perWord: number): FoundTerm[] {
  const counts = new Map<string, number>();
  return found.filter(({ word }) => {
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    return count <= perWord;
  });
}

function countsByWord(found: readonly FoundTerm[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { word } of found) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** All that ranking and snippets may ask, with the answers. */
function answers(marks: PageMarks, { headings, body }: Page, terms: TermWeights) {
  const { url, address, title, siteName, lang, publishedAt, crawledAt, linkShare, likeness, bodyLength } =
    marks;
  const occurrences = (field: 'headings' | 'body', perWord: number) => {
    const limits = {
      perWord,
      terms: Number.POSITIVE_INFINITY,
      scanned: Number.POSITIVE_INFINITY,
      read: Number.POSITIVE_INFINITY,
    };
    // A form that the query has as its stem alone may go by the name of the stem.
    const all = filled((into) => marks.occurrences(field, terms, limits, into));
    return firstOf(all, perWord).map((found) => ({
      ...found,
      term: terms.has(found.term) ? found.term : found.word,
    }));
  };
  /** All, and a choice of them: from a text it is made of eight times as many as are wanted. */
  const bothOf = (field: 'headings' | 'body') => {
    const all = occurrences(field, maxPositions);
    const most = Math.max(0, ...countsByWord(all).values());
    return [all, occurrences(field, most <= 16 ? 2 : maxPositions / 8)];
  };
  const sentences: (SentenceMark | undefined)[] = [];
  for (let at = marks.sentences.from(0); at; at = marks.sentences.from(at.end))
    sentences.push(at, marks.sentences.before(at));
  return {
    head: { url, address, title, siteName, lang, publishedAt, crawledAt, linkShare, likeness, bodyLength },
    headings: bothOf('headings'),
    body: bothOf('body'),
    texts: [marks.text('headings', 0, headings.length), marks.text('body', 0, body.length)],
    sentences,
    nameLines: Array.from({ length: body.length + 1 }, (_, end) => marks.nameLineEndingAt(end)),
  };
}

/** Packs a page alone and asks both kinds of its marks for terms that its text has. */
function expectAgreement(page: Page, chosen: readonly number[]): void {
  const segment = packed([page], [2, 3, 4, 20]);
  const packedMarks = segment.marksOf(pageNumber(segment, page.id));
  if (!packedMarks) throw new Error('a page without marks');
  const terms = chooseTerms(`${page.title} ${page.headings} ${page.body}`, page.lang, chosen);
  expect(answers(packedMarks, page, terms)).toEqual(answers(createBodyMarks(wholePage(page)), page, terms));
}

test('a page answers alike from its marks and from its text', () => {
  fc.assert(fc.property(anyPage, fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), expectAgreement), {
    numRuns: 300,
  });
});

test.each(['en', 'ar'])('so does one whose long words are cut to the same term, in %s', (lang) => {
  const word = `${'x'.repeat(70)}C++17x`;
  const url = 'https://a.example/x';
  const page = examplePage({ url, lang, body: `${word} and ${word}`, headings: `${word}AbcAbc` });
  for (let choice = 0; choice < 12; choice++) expectAgreement(page, [choice]);
});
