import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openEncryptedPackage } from '../../../src/extract/documents/ole/encrypted-package.ts';
import { openOle } from '../../../src/extract/documents/ole/ole.ts';
import { decryptWorkbook } from '../../../src/extract/documents/ole/xls-decryption.ts';
import { oleOf } from './build-files.ts';
import { read, readDocument } from './read.ts';

const sample = (name: string) =>
  readFileSync(new URL(`../../samples/documents/files/${name}`, import.meta.url));
const agile = sample('default-password.xlsx');
const standard = sample('default-password-standard.xlsx');

describe.each([
  ['agile', agile],
  ['standard', standard],
])('a workbook that is locked by the %s scheme', (_, bytes) => {
  test('is read if it has the default password of Excel', () => {
    const page = readDocument(bytes);
    expect(page.fileType).toBe('xlsx');
    expect(page.body).toContain('Grey heron\tNests\t12');
  });

  test('is encrypted if it has another one', () => {
    expect(() => openEncryptedPackage(openOle(bytes), 'heron')).toThrow('encrypted');
    expect(openEncryptedPackage(openOle(bytes), 'VelvetSweatshop').subarray(0, 2)).toEqual(Buffer.from('PK'));
  });

  test('is no more than its own bytes, whatever length it claims', () => {
    const streams = streamsOf(bytes);
    streams.EncryptedPackage.fill(0xff, 0, 8);
    expect(openEncryptedPackage(openOle(oleOf(streams))).length).toBeLessThanOrEqual(bytes.length);
  });

  test('is cut or damaged without any other outcome', () => {
    const { EncryptionInfo, EncryptedPackage } = streamsOf(bytes);
    const cut = (length: number) =>
      read(oleOf({ EncryptionInfo: EncryptionInfo.subarray(0, length), EncryptedPackage }));
    for (let length = 0; length < 200; length += 40) expect(cut(length)).toBe('encrypted');
    const half = EncryptedPackage.subarray(0, 1000);
    expect(read(oleOf({ EncryptionInfo, EncryptedPackage: half }))).toBe('damaged file');
  });
});

test.each(['1000001', '9999999', '1e99', 'NaN', '-1'])('%s rounds are refused before the first', (rounds) => {
  const { EncryptionInfo, EncryptedPackage } = streamsOf(agile);
  const changed = EncryptionInfo.toString('latin1').replace(/spinCount="\d+"/, `spinCount="${rounds}"`);
  const start = process.cpuUsage();
  expect(read(oleOf({ EncryptionInfo: Buffer.from(changed, 'latin1'), EncryptedPackage }))).toBe('encrypted');
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(100);
});

function streamsOf(bytes: Uint8Array): Record<'EncryptionInfo' | 'EncryptedPackage', Buffer> {
  const file = openOle(bytes);
  const stream = (name: string) => Buffer.from(file.read(name) ?? []);
  return { EncryptionInfo: stream('EncryptionInfo'), EncryptedPackage: stream('EncryptedPackage') };
}

const filePass = 0x2f;

describe.each([
  ['RC4', 'default-password.xls'],
  ['CryptoAPI with 128 bits', 'default-password-cryptoapi.xls'],
  ['CryptoAPI with 40 bits', 'default-password-cryptoapi-40.xls'],
  ['XOR', 'default-password-xor.xls'],
])('an older workbook that is locked by %s', (_, name) => {
  const bytes = sample(name);
  const workbook = () => Buffer.from(openOle(bytes).read('Workbook') ?? []);
  const lock = indexOfRecord(workbook(), filePass);

  test('is read if it has the default password of Excel', () => {
    const page = readDocument(bytes);
    expect(page.fileType).toBe('xls');
    expect(page.body).toContain('Grey heron\tNests\t12');
    expect(page.body).toContain('Purple heron 11\tChicks\t16.5');
  });

  test('is encrypted if it has another one', () => {
    expect(() => decryptWorkbook(workbook(), 'heron')).toThrow('encrypted');
    expect(() => decryptWorkbook(workbook(), '')).toThrow('encrypted');
  });

  test('leaves the stream that it reads as it was', () => {
    const stream = workbook();
    expect(decryptWorkbook(stream)).toHaveLength(stream.length);
    expect(stream).toEqual(workbook());
  });

  test('is cut or damaged without any other outcome', () => {
    const length = workbook().readUInt16LE(lock + 2);
    for (let cut = 0; cut < length; cut++) {
      const stream = workbook();
      stream.writeUInt16LE(cut, lock + 2);
      expect(read(oleOf({ Workbook: stream }))).toBe('encrypted');
    }
    for (let at = lock + 4; at < lock + 4 + length; at++) {
      const stream = workbook();
      stream[at] = (stream[at] as number) ^ 0xff;
      expect(['page', 'encrypted', 'no text', 'damaged file']).toContain(
        outcomeOf(oleOf({ Workbook: stream })),
      );
    }
    for (let end = lock + 4 + length; end < 2000; end += 97)
      expect(outcomeOf(oleOf({ Workbook: workbook().subarray(0, end) }))).not.toBe('could not be read');
  });
});

test('a stream of locks alone is refused, and one of empty records read, in linear time', () => {
  const start = process.cpuUsage();
  const locks = Buffer.alloc(4_000_000);
  for (let at = 0; at < locks.length; at += 4) locks.writeUInt16LE(filePass, at);
  expect(() => decryptWorkbook(locks)).toThrow('encrypted');
  const locked = Buffer.from(openOle(sample('default-password.xls')).read('Workbook') ?? []);
  const long = Buffer.concat([locked.subarray(0, indexOfRecord(locked, 0x85)), Buffer.alloc(4_000_000, 0)]);
  expect(decryptWorkbook(long)).toHaveLength(long.length);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000);
});

const others = new URL('../../../../shared/data/documents/tika-all/', import.meta.url);
test.skipIf(!existsSync(others)).each([
  ['testEXCEL_protected_passtika.xls', 'tika', 'This is an Encrypted Excel spreadsheet.'],
  ['password.xls', 'password', 'A ZIP bomb is a variant of mail-bombing'],
])('%s of another program opens with its password', (name, password, text) => {
  const workbook = Buffer.from(openOle(readFileSync(new URL(name, others))).read('Workbook') ?? []);
  expect(decryptWorkbook(workbook, password).toString('latin1')).toContain(text);
  expect(() => decryptWorkbook(workbook)).toThrow('encrypted');
});

function outcomeOf(bytes: Uint8Array): string {
  const outcome = read(bytes);
  return typeof outcome === 'string' ? outcome : 'page';
}

function indexOfRecord(stream: Buffer, type: number): number {
  let at = 0;
  while (stream.readUInt16LE(at) !== type) at += 4 + stream.readUInt16LE(at + 2);
  return at;
}
