import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeDurably } from '../../../src/index/packed/write-durably.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test.each([
  ['no piece', []],
  ['one small piece', [5]],
  ['one large piece', [3_000_000]],
  ['small ones, a large one, small ones', [1, 0, 70_000, 12, 9]],
  ['more small ones than are gathered at once', Array.from({ length: 40 }, () => 60_000)],
  ['pieces about as long as those that are written alone', [65_535, 65_536, 65_537, 0]],
])('a file has all its pieces in order: %s', (_, lengths) => {
  const path = join(temporaryFolder(), 'file');
  const pieces = lengths.map((length, piece) =>
    Buffer.from(Uint8Array.from({ length }, (_, n) => 31 * piece + n)),
  );
  writeDurably(path, pieces);
  expect(readFileSync(path).equals(Buffer.concat(pieces))).toBe(true);
});
