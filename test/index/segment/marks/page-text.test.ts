import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteSlabs } from '../../../../src/index/segment/marks/byte-slabs.ts';
import { locateText, readText, writePageText } from '../../../../src/index/segment/marks/page-text.ts';

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    'plain text ',
    'é',
    '数据库',
    '😀',
    '😀'.repeat(300),
    'a'.repeat(511),
    'ü'.repeat(700),
    '\n',
  ),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('any range of a stored text is that of the text', () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 20 }),
      (headings, body, cuts) => {
        const { bytes, lengths } = writePageText(headings, body, new ByteSlabs());
        const before = 7;
        const file = Buffer.concat([Buffer.alloc(before), bytes, Buffer.from('😀')]);
        const texts = { headings, body };
        for (const field of ['headings', 'body'] as const) {
          const whole = texts[field];
          const expected = whole.toWellFormed();
          const stored = locateText(before, lengths, field);
          expect(readText(file, stored, 0, whole.length)).toBe(expected);
          for (const [one, other] of cuts) {
            const [start, end] = [one % (whole.length + 5), other % (whole.length + 5)];
            expect(readText(file, stored, start, end).toWellFormed()).toBe(
              expected.slice(start, Math.max(start, end)).toWellFormed(),
            );
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a text whose lengths are forged is read within the file', () => {
  const { bytes, lengths } = writePageText('é'.repeat(2000), 'text', new ByteSlabs());
  const forged = locateText(3, { ...lengths, body: 1e9, bodyBytes: 4e9 }, 'body');
  expect(() => readText(Buffer.from(bytes), forged, 5e8, 6e8)).not.toThrow();
});
