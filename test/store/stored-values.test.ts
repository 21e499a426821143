import { readdirSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { openStoredValues } from '../../src/store/page/stored-values.ts';
import { temporaryFolder } from '../temporary-folder.ts';

afterEach(() => vi.unstubAllEnvs());

test('the decoder of stored values leaves no file behind', async () => {
  const folder = temporaryFolder();
  vi.stubEnv('TMPDIR', folder);
  const values = openStoredValues();
  expect(readdirSync(folder)).toHaveLength(1);
  await values.close();
  expect(readdirSync(folder)).toEqual([]);
});
