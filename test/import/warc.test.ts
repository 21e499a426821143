import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ArchiveItem } from '../../src/import/warc.ts';
import { readWarc } from '../../src/import/warc.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { response, warcRecord } from './warc-record.ts';

const maxBytes = 100_000;

async function read(bytes: Uint8Array, name = 'a.warc'): Promise<ArchiveItem[]> {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, bytes);
  const items: ArchiveItem[] = [];
  for await (const item of readWarc(path, maxBytes)) items.push(item);
  return items;
}
const texts = (items: readonly ArchiveItem[]) =>
  items.map((item) =>
    item.kind === 'document'
      ? `${item.url} ${Buffer.from(item.bytes).toString()}`
      : item.kind === 'damaged'
        ? `damaged (${item.why})`
        : `${item.url} (${item.why})`,
  );

const other = (type: string) =>
  warcRecord({ 'WARC-Type': type, 'WARC-Target-URI': 'https://a.example/' }, 'GET / HTTP/1.1\r\n\r\n');

describe('a WARC file', () => {
  test('gives its answers with address, type and time, counts what is no page, and reads no other record', async () => {
    const items = await read(
      Buffer.concat([
        warcRecord({ 'WARC-Type': 'warcinfo' }, 'software: x\r\n'),
        other('request'),
        response('https://a.example/', 'one', ['X-Robots-Tag: noindex']),
        other('metadata'),
        other('revisit'),
        response('https://a.example/robots.txt', 'User-agent: *'),
        warcRecord({ 'WARC-Type': 'response', 'WARC-Target-URI': 'dns:a.example' }, '1.2.3.4'),
      ]),
    );
    expect(items).toEqual([
      {
        kind: 'document',
        url: 'https://a.example/',
        bytes: Buffer.from('one'),
        contentType: 'text/html; charset=utf-8',
        crawledAt: Date.parse('2026-02-03T04:05:06Z'),
        robotsTag: 'noindex',
      },
      { kind: 'refused', url: 'https://a.example/robots.txt', why: 'robots.txt' },
      { kind: 'refused', url: 'dns:a.example', why: 'not the address of a page' },
    ]);
  });

  test('may be gzipped record by record, as a whole, or not, whatever its name', async () => {
    const records = ['1', '2', '3'].map((n) => response(`https://a.example/${n}`, n));
    const expected = ['1', '2', '3'].map((n) => `https://a.example/${n} ${n}`);
    expect(texts(await read(Buffer.concat(records)))).toEqual(expected);
    expect(texts(await read(gzipSync(Buffer.concat(records))))).toEqual(expected);
    const each = Buffer.concat(records.map((record) => gzipSync(record)));
    expect(texts(await read(each, 'a.warc.gz'))).toEqual(expected);
  });

  test('may have the oddities of Wget and of Common Crawl', async () => {
    const items = await read(
      Buffer.concat([
        response('<https://a.example/angle>', 'brackets'),
        warcRecord(
          {
            'WARC-Type': 'conversion',
            'WARC-Target-URI': 'https://a.example/wet',
            'Content-Type': 'text/plain',
          },
          'a text',
        ),
        warcRecord(
          {
            'WARC-Type': 'resource',
            'WARC-Target-URI': 'metadata://gnu.org/software/wget/warc/wget.log',
            'Content-Type': 'text/plain',
          },
          'a log',
        ),
      ]),
    );
    expect(texts(items)).toEqual([
      'https://a.example/angle brackets',
      'https://a.example/wet a text',
      'metadata://gnu.org/software/wget/warc/wget.log (not the address of a page)',
    ]);
  });

  test('has its bodies put together and unpacked, also where that was done before', async () => {
    const chunked = '5;x=y\r\nhello\r\n6\r\n world\r\n0\r\n\r\n';
    const items = await read(
      Buffer.concat([
        response('https://a.example/1', chunked, ['Transfer-Encoding: chunked']),
        response('https://a.example/2', gzipSync('packed'), ['Content-Encoding: gzip']),
        response('https://a.example/3', deflateSync('packed'), ['content-encoding: deflate']),
        response('https://a.example/4', 'plain', ['Content-Encoding: gzip', 'Transfer-Encoding: chunked']),
        response('https://a.example/5', chunked.slice(0, 12), ['Transfer-Encoding: chunked']),
      ]),
    );
    expect(texts(items)).toEqual([
      'https://a.example/1 hello world',
      'https://a.example/2 packed',
      'https://a.example/3 packed',
      'https://a.example/4 plain',
      'https://a.example/5 hello',
    ]);
  });

  test('says of each answer that is no page why', async () => {
    const items = await read(
      Buffer.concat([
        response('https://a.example/gone', 'x', [], '404 Not Found'),
        response('https://a.example/bomb', gzipSync(Buffer.alloc(1_000_000)), ['Content-Encoding: gzip']),
        response('https://a.example/large', 'x'.repeat(2_000_000)),
        warcRecord({ 'WARC-Type': 'response', 'WARC-Target-URI': 'https://a.example/not' }, 'not HTTP'),
        response('https://a.example/', 'still read'),
      ]),
    );
    expect(texts(items)).toEqual([
      'https://a.example/gone (status 404)',
      'https://a.example/bomb (too large)',
      'https://a.example/large (too large)',
      'https://a.example/not (not valid HTTP)',
      'https://a.example/ still read',
    ]);
  });
});

describe('an archive that is', () => {
  const two = Buffer.concat([response('https://a.example/1', 'one'), response('https://a.example/2', 'two')]);

  test.each([
    ['plain', (length: number) => two.subarray(0, length), two.length],
    ['gzipped', (length: number) => gzipSync(two).subarray(0, length), gzipSync(two).length],
  ])('cut short (%s) gives what is whole, and says so', async (_, cut, length) => {
    for (let end = 1; end < length; end += 7) {
      const items = await read(cut(end));
      const said = texts(items);
      const last = said.at(-1) ?? '';
      const whole = said.filter((text) => !text.startsWith('damaged'));
      expect(['https://a.example/1 one', 'https://a.example/2 two'].slice(0, whole.length)).toEqual(whole);
      if (whole.length < 2 && items.length > whole.length)
        expect(last).toMatch(/^damaged \((cut short|not a WARC record)\)$/);
    }
  });

  test.each([
    ['no archive', Buffer.from('<html>\n\n</html>'), 'not a WARC record'],
    [
      'binary junk',
      Buffer.from(Array.from({ length: 4000 }, (_, n) => (n * 7919) % 251)),
      'not a WARC record',
    ],
    ['one long line', Buffer.alloc(3_000_000, 'a'), 'not a WARC record'],
    ['a bomb', gzipSync(Buffer.alloc(300_000_000)), 'not a WARC record'],
    ['a bomb of one line', gzipSync(Buffer.alloc(300_000_000, 'a')), 'not a WARC record'],
    ['a header without an end', Buffer.from(`WARC/1.0\r\n${'x: y\r\n'.repeat(100_000)}`), 'headers too long'],
    [
      'damaged',
      Buffer.concat([gzipSync(two).subarray(0, 40), Buffer.alloc(500, 'x')]),
      'damaged compression',
    ],
    ['without lengths', Buffer.from('WARC/1.0\r\nWARC-Type: response\r\n\r\nx'), 'a record without a length'],
    [
      'negative',
      Buffer.from('WARC/1.0\r\nWARC-Type: response\r\nContent-Length: -5\r\n\r\nx'),
      'a record without a length',
    ],
    [
      'boastful',
      Buffer.from('WARC/1.0\r\nWARC-Type: request\r\nContent-Length: 999999999999999\r\n\r\nx'),
      'cut short',
    ],
  ])('%s ends with a reason', async (_, bytes, why) => {
    expect(texts(await read(bytes))).toEqual([`damaged (${why})`]);
  });

  test('empty holds nothing', async () => {
    expect(await read(Buffer.alloc(0))).toEqual([]);
  });
});
