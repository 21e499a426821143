import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyMarks } from '../../../src/engine/marks/body-marks.ts';
import { MarkedText } from '../../../src/engine/marks/marked-text.ts';
import type { PageMarks } from '../../../src/index/page-marks.ts';
import { wholePage } from '../../../src/store/page/beginnings.ts';
import { examplePage } from '../../pages.ts';

const marksOf = (headings: string): PageMarks =>
  createBodyMarks(wholePage(examplePage({ url: 'https://a.example/', headings })));

test('every slice is that of the text, in whatever order they are read', () => {
  const slice = fc.tuple(fc.nat(120), fc.nat(20));
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), fc.array(slice), (headings, slices) => {
      const text = new MarkedText(marksOf(headings), 'headings', { before: 3, after: 5, maxAfter: 80 });
      for (const [start, length] of slices)
        expect(text.slice(start, start + length)).toBe(headings.slice(start, start + length));
    }),
  );
});

test('a text that is read bit by bit needs few readings', () => {
  const headings = 'A heading of a few words\n'.repeat(1000);
  const marks = marksOf(headings);
  let readings = 0;
  const counted: PageMarks = Object.assign(Object.create(marks), {
    text: (...range: Parameters<PageMarks['text']>) => {
      readings++;
      return marks.text(...range);
    },
  });
  const text = new MarkedText(counted, 'headings', { before: 10, after: 100, maxAfter: 1600 });
  let read = '';
  for (let start = 0; start < headings.length; start += 25) read += text.slice(start, start + 25);
  expect(read).toBe(headings);
  expect(readings).toBeLessThan(30);
});
