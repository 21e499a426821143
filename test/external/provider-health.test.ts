import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createProviderHealthRecorder, readProviderHealth } from '../../src/external/provider-health.ts';
import { silentLog } from '../../src/runtime.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const answer = (remaining: number) => ({
  results: [],
  more: false,
  quota: { remaining, limit: 100, resetSeconds: 60 },
  pauseSeconds: 0,
});
const failed = { kind: 'failed', why: 'limited', message: 'was asked too often', tookMs: 3 } as const;

function open(folder = temporaryFolder()) {
  const clock = { ms: 1000 };
  const file = join(folder, 'data', 'external.json');
  const health = createProviderHealthRecorder({ file, now: () => clock.ms, log: silentLog });
  return { folder, file, clock, health };
}

test('another process reads how each provider fared when it was last asked', async () => {
  const { file, clock, health } = open();
  health.observe('brave', { kind: 'ok', tookMs: 120 }, answer(42));
  clock.ms = 5000;
  health.observe('brave', { ...failed, retryAfterSeconds: 30 });
  health.observe('mwmbl', { kind: 'empty', tookMs: 80 });
  await health.close();
  expect(readProviderHealth(file)).toEqual({
    brave: {
      askedAt: 5000,
      answeredAt: 1000,
      tookMs: 120,
      failure: { at: 5000, message: 'was asked too often', retryAt: 35_000 },
      remaining: 42,
    },
    mwmbl: { askedAt: 5000, answeredAt: 5000, tookMs: 80, failure: null, remaining: null },
  });
});

test('an answer ends a failure', async () => {
  const { file, health } = open();
  health.observe('brave', failed);
  health.observe('brave', { kind: 'ok', tookMs: 7 }, answer(1));
  await health.close();
  expect(readProviderHealth(file).brave).toMatchObject({ failure: null, tookMs: 7 });
});

test('an answer in part is an answer, and says what is missing until the next one', async () => {
  const { file, health } = open();
  health.observe(
    'searxng',
    { kind: 'partial', message: 'engines failed: brave (CAPTCHA)', tookMs: 7 },
    answer(1),
  );
  await health.close();
  expect(readProviderHealth(file).searxng).toMatchObject({
    failure: null,
    tookMs: 7,
    missing: 'engines failed: brave (CAPTCHA)',
  });
  health.observe('searxng', { kind: 'ok', tookMs: 7 }, answer(1));
  expect(health.entries().searxng?.missing).toBeUndefined();
});

test('of several processes each adds what it knows, and the later word about a provider holds', async () => {
  const { folder, file, clock, health } = open();
  const other = open(folder);
  health.observe('brave', failed);
  clock.ms = 9000;
  health.observe('mwmbl', { kind: 'ok', tookMs: 1 }, answer(1));
  other.clock.ms = 5000;
  other.health.observe('brave', { kind: 'ok', tookMs: 2 }, answer(1));
  other.health.observe('mwmbl', failed);
  await other.health.close();
  await health.close();
  expect(readProviderHealth(file)).toMatchObject({ brave: { askedAt: 5000 }, mwmbl: { askedAt: 9000 } });
  expect(readdirSync(join(folder, 'data'))).toEqual(['external.json']);
});

test.each(['', 'null', '[]', '{"brave": {"askedAt": "soon"}}', '{"unknown": 1', '\0\0'])(
  'a file that says %o is as good as none',
  async (content) => {
    const file = join(temporaryFolder(), 'external.json');
    expect(readProviderHealth(file)).toEqual({});
    writeFileSync(file, content);
    expect(readProviderHealth(file)).toEqual({});
    const health = createProviderHealthRecorder({ file, now: () => 1, log: silentLog });
    health.observe('exa', failed);
    await health.close();
    expect(Object.keys(readProviderHealth(file))).toEqual(['exa']);
  },
);

test('a folder that cannot be written to costs a line in the log', async () => {
  const lines: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => lines.push(message) };
  const health = createProviderHealthRecorder({ file: '/dev/null/external.json', now: () => 1, log });
  health.observe('exa', failed);
  await health.close();
  expect(lines).toEqual(['the health of the search providers could not be stored']);
  expect(health.entries().exa?.failure?.message).toBe('was asked too often');
});
