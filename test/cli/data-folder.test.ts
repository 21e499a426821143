import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { requireData } from '../../src/cli/data-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('a folder in which nothing was stored says how to fill it', () => {
  expect(() => requireData({ dataFolder: temporaryFolder() })).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('a data folder that this user may not read is not called empty', () => {
  const dataFolder = join(temporaryFolder(), 'data');
  mkdirSync(join(dataFolder, 'store'), { recursive: true });
  chmodSync(dataFolder, 0o000);
  onTestFinished(() => {
    process.seteuid?.(process.getuid?.() ?? 0);
    chmodSync(dataFolder, 0o700);
  });
  // To root no folder is closed.
  if (process.getuid?.() === 0) process.seteuid?.(65534);
  expect(() => requireData({ dataFolder })).toThrow(/may not read it|EACCES/);
  expect(() => requireData({ dataFolder })).toThrow(expect.objectContaining({ code: 'unavailable' }));
});
