import { describe, expect, test } from 'vitest';
import { docx, officeFile, oleOf, wordParagraph, zipOf } from './build-files.ts';
import { read, readDocument } from './read.ts';

const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const plan = docx(wordParagraph('A plan for herons'));

describe('a bomb ends in its name', () => {
  const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024, 0x20);

  test.each([
    ['one part of 80 MB', docx('', { 'word/document.xml': zeros(80) })],
    [
      'parts that are too much together',
      docx(wordParagraph('x'), { 'word/styles.xml': zeros(40), 'word/document.xml': zeros(40) }),
    ],
    [
      'shared strings of 80 MB',
      officeFile('xl', { 'xl/workbook.xml': '<workbook/>', 'xl/sharedStrings.xml': zeros(80) }),
    ],
    ['a mimetype of 80 MB', zipOf({ mimetype: zeros(80) })],
  ])('%s', (_, bytes) => {
    expect(bytes.length).toBeLessThan(1024 * 1024);
    expect(read(bytes, { contentType: docxType })).toBe('unpacks to too much');
  });

  test('elements a hundred thousand deep', () => {
    expect(read(docx('<w:sdt>'.repeat(100_000)), { contentType: docxType })).toBe('damaged file');
  });

  test('groups a hundred thousand deep', () => {
    expect(read(Buffer.from(`{\\rtf1 ${'{'.repeat(100_000)}`), { contentType: 'text/rtf' })).toBe(
      'damaged file',
    );
  });

  test('entities that multiply are not multiplied', () => {
    const entities = Array.from({ length: 30 }, (_, at) => `<!ENTITY e${at + 1} "&e${at};&e${at};">`).join(
      '',
    );
    const xml = `<!DOCTYPE x [<!ENTITY e0 "lol">${entities}]><w:document>${wordParagraph('&e30; fine')}</w:document>`;
    expect(readDocument(docx('', { 'word/document.xml': xml })).body).toMatch(/fine$/);
  });

  test('a table that repeats itself endlessly is cut, and so is a body without an end', () => {
    const sheet = `<table:table><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>7</text:p></table:table-cell></table:table-row></table:table>`;
    const { body } = readDocument(
      zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': sheet.repeat(50) }),
    );
    expect(body.length).toBeLessThan(1_000_000);
    const long = readDocument(docx(wordParagraph('heron '.repeat(1000)).repeat(1000))).body;
    expect(long.length).toBe(2_000_000);
  });
});

describe('a file that is cut off or damaged', () => {
  test.each([0.1, 0.5, 0.9, 0.99])('at %f of its length is called damaged', (share) => {
    const cut = plan.subarray(0, Math.floor(plan.length * share));
    expect(read(cut, { contentType: docxType })).toBe('damaged file');
  });

  test('OLE chains that turn in circles end', () => {
    const file = Buffer.from(oleOf({ WordDocument: Buffer.alloc(3000) }));
    // Each sector of the table says that the next one is the second.
    for (let at = 512; at < 1024; at += 4) file.writeUInt32LE(1, at);
    expect(read(file, { contentType: 'application/msword' })).toBe('damaged file');
  });

  test('any byte may be wrong, and none of them breaks the reader', () => {
    const files = [
      plan,
      oleOf({ WordDocument: Buffer.alloc(3000, 7), '0Table': Buffer.alloc(600, 9) }),
      oleOf({ Workbook: Buffer.alloc(3000, 5) }),
      oleOf({ 'PowerPoint Document': Buffer.alloc(3000, 15) }),
    ];
    let seed = 1;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (const file of files) {
      for (let round = 0; round < 150; round++) {
        const damaged = Uint8Array.from(file);
        for (let at = 0; at < 8; at++) damaged[next(damaged.length)] = next(256);
        const page = read(damaged, { contentType: docxType });
        if (typeof page === 'string')
          expect([
            'damaged file',
            'encrypted',
            'unsupported type',
            'no text',
            'unpacks to too much',
          ]).toContain(page);
        else expect(page.body.length).toBeLessThan(100_000);
      }
    }
  });
});

describe('a lock is called encrypted', () => {
  test.each([
    ['Office', oleOf({ EncryptionInfo: 'x', EncryptedPackage: 'x' })],
    ['rights management', oleOf({ '\u0009DRMContent': 'x' })],
    [
      'OpenDocument',
      zipOf({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'META-INF/manifest.xml': '<manifest:encryption-data/>',
        'content.xml': 'x',
      }),
    ],
    [
      'a book',
      zipOf({
        mimetype: 'application/epub+zip',
        'META-INF/encryption.xml':
          '<EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>',
      }),
    ],
  ])('by %s', (_, bytes) => {
    expect(read(bytes)).toBe('encrypted');
  });
});

describe('a wrong label', () => {
  test.each(['text/html', 'application/pdf', 'application/msword', 'text/plain', null])(
    'does not hide a docx that is served as %s',
    (contentType) => {
      expect(read(plan, { contentType })).toMatchObject({ fileType: 'docx', body: 'A plan for herons' });
    },
  );

  test('does not make a document of a page that is sent in its place', () => {
    const html = Buffer.from(
      '<!doctype html><html><title>Gone</title><body><p>That file is gone.</p></body></html>',
    );
    expect(read(html, { contentType: 'application/pdf' })).toMatchObject({ fileType: 'html', title: 'Gone' });
  });

  test.each([
    ['words', 'just words', docxType, 'damaged file'],
    ['words at the address of a document', 'just words', 'application/octet-stream', 'damaged file'],
    ['an archive of something else', zipOf({ 'a.txt': 'x' }), 'application/zip', 'unsupported type'],
    ['an OLE file of something else', oleOf({ Contents: 'x' }), 'application/msword', 'unsupported type'],
  ])('on %s has its own name', (_, bytes, contentType, why) => {
    expect(read(Buffer.from(bytes), { contentType, url: 'https://x.example/plan.docx' })).toBe(why);
  });

  test('words about PDF files are no PDF', () => {
    const text = 'Every PDF begins with %PDF-1.4 or the like, and an obj follows.';
    expect(read(Buffer.from(text), { contentType: 'text/plain' })).toMatchObject({ fileType: 'text' });
  });
});

test('a file without a word in it, and without a title, holds no text', () => {
  expect(read(docx(''))).toBe('no text');
});
