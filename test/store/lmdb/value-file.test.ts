import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { open } from 'lmdb';
import { expect, test } from 'vitest';
import { mapValueFile } from '../../../src/store/lmdb/map-value-file.ts';
import {
  checkedMark,
  frameValue,
  isValueFile,
  readValueFrame,
  valueKey,
  valueOffset,
} from '../../../src/store/lmdb/value-file.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function valueFile(byteLength: number) {
  const path = join(temporaryFolder(), 'value.mdb');
  const value = Buffer.from(Array.from({ length: byteLength }, (_, index) => (index * 31) % 251));
  const { before, after } = frameValue(byteLength, { bootId: 1n, writtenAt: 2n });
  const bytes = Buffer.concat([before, value, after]);
  writeFileSync(path, bytes);
  return { path, value, bytes };
}

/** The lines of this process's maps that name a file; none where there is no /proc. */
function mapsOf(path: string): string[] {
  const maps = readFileSync('/proc/self/maps', 'utf8').split('\n');
  return maps.filter((line) => line.includes(path) && !line.includes(`${path}-lock`));
}

test.each([1, 4071, 4072, 4073, 100_000])('LMDB reads a value of %i bytes from the file', async (length) => {
  const { path, value } = valueFile(length);
  const database = open<Buffer, Buffer>({ path, readOnly: true, encoding: 'binary', keyEncoding: 'binary' });
  expect(database.getBinary(Buffer.from(valueKey))).toEqual(value);
  expect([...database.getKeys()]).toHaveLength(1);
  await database.close();
});

test('a view is the value, also when the file is removed and another view of it is gone', async () => {
  const { path, value } = valueFile(100_000);
  const view = new Uint8Array(mapValueFile(path, value.length));
  const look = (): number => new Uint8Array(mapValueFile(path, value.length))[99_999] as number;
  expect(look()).toBe(value[99_999]);
  rmSync(path);
  for (let turn = 0; turn < 3; turn++) {
    collectGarbage();
    await nextTurn();
  }
  expect(Buffer.compare(view, value)).toBe(0);
  if (process.platform === 'linux') expect(mapsOf(path)).toHaveLength(1);
});

test('a file is unmapped once no array over it is left', async () => {
  const { path, value } = valueFile(100_000);
  const look = (): number => new Uint8Array(mapValueFile(path, value.length))[99_999] as number;
  expect(look()).toBe(value[99_999]);
  if (process.platform !== 'linux') return;
  await expect
    .poll(() => {
      collectGarbage();
      return mapsOf(path);
    })
    .toEqual([]);
});

test('every damaged byte before the value and every other length is refused', () => {
  const { bytes } = valueFile(5000);
  const head = bytes.subarray(0, valueOffset);
  const ours = checkedMark(0n);
  expect(readValueFrame(head, bytes.length)).toEqual({ byteLength: 5000, bootId: 1n, writtenAt: 2n });
  fc.assert(
    fc.property(fc.nat(valueOffset - 1), fc.integer({ min: 1, max: 255 }), (offset, flip) => {
      const damaged = Buffer.from(head);
      damaged[offset] = (damaged[offset] as number) ^ flip;
      const isOurField = offset >= ours.offset && offset < ours.offset + ours.bytes.length;
      expect(typeof readValueFrame(damaged, bytes.length)).toBe(isOurField ? 'object' : 'string');
    }),
  );
  for (const length of [0, valueOffset, bytes.length - 1, bytes.length + 1, bytes.length + 4096])
    expect(readValueFrame(head, length)).toContain('bytes long');
  expect(readValueFrame(head.subarray(0, 100), bytes.length)).toContain('shorter');
  expect([isValueFile(head), isValueFile(Buffer.alloc(100)), isValueFile(head.subarray(0, 20))]).toEqual([
    true,
    false,
    false,
  ]);
});

test('a file that cannot be mapped is an error, and no crash', () => {
  const { path } = valueFile(100);
  expect(() => mapValueFile(`${path}.missing`, 100)).toThrow('ENOENT');
  expect(() => mapValueFile(path, 99)).toThrow('no view');
});
