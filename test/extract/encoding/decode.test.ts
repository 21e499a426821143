import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decode } from '../../../src/extract/encoding/decode.ts';
import { isChineseGb } from '../../../src/extract/encoding/wrong-label.ts';

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

  test('detects an encoding that is not declared', () => {
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

  const czech = 'Příliš žluťoučký kůň úpěl ďábelské ódy';
  test.each([
    '<meta http-equiv="Content-Type" content="text/html; charset="iso-8859-2"">',
    '<meta http-equiv="Content-Type" content="text/html; charset=\'iso-8859-2\'">',
    '<meta content="charset"><meta charset="iso-8859-2">',
    '<meta content=charset=><!-- <meta charset="utf-8"> --><meta charset=iso-8859-2>',
    '<meta content="text/html; charset= "><meta http-equiv="content-type" content="a;charset=iso-8859-2">',
  ])('believes a declaration whatever becomes of its quotes: %s', (head) => {
    expect(text(page(encode(czech, 'iso-8859-2'), head))).toContain(czech);
  });

  test('never throws on what stands in a tag', () => {
    const parts =
      '<meta |charset|=|"|\'| |utf-8|utf-16|content|http-equiv=content-type|;|text/html|>|/|<!--|-->|\t'.split(
        '|',
      );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 14 }), (written) => {
        expect(text(Buffer.from(`<meta ${written.join('')}`))).not.toBe('undecodable');
      }),
      { numRuns: 3000 },
    );
  });

  test('refuses what is full of NULs', () => {
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, n) => (n % 3 === 0 ? 0 : 200 + (n % 40))));
    expect(text(bytes)).toBe('undecodable');
  });

  test.each([
    ['gbk', 'iso-8859-1', '数据库的索引是一种数据结构，用来快速查找数据。我们在这里说明它的用法和原理。'],
    ['gbk', 'shift_jis', '数据库的索引是一种数据结构，用来快速查找数据。我们在这里说明它的用法和原理。'],
    ['big5', 'gb2312', '資料庫的索引是一種資料結構，用來快速尋找資料。我們在這裡說明它的用法和原理。'],
    ['shift_jis', 'iso-8859-1', 'データベースの索引はデータ構造の一種で、データを速く探すために使われます。'],
    ['euc-jp', 'shift_jis', 'データベースの索引はデータ構造の一種で、データを速く探すために使われます。'],
    ['euc-kr', 'windows-1252', '데이터베이스의 색인은 자료 구조의 하나로 자료를 빨리 찾는 데 쓰인다.'],
    ['windows-1251', 'iso-8859-1', 'Индекс базы данных помогает быстро находить записи в больших таблицах.'],
  ])('recovers %s that is labelled %s', (actual, declared, sentence) => {
    const bytes = page(encode(sentence, actual));
    expect(text(bytes, `text/html; charset=${declared}`)).toContain(sentence);
    expect(text(bytes, `text/html; charset=${actual}`)).toContain(sentence);
  });

  test('reads UTF-8 with a broken character in it as UTF-8, whatever is declared', () => {
    const bytes = Buffer.concat([
      Buffer.from('<p>Grüße aus Zürich, schöne Städte. '.repeat(5)),
      Buffer.from([0xfc]),
    ]);
    expect(text(bytes, 'text/html; charset=ISO-8859-1')).toContain('Grüße aus Zürich');
  });

  test('does not take a few Latin letters that are called UTF-8 for UTF-8', () => {
    expect(text(Buffer.from('<p>Grüße aus Zürich</p>', 'latin1'), 'text/html; charset=utf-8')).toContain(
      'Grüße',
    );
  });
});

/** The inverse of a `TextDecoder` for encodings of one or two bytes. */
function encode(sentence: string, label: string): Buffer {
  const decoder = new TextDecoder(label);
  const bytesOf = new Map<string, number[]>();
  for (let first = 0; first < 256; first++) {
    bytesOf.set(decoder.decode(Uint8Array.of(first)), [first]);
    for (let second = 0x40; first >= 0x81 && second < 256; second++) {
      const character = decoder.decode(Uint8Array.of(first, second));
      if (character.length === 1 && !bytesOf.has(character)) bytesOf.set(character, [first, second]);
    }
  }
  return Buffer.from([...sentence].flatMap((character) => bytesOf.get(character) ?? []));
}

test('Chinese in GB 2312 is recognized by its bytes, Korean and Japanese are not taken for it', () => {
  // 新华社北京电记者从国务院办公厅获悉有关部门正在研究制定新的规定 in GB 2312, repeated.
  const gb = Buffer.from(
    'd0c2bbaac9e7b1b1bea9b5e7bcc7d5dfb4d3b9facef1d4bab0ecb9abccfcbbf1cfa4d3d0b9d8b2bfc3c5d5fdd4dad1d0bebfd6c6b6a8d0c2b5c4b9e6b6a8'.repeat(
      4,
    ),
    'hex',
  );
  expect(isChineseGb(gb)).toBe(true);
  expect(decode(gb, null)).toMatchObject({ kind: 'text', encoding: 'gb18030' });
  // 안녕하세요 반갑습니다 in EUC-KR and こんにちはせかい in EUC-JP, repeated.
  expect(isChineseGb(Buffer.from('bec8b3e7c7cfbcbcbfe420b9ddb0a9bdc0b4cfb4d920'.repeat(12), 'hex'))).toBe(
    false,
  );
  expect(isChineseGb(Buffer.from('a4b3a4f3a4cba4c1a4cfa4bba4aba4a4'.repeat(12), 'hex'))).toBe(false);
});
