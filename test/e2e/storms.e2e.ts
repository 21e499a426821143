import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startProcess } from '../process.ts';

const bench = fileURLToPath(new URL('../../dist/bench/run.js', import.meta.url));
/** Of the faults of docs/reliability.md: few enough for a minute altogether on a quiet machine. */
const share = '0.02';

test.for([
  ['a writer is killed', 'kills'],
  ['the disk is full', 'full-disk'],
  ['a writer is stopped', 'stopped'],
  ['the store is damaged', 'store'],
  ['the index is damaged', 'index'],
  ['a mapped index is damaged', 'mapped'],
])('when %s nothing is lost or wrong, and no process dies without words', async ([, storm = ''], context) => {
  expect(existsSync(bench), 'npm run build makes dist/bench').toBe(true);
  const { code, stderr } = await startProcess(process.execPath, [
    bench,
    'reliability',
    storm,
    '--share',
    share,
  ]).finished;
  // LMDB itself writes to stderr, without a line end.
  const json = /\{"storm":.*\}$/m.exec(stderr)?.[0];
  expect(json, stderr).toBeDefined();
  const row = JSON.parse(json as string);
  expect(row, stderr).toMatchObject({ lost: 0, wrong: 0, died: 0 });
  expect(code).toBe(0);
  // Mounting a small disk needs root.
  if (row.note.startsWith('not run')) context.skip(row.note);
  expect(row.faults).toBeGreaterThan(0);
  expect(row.acknowledged).toBeGreaterThan(0);
});
