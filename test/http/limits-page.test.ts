import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sliceMs } from '../../src/async/time-slices.ts';
import { readConfig } from '../../src/config/config.ts';
import { maxLimit } from '../../src/contract/search.ts';
import { searchLimits } from '../../src/engine/search-budget.ts';
import { searchTokens, searchTokensRule } from '../../src/engine/search-tokens.ts';
import { createMetrics } from '../../src/http/metrics/metrics.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { createAdmissionControl } from '../../src/limits/admission.ts';
import { silentLog } from '../../src/runtime.ts';
import { engineThat } from '../tools/library.ts';
import { emptyServiceState } from './empty-service-state.ts';

const inWords = ['none', 'one', 'two', 'three', 'four', 'five'];

const page = readFileSync(new URL('../../docs/limits.md', import.meta.url), 'utf8').replaceAll('\n', ' ');

test('the page names the limits that hold when nothing is set', () => {
  const { search, content, fallback, inFlight } = readConfig({}).limits;
  if (search === 'off' || content === 'off' || fallback === 'off') throw new Error('no limits');
  expect(page).toContain(`${search.perMinute} searches and ${search.burst} at once`);
  expect(page).toContain(`${content.perMinute} contents and ${content.burst} at once`);
  expect(page).toContain(`${fallback.perMinute} a minute and ${fallback.burst} at once`);
  expect(page).toContain(`At most ${inFlight} of its requests`);
});

test('the page says what a search counts as, and what it may do at most', () => {
  expect(page).toContain(searchTokensRule);
  expect(page).toContain(`counts as ${inWords[searchTokens({ q: 'heron', limit: maxLimit })]}`);
  const { readCharacters, scannedCharacters, matches } = searchLimits;
  expect(page).toContain(`reads at most ${readCharacters / 1e6} million characters`);
  expect(page).toContain(`through ${scannedCharacters / 1e6} million of them`);
  expect(page).toContain(`${matches.toLocaleString('en-US')} places`);
  expect(page).toContain(`each ${sliceMs} ms`);
});

test('the page names every metric of ours, and no other', async () => {
  const { limits } = readConfig({});
  const admissionStats = createAdmissionControl(limits).stats;
  const metrics = createMetrics({ state: async () => emptyServiceState, admissionStats, access: 'public' });
  const app = createRoutes({
    engine: engineThat(() => Promise.reject(new Error('not asked'))),
    log: silentLog,
    version: '1.2.3',
    docs: [],
    readiness: () => ({ notReady: undefined, pages: 0, searchable: 0, providers: {} }),
    origins: '*',
    logQueries: false,
    metrics,
  });
  const told = await (await app.request('/metrics')).text();
  const names = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
  expect(names(page, /`(gleaner_\w+)`/g)).toEqual(names(told, /^# TYPE (gleaner_\w+) /gm));
});
