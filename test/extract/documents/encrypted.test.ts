import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openEncryptedPackage } from '../../../src/extract/documents/ole/encrypted-package.ts';
import { openOle } from '../../../src/extract/documents/ole/ole.ts';
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
