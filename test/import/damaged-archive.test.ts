import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type ArchiveItem, readWarc } from '../../src/import/warc.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { response, warcRecord } from './warc-record.ts';

const maxBytes = 100_000;
const count = 20;

/** Words that do not pack to next to nothing, so that damage is somewhere in particular. */
function words(seed: number, length = 3000): string {
  let state = seed * 2654435761 + 1;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    text += ` ${state.toString(36)}`;
  }
  return text;
}
const urlOf = (n: number) => `https://a.example/${n}`;
const record = (n: number, hasDigest = false) => {
  const bytes = response(urlOf(n), words(n));
  const block = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4, -4);
  const digest = createHash('sha1').update(block).digest('hex');
  if (!hasDigest) return bytes;
  return Buffer.from(
    bytes.toString('latin1').replace('\r\n', `\r\nWARC-Block-Digest: sha1:${digest}\r\n`),
    'latin1',
  );
};
const records = Array.from({ length: count }, (_, n) => record(n));
const all = records.map((_, n) => urlOf(n));

async function read(bytes: Uint8Array, { mayBeGarbled = false } = {}) {
  const path = join(temporaryFolder(), 'a.warc.gz');
  writeFileSync(path, bytes);
  const items: ArchiveItem[] = [];
  for await (const item of readWarc(path, maxBytes)) items.push(item);
  const pages = items.flatMap((item) => (item.kind === 'document' ? [item] : []));
  for (const { url, bytes } of mayBeGarbled ? [] : pages) {
    // Nothing that is damaged is taken for whole.
    const n = Number(url.split('/').at(-1));
    expect(Buffer.from(bytes).toString()).toBe(words(n));
  }
  const damages = items.flatMap((item) => (item.kind === 'damaged' ? [item] : []));
  return { urls: pages.map(({ url }) => url), damages };
}

function flipped(bytes: Uint8Array, ...offsets: number[]): Buffer {
  const copy = Buffer.from(bytes);
  for (const offset of offsets) copy[offset] = (copy[offset] ?? 0) ^ 0x55;
  return copy;
}

describe('an archive of a member for each record', () => {
  const members = records.map((bytes) => gzipSync(bytes));
  const startOf = (n: number) => members.slice(0, n).reduce((sum, { length }) => sum + length, 0);

  test.each([0, 1, 9, 18, 19])('loses the damaged one alone, number %i', async (n) => {
    const middle = startOf(n) + ((members[n]?.length ?? 0) >> 1);
    const { urls, damages } = await read(flipped(Buffer.concat(members), middle, middle + 1));
    expect(urls).toEqual(all.filter((url) => url !== urlOf(n)));
    expect(damages).toEqual([
      {
        kind: 'damaged',
        why: expect.stringMatching(/damaged compression|wrong checksum/),
        lostBytes: members[n]?.length,
        lostRecords: 1,
      },
    ]);
  });

  test('loses a record whose member lost its first bytes, or its checksum', async () => {
    const head = await read(flipped(Buffer.concat(members), startOf(5)));
    expect(head.urls).toEqual(all.filter((url) => url !== urlOf(5)));
    expect(head.damages).toMatchObject([{ why: 'damaged compression', lostRecords: 1 }]);
    const trailer = await read(flipped(Buffer.concat(members), startOf(6) - 8));
    expect(trailer.urls).toEqual(all.filter((url) => url !== urlOf(5)));
    expect(trailer.damages).toMatchObject([{ why: 'wrong checksum', lostRecords: 1 }]);
  });

  test('keeps a record whose member has a wrong checksum when the digest of the record says that it is whole', async () => {
    const digest = (text: string) => `sha1:${createHash('sha1').update(text).digest('hex')}`;
    const fields = (text: string) => ({
      'WARC-Type': 'resource',
      'WARC-Target-URI': urlOf(5),
      'Content-Type': 'text/plain',
      'WARC-Block-Digest': digest(text),
    });
    const sound = warcRecord(fields(words(5)), words(5));
    const wrong = warcRecord(fields('another text'), words(5));
    const archiveOf = (bytes: Buffer) => {
      const member = gzipSync(bytes);
      return Buffer.concat([gzipSync(record(1)), flipped(member, member.length - 8), gzipSync(record(2))]);
    };
    expect((await read(archiveOf(sound))).urls).toEqual([urlOf(1), urlOf(5), urlOf(2)]);
    expect((await read(archiveOf(wrong))).urls).toEqual([urlOf(1), urlOf(2)]);
  });

  test('with hundreds of bytes damaged gives every record that is whole, and counts the rest', async () => {
    const file = Buffer.concat(members);
    for (let seed = 1; seed <= 25; seed++) {
      const offsets = Array.from(
        { length: 8 },
        (_, n) => (Math.imul(seed * 31 + n, 2654435761) >>> 0) % file.length,
      );
      const hit = new Set(offsets.map((offset) => members.findIndex((_, n) => offset < startOf(n + 1))));
      const { urls, damages } = await read(flipped(file, ...offsets));
      // A bit in a time or a name of a gzip header does no harm.
      for (const [n, url] of all.entries()) if (!hit.has(n)) expect(urls).toContain(url);
      const lost = damages.reduce((sum, { lostRecords }) => sum + lostRecords, 0);
      expect(lost + urls.length).toBeGreaterThanOrEqual(damages.length);
      expect(urls.length + hit.size).toBeGreaterThanOrEqual(count);
    }
  });
});

test('one member with 20 records gives those before the damage', async () => {
  const packed = gzipSync(Buffer.concat(records));
  const middle = packed.length >> 1;
  const { urls, damages } = await read(flipped(packed, middle, middle + 1), { mayBeGarbled: true });
  expect(urls.slice(0, 9)).toEqual(all.slice(0, 9));
  expect(damages.length).toBeGreaterThan(0);
});

test('in a damaged member, records with digests are kept when they are whole, and only then', async () => {
  const packed = gzipSync(Buffer.concat(all.map((_, n) => record(n, true))));
  for (let share = 0.1; share < 1; share += 0.1) {
    const offset = Math.floor(packed.length * share);
    const { urls, damages } = await read(flipped(packed, offset, offset + 1));
    expect(urls.length).toBeGreaterThanOrEqual(Math.floor(count * share) - 1);
    expect(damages.length).toBeGreaterThan(0);
  }
});

test('behind one damaged member with many records the next one is found', async () => {
  const first = gzipSync(Buffer.concat(records.slice(0, 10)));
  const second = gzipSync(Buffer.concat(records.slice(10)));
  const both = Buffer.concat([flipped(first, first.length >> 1), second]);
  const { urls } = await read(both, { mayBeGarbled: true });
  expect(urls.slice(-10)).toEqual(all.slice(10));
});

test('records that go on from member to member are read, and the next one behind a damaged member is found', async () => {
  const plain = Buffer.concat(records);
  const blocks = Array.from({ length: Math.ceil(plain.length / 5000) }, (_, n) =>
    gzipSync(plain.subarray(n * 5000, (n + 1) * 5000)),
  );
  expect((await read(Buffer.concat(blocks))).urls).toEqual(all);
  const damaged = blocks.map((block, n) => (n === 4 ? flipped(block, 40, 41) : block));
  const { urls, damages } = await read(Buffer.concat(damaged));
  expect(urls.length).toBeGreaterThanOrEqual(count - 3);
  expect(urls.at(-1)).toBe(all.at(-1));
  // The record before the damaged member and the one behind it reach into it.
  expect(damages.length).toBeLessThanOrEqual(2);
});

describe('an archive that is not packed', () => {
  const text = Buffer.concat(records).toString('latin1');
  const changed = (n: number, from: string | RegExp, to: string) => {
    const bytes = (records[n] as Buffer).toString('latin1');
    expect(bytes).toMatch(from);
    return Buffer.from(text.replace(bytes, bytes.replace(from, to)), 'latin1');
  };

  test.each<[string, string | RegExp, string]>([
    ['no version', 'WARC/1.0', 'XARC/1.0'],
    ['no length', /Content-Length: \d+/, 'Content-Length: soon'],
    ['a length that is too short', /Content-Length: (\d)/, 'Content-Length: '],
    ['a length that is too long', /Content-Length: \d/, 'Content-Length: 19'],
    ['a length beyond the end', /Content-Length: \d/, 'Content-Length: 99999999'],
    ['no empty line', /\r\n\r\nHTTP/, '\r\nHTTP'],
  ])('loses a record with %s alone', async (_, from, to) => {
    const { urls, damages } = await read(changed(7, from, to));
    expect(urls).toEqual(all.filter((url) => url !== urlOf(7)));
    expect(damages).toMatchObject([{ lostRecords: 1 }]);
    expect(damages[0]?.lostBytes).toBe(changed(7, from, to).length - text.length + (records[7]?.length ?? 0));
  });

  test('finds the records in what another one says is a block longer than any page', async () => {
    const large = warcRecord({ 'WARC-Type': 'metadata' }, Buffer.alloc(3_000_000, 'x\n'));
    const wrong = Buffer.from(large.toString('latin1').replace('3000000', '3004000'), 'latin1');
    const { urls, damages } = await read(Buffer.concat([record(0), wrong, ...records.slice(1)]));
    expect(urls).toEqual(all);
    expect(damages).toMatchObject([{ why: 'a record of another length than it says', lostRecords: 1 }]);
  });

  test('with junk between its records loses nothing else', async () => {
    const junk = Buffer.from('\0\x01 junk WARC/ and WARC/1.0 in a line\n');
    const { urls, damages } = await read(Buffer.concat(records.flatMap((bytes) => [bytes, junk])));
    expect(urls).toEqual(all);
    expect(damages).toHaveLength(count);
  });

  test('that is full of lengths which are wrong ends', { timeout: 60_000 }, async () => {
    const liar = Buffer.from('WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 90000\r\n\r\nx\n');
    const { damages } = await read(Buffer.concat(Array.from({ length: 4000 }, () => liar)));
    expect(damages.length).toBeGreaterThan(1000);
  });
});

test('of odd addresses every response is in one count', async () => {
  const odd = [
    '',
    'not a url',
    'ftp://a.example/',
    'dns:a.example',
    'urn:uuid:1',
    'HTTPS://A.EXAMPLE/%zz',
    'https://',
    'javascript:alert(1)',
    '//a.example/',
    'https://a.example/\u0000',
  ];
  const path = join(temporaryFolder(), 'a.warc');
  writeFileSync(path, Buffer.concat(odd.map((url) => response(url, 'text'))));
  const items: ArchiveItem[] = [];
  for await (const item of readWarc(path, maxBytes)) items.push(item);
  expect(items).toHaveLength(odd.length);
  expect(items.some(({ kind }) => kind === 'damaged')).toBe(false);
});
