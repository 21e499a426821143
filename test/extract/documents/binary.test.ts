import { expect, test } from 'vitest';
import { oleOf } from './build-files.ts';
import { read, readDocument } from './read.ts';

const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);

/** A Word 97 file: header, text in one piece of windows-1252, no styles. */
function doc(text: string, flags = 0): Uint8Array {
  const header = Buffer.alloc(0x200);
  header.writeUInt16LE(0xa5ec, 0);
  header.writeUInt16LE(193, 2);
  header.writeUInt16LE(flags | 0x0200, 0x0a);
  header.writeUInt32LE(text.length, 0x4c);
  header.writeUInt32LE(0, 0x1a2);
  header.writeUInt32LE(21, 0x1a6);
  const pieces = Buffer.concat([
    Buffer.of(2),
    u32(16),
    u32(0, text.length),
    u16(0),
    u32(0x40000000 | (0x200 * 2)),
    u16(0),
  ]);
  return oleOf({ WordDocument: Buffer.concat([header, Buffer.from(text, 'latin1')]), '1Table': pieces });
}

test('a doc gives the result of a field, not its instruction, and the marks of its author', () => {
  const page = readDocument(
    doc('Herons\rSee \x13 HYPERLINK "x" \x14the reeds\x15 \x93now\x94\x0bhere\ra\x07b\x07\x07end\r'),
  );
  expect(page).toMatchObject({ fileType: 'doc', title: 'Herons' });
  expect(page.body).toBe('Herons\n\nSee the reeds “now”\nhere\n\na\tb\n\nend');
});

test('an encrypted doc is called that', () => {
  expect(read(doc('x\r', 0x0100))).toBe('encrypted');
});

const record = (type: number, data: Uint8Array) => Buffer.concat([u16(type, data.length), data]);

function xls(...more: Buffer[]): Uint8Array {
  const strings = Buffer.concat([
    u32(2, 2),
    u16(3),
    Buffer.of(0),
    Buffer.from('Day'),
    u16(4),
    Buffer.of(1),
    u16(0x9dfa, 0x65e5),
  ]);
  return oleOf({
    Workbook: Buffer.concat([
      record(0x809, Buffer.concat([u16(0x600, 5), Buffer.alloc(12)])),
      ...more,
      record(0x85, Buffer.concat([u32(0), u16(0), Buffer.of(6, 0), Buffer.from('Herons')])),
      record(0xe0, u16(0, 14)),
      record(0xfc, strings),
      // The second string goes on in a part that has a width of its own.
      record(0x3c, Buffer.concat([Buffer.of(0), Buffer.from('ab')])),
      record(0x0a, Buffer.alloc(0)),
      record(0x809, Buffer.concat([u16(0x600, 0x10), Buffer.alloc(12)])),
      record(0x27e, Buffer.concat([u16(1, 0, 0), u32((45356 << 2) | 2)])),
      record(0xfd, Buffer.concat([u16(0, 0, 0), u32(0)])),
      record(0xfd, Buffer.concat([u16(0, 2, 0), u32(1)])),
      record(0x0a, Buffer.alloc(0)),
    ]),
  });
}

test('an xls shows rows from the top, dates as dates, strings over several records', () => {
  const page = readDocument(xls());
  expect(page).toMatchObject({ fileType: 'xls', title: 'Herons' });
  expect(page.body).toBe('Herons\n\nDay\t\t鷺日ab\n2024-03-05');
});

test('an encrypted xls is called that', () => {
  expect(read(xls(record(0x2f, Buffer.alloc(6))))).toBe('encrypted');
});

test('a ppt without its lists still gives the text that it holds', () => {
  const atom = (type: number, data: Uint8Array) => Buffer.concat([u16(0, type), u32(data.length), data]);
  const stream = Buffer.concat([
    atom(4000, Buffer.from('Herons', 'utf16le')),
    atom(4008, Buffer.from('One\rTwo', 'latin1')),
    atom(4008, Buffer.from('*')),
  ]);
  expect(readDocument(oleOf({ 'PowerPoint Document': stream }))).toMatchObject({
    fileType: 'ppt',
    body: 'Herons\n\nOne\n\nTwo',
  });
});
