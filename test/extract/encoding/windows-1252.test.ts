import { expect, test } from 'vitest';
import { decode } from '../../../src/extract/encoding/decode.ts';
import { decodeWindows1252, withoutC1Controls } from '../../../src/extract/encoding/windows-1252.ts';

const bytes = Uint8Array.of(0x93, 0x54, 0x68, 0x61, 0x74, 0x92, 0x73, 0x94, 0x20, 0x96, 0x20, 0x80, 0xe9);

test('windows-1252 has quotation marks, dashes and the euro where ISO 8859-1 has controls', () => {
  expect(decodeWindows1252(bytes)).toBe('“That’s” – €é');
});

test('a page in windows-1252 or ISO 8859-1 keeps them, whichever of the names it has', () => {
  for (const label of ['windows-1252', 'iso-8859-1', 'us-ascii']) {
    expect(decode(bytes, `text/html; charset=${label}`)).toMatchObject({
      kind: 'text',
      text: '“That’s” – €é',
    });
  }
});

test('controls in text are read as the bytes that they were; the five without a character stay', () => {
  expect(withoutC1Controls('a\u0085b\u0081c\u00a0d')).toBe('a…b\u0081c\u00a0d');
});
