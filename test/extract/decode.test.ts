import { describe, expect, test } from 'vitest';
import { decode } from '../../src/extract/decode.ts';

const text = (bytes: Uint8Array, contentType: string | null = null) => {
  const decoded = decode(bytes, contentType);
  return decoded.kind === 'text' ? decoded.text : decoded.kind;
};
/** 数据库的索引是一种数据结构 in GBK, repeated so that there is something to detect. */
const gbk = Buffer.from(
  'cafdbedda1b5c4cbf7d2fdcac7d2bbd6d6cafdbeddbde1b9b9'.replace('a1b5', 'bfe2b5'),
  'hex',
);
const chinese = '数据库的索引是一种数据结构';
const page = (bytes: Uint8Array, head = '') =>
  Buffer.concat([
    Buffer.from(`<html><head>${head}</head><body>`),
    ...Array.from({ length: 20 }, () => bytes),
    Buffer.from('</body></html>'),
  ]);

describe('decode', () => {
  test('believes the header', () => {
    expect(text(page(gbk), 'text/html; charset=GBK')).toContain(chinese);
  });

  test('believes a meta tag', () => {
    expect(text(page(gbk, '<meta http-equiv="Content-Type" content="text/html; charset=gb2312">'))).toContain(
      chinese,
    );
  });

  test('detects what nobody declares', () => {
    expect(text(page(gbk))).toContain(chinese);
  });

  test('detects when the declared encoding does not fit', () => {
    expect(text(page(gbk), 'text/html; charset=utf-8')).toContain(chinese);
  });

  test('takes valid UTF-8 for what it is, whatever the header says', () => {
    expect(text(Buffer.from('<p>Grüße aus Zürich</p>'), 'text/html; charset=ISO-8859-1')).toContain(
      'Grüße aus Zürich',
    );
  });

  test('reads Latin-1 without a declaration', () => {
    expect(text(Buffer.from('<p>Grüße aus Zürich, schöne Städte und Flüsse</p>', 'latin1'))).toContain(
      'Grüße aus Zürich',
    );
  });

  test('follows a byte order mark before all else', () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<p>hello there</p>', 'utf16le')]);
    expect(text(utf16, 'text/html; charset=utf-8')).toBe('<p>hello there</p>');
  });

  test('sees UTF-16 without a byte order mark', () => {
    expect(text(Buffer.from('<html><p>hello there</p></html>', 'utf16le'))).toContain('hello there');
  });

  test('forgives a cut in the middle of a character', () => {
    expect(
      text(Buffer.from('<p>Zürich Grüße ü'.repeat(20)).subarray(0, -1), 'text/html; charset=utf-8'),
    ).toContain('Grüße');
  });

  test('ignores an encoding that does not exist', () => {
    expect(text(Buffer.from('<p>plain</p>'), 'text/html; charset=klingon')).toBe('<p>plain</p>');
  });

  test('refuses what is full of NULs', () => {
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, n) => (n % 3 === 0 ? 0 : 200 + (n % 40))));
    expect(text(bytes)).toBe('undecodable');
  });
});
