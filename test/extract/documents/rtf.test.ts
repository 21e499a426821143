import { expect, test } from 'vitest';
import { readDocument } from './read.ts';

const rtf = (body: string, head = '') =>
  readDocument(Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\uc1${head} ${body}}`, 'latin1'));

test('paragraphs, items, rows and headings stand on lines of their own', () => {
  const { body, headings, fileType } = rtf(
    `\\pard\\s1 Herons\\par\\pard One\\line two\\par {\\listtext\\'b7\\tab}\\pard\\ls1 item\\par
\\pard\\intbl a\\cell b\\cell\\row\\pard End{\\*\\unknown gone}{\\header top}{\\v hidden}\\par`,
    '{\\stylesheet{\\s1 heading 1;}}',
  );
  expect(fileType).toBe('rtf');
  expect(headings).toBe('');
  expect(body).toBe('Herons\n\nOne\ntwo\n\n- item\n\na\tb\n\nEnd');
});

test('bytes are read in the code page of their font, and Unicode stands before its fallback', () => {
  const fonts = '{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}{\\f2\\fcharset128 C;}}';
  expect(
    rtf(`\\f1\\'cf\\'f0\\'e8 \\f2\\'82\\'b1 \\f0\\'93x\\'94 \\u8364?\\uc2\\u-10179??\\u-8704??!`, fonts).body,
  ).toBe('При こ “x” €😀!');
});

test('the information group gives title, author and date', () => {
  const page = rtf('Text', '{\\info{\\title Plan}{\\author Ada Byron}{\\creatim\\yr2024\\mo3\\dy5\\hr10}}');
  expect(page).toMatchObject({ title: 'Plan', author: 'Ada Byron', body: 'Text' });
  expect(page.publishedAt).toBe(Date.UTC(2024, 2, 5, 10));
});

test('raw bytes in it are passed over, whatever they look like', () => {
  expect(rtf('a{\\pict\\bin6 }}{\\x }b').body).toBe('ab');
});

test('a sign in the middle of a group loses nothing of it', () => {
  expect(rtf('One {two \\*\\b three} four').body).toBe('One two three four');
});
