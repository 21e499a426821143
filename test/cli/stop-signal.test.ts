import { expect, test } from 'vitest';
import { startProcess } from '../process.ts';

const stopSignal = JSON.stringify(new URL('../../dist/src/cli/stop-signal.js', import.meta.url).href);
const script = `
  import { stopSignal } from ${stopSignal};
  stopSignal().addEventListener('abort', () => process.stderr.write('stopping'));
  setInterval(() => {}, 1000);
  process.stderr.write('ready');`;

test.each([
  ['SIGINT', 'SIGINT'],
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGTERM', 'SIGTERM'],
] as const)('after %s, %s ends the process at once', async (first, second) => {
  const { child, says, finished } = startProcess(process.execPath, ['--input-type=module', '-e', script]);
  await says(/ready/);
  child.kill(first);
  await says(/stopping/);
  expect(child.exitCode).toBeNull();
  child.kill(second);
  await finished;
  expect(child.signalCode).toBe(second);
});
