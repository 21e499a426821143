import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGleaner } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { askWithoutPause } from './cluster/steady-load.ts';

const clients = 32;
const askedBeforeStop = 400;

test('SIGTERM under load: every request on a connection that was taken is answered, then the process ends', async () => {
  const data = temporaryFolder();
  const config = join(data, 'settings');
  writeFileSync(config, 'GLEANER_SEARCH_LIMIT=off\nGLEANER_IN_FLIGHT_LIMIT=1000\nGLEANER_EXTERNAL=off\n');
  const service = startGleaner(['serve', '--port', '0', '--data', data, '--config', config]);
  const [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
  const tally = { answered: 0, lost: [] as string[] };
  const all = Array.from({ length: clients }, (_, number) =>
    askWithoutPause(`${url}/api/v1/search?q=crawl+-word${number}`, tally),
  );
  await expect.poll(() => tally.answered).toBeGreaterThan(askedBeforeStop);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/gleaner_search_phase_duration_seconds_count\{phase="match"\} [1-9]/);
  expect(metrics).toMatch(/^gleaner_pages [1-9]/m);
  const stoppedAt = performance.now();
  service.child.kill('SIGTERM');
  await Promise.all(all);
  const { code } = await service.finished;
  expect(tally.lost.slice(0, 3)).toEqual([]);
  expect(code).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(10_000);
});
