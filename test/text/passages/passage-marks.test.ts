import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameLineEndingIn } from '../../../src/text/passages/name-line.ts';
import { sentenceCodes, sentenceKind, sentenceQuality } from '../../../src/text/passages/sentence-code.ts';
import { createSentenceTable } from '../../../src/text/passages/sentence-table.ts';
import { passageLists } from './passage-lists.ts';

const piece = fc.constantFrom(
  ...[
    'heron',
    'Heron',
    'pond.',
    'e.g.',
    '3.14',
    'fs.readFile',
    '没有内容',
    '。',
    '？',
    '树',
    '𠮷',
    '😀',
    '\ud800',
  ],
  ...[
    '. ',
    '! ',
    '\n',
    '\n\n',
    '\n- ',
    '\n  • ',
    '\t',
    ' ',
    '  ',
    ': ',
    ' (',
    ')',
    ' — ',
    '\r\n',
    '\u2028',
    '1. ',
  ],
  ...[
    'a line that is long enough to have been wrapped',
    'x'.repeat(60),
    'classmethod Pond.heron(nest)',
    '--follow',
    'Chapter 3. ',
    'appendix\tB.',
    'y'.repeat(35),
    ' '.repeat(45),
  ],
  ...['”', '»', '」', '！', '।', '՞', '؟', '…', '?!', '...', ' - ', '= ', '{', ' :', '·\t', '— ', '\u00a0'],
  ...[
    'J. R.',
    'Prof. ',
    'vgl.',
    'см.',
    'I.',
    '12.',
    ' 1.2.3. ',
    '𐐨𐐨',
    '𐐀',
    'Ёж',
    'не',
    'और।',
    'نهاية۔',
    'ﬁn',
  ],
  ...['e\u0301', 'İ', 'ΣΑΣ', 'が', 'ｶﾞ', '각', '1st', 'K', '#', '¶', '漢字かな交じり文'],
);
const text = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(''));
/** Titles and headings are often lines of the body, and pages add to them. */
const source = fc
  .tuple(text, text, text, fc.array(fc.nat({ max: 30 }), { maxLength: 4 }))
  .map(([body, title, own, picks]) => {
    const lines = body.split('\n');
    const picked = picks.map((pick) => lines[pick % lines.length] as string);
    const headings = [...picked.map((line) => line.toUpperCase()), own].join('\n');
    return { body, title: picked.length > 2 ? `${picked[0]} ${title}` : title, headings };
  });

test('the sentences of one pass are those that a table finds for each offset', () => {
  fc.assert(
    fc.property(source, (page) => {
      const { sentences } = passageLists(page);
      const table = createSentenceTable(page);
      for (let offset = 0; offset <= page.body.length; offset++)
        expect(table.from(offset)).toEqual(sentences.find(({ end }) => end > offset));
      for (const [index, sentence] of sentences.entries())
        expect(table.before(sentence)).toEqual(sentence.isFirst ? undefined : sentences[index - 1]);
    }),
  );
});

test('the name lines of one pass are those that are found by the end of a name', () => {
  fc.assert(
    fc.property(text, (body) => {
      const { nameLines } = passageLists({ body });
      for (let end = 0; end <= body.length; end++)
        expect(nameLineEndingIn(body, end)).toBe(nameLines.find(({ nameEnd }) => nameEnd === end)?.start);
    }),
  );
});

test.each([
  ['fs.readFile(path) reads a file', 'fs.readFile'],
  ['2.1. Herons', '2.1. Herons'],
  ['--follow: go on', '--follow'],
  ['Call create_task(coro) for it.', undefined],
  ['A pond without any bird.', undefined],
  [`${'x'.repeat(101)}(y)`, undefined],
])('the name that the line %s begins with is %s', (line, name) => {
  const body = `Birds.\n${line}\n`;
  const [found] = passageLists({ body }).nameLines.filter(({ start }) => start === 7);
  expect(found && body.slice(found.start, found.nameEnd)).toBe(name);
});

test('a code tells the kind and the quality of a sentence, and fits into seven bits', () => {
  const body = 'Ponds\n\nA heron stands in the shallow water of the pond.\n\n- nest\n- eggs\t3';
  const { sentences } = passageLists({ body, headings: 'Ponds' });
  expect(sentences.map(({ code }) => sentenceKind(code))).toEqual(['heading', 'text', 'item', 'item']);
  expect(sentences.map(({ code }) => sentenceQuality(code))).toEqual([
    0.5,
    1 - 0.1 * (1 - 48 / 120),
    0.6,
    0.6,
  ]);
  expect(sentenceCodes).toBeLessThan(128);
});
