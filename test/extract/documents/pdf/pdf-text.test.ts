import { expect, test } from 'vitest';
import { linesOf } from '../../../../src/extract/documents/pdf/pdf-lines.ts';
import { type PdfLine, writePdfText } from '../../../../src/extract/documents/pdf/pdf-text.ts';

const item = (str: string, x: number, y: number, more = {}) => ({
  str,
  width: str.length * 5,
  height: 10,
  hasEOL: false,
  dir: 'ltr',
  transform: [10, 0, 0, 10, x, y],
  ...more,
});
const line = (text: string, y: number, more: Partial<PdfLine> = {}): PdfLine => ({
  text,
  x: 72,
  y,
  size: 10,
  ...more,
});
const bodyOf = (...pages: PdfLine[][]) => writePdfText(pages, []).body;

test('items of a line are joined by their gaps: none, a word, a cell', () => {
  const texts = linesOf([
    item('Her', 0, 700),
    item('ons', 15, 700),
    item('stand', 34, 700),
    item('17', 120, 700, { hasEOL: true }),
    item('below', 0, 688),
  ]).map(({ text }) => text);
  expect(texts).toEqual(['Herons stand\t17', 'below']);
});

test('the end of a cell is no end of a line', () => {
  const texts = linesOf([item('Year', 0, 700, { hasEOL: true }), item('2024', 100, 700)]).map(
    ({ text }) => text,
  );
  expect(texts).toEqual(['Year\t2024']);
});

test('text that runs to the left has its gaps on the other side', () => {
  const texts = linesOf([
    item('لغة', 100, 700, { dir: 'rtl', width: 15 }),
    item('R', 90, 700, { width: 5 }),
    item('و', 82, 700, { dir: 'rtl', width: 5 }),
  ]).map(({ text }) => text);
  expect(texts).toEqual(['لغة R و']);
});

test('dots that lead to a page number part it from its title', () => {
  expect(linesOf([item('Herons . . . . . . . . 7', 0, 700)]).map(({ text }) => text)).toEqual(['Herons\t7']);
});

test('lines are one paragraph until a gap, a sign or a row; a cut word is whole again', () => {
  expect(
    bodyOf([
      line('The heron stands still and hunt-', 700),
      line('ed by multi-stage plans. A multi-', 688),
      line('stage plan takes time.', 676),
      line('Another paragraph.', 640),
      line('• an item', 628),
      line('a\tb', 616),
      line('c\td', 604),
    ]),
  ).toBe(
    'The heron stands still and hunted by multi-stage plans. A multi-stage plan takes time.\n\nAnother paragraph.\n\n- an item\n\na\tb\nc\td',
  );
});

test('a sentence goes on over a column and a page, a finished one does not', () => {
  expect(bodyOf([line('It goes on', 100)], [line('over the page.', 700), line('New one.', 640)])).toBe(
    'It goes on over the page.\n\nNew one.',
  );
});

test('running titles and page numbers are left out when they come back', () => {
  const pages = [1, 2, 3, 4].map((number) => [
    line(`Annual report ${number}`, 780),
    line(`Text of page number ${'abcd'[number - 1]} is here.`, 700),
    line(`More of page number ${'abcd'[number - 1]} is there.`, 660),
    line(`${number}`, 20),
  ]);
  expect(bodyOf(...pages)).not.toMatch(/Annual|^\d$/m);
  expect(bodyOf(...pages)).toContain('Text of page number c is here.');
});

test('larger letters and the titles of the outline are headings', () => {
  const pages = [
    [line('Herons', 700, { size: 20 }), line('Method', 640), line('We counted them all, twice over.', 600)],
  ];
  expect(writePdfText(pages, ['Method'])).toMatchObject({
    headings: ['Herons', 'Method'],
    shownTitle: 'Herons',
  });
});

test('what repeats on the pages of a short document is the document', () => {
  const label = (n: number) => [
    { text: `Sample ${n}`, x: 50, y: 700, size: 10 },
    { text: 'Keep cold and dry', x: 50, y: 680, size: 10 },
  ];
  expect(writePdfText([1, 2, 3, 4].map(label), []).body).toContain('Keep cold and dry');
});
