import { expect, test } from 'vitest';
import { providerStatus, serviceStates } from '../../../src/cli/output/provider-status.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { ProviderHealthByName } from '../../../src/external/provider-health.ts';

const now = Date.UTC(2026, 10, 20, 12);
const second = 1000;
const health: ProviderHealthByName = {
  brave: { askedAt: now, answeredAt: now - 90 * second, tookMs: 412, failure: null, remaining: 1873 },
  tavily: {
    askedAt: now,
    answeredAt: null,
    tookMs: null,
    failure: { at: now - 7200 * second, message: 'Tavily was asked too often', retryAt: now + 600 * second },
    remaining: null,
  },
};

function lines(environment: NodeJS.ProcessEnv): string[] {
  return providerStatus(readConfig(environment), health, now).split('\n');
}

test('those that are on say by what and how they fared, the others what they need', () => {
  const shown = lines({
    GLEANER_EXTERNAL: 'brave,tavily,wikipedia',
    GLEANER_BRAVE_KEY: 'k',
    GLEANER_MWMBL_KEY: 'k',
  });
  expect(shown.slice(0, 4)).toEqual([
    'Other services are asked when the index has too little, for at most 2500 ms:',
    'brave          on   with GLEANER_BRAVE_KEY; answered 90 s ago in 412 ms, 1873 requests left',
    'tavily         on   without a key; failed 2 h ago: Tavily was asked too often, resting 10 min',
    'wikipedia      on   without a key; not asked yet',
  ]);
  expect(shown).toContain('searxng        off  needs GLEANER_SEARXNG_URL');
  expect(shown).toContain('mwmbl          off  is not named in GLEANER_EXTERNAL');
  expect(shown).toContain(
    'marginalia     off  can be named in GLEANER_EXTERNAL, or given GLEANER_MARGINALIA_KEY',
  );
  expect(shown.join('\n')).toMatch(/Set GLEANER_CONTACT/);
});

test('with a contact none is asked for, and providers that are off are named', () => {
  expect(lines({ GLEANER_CONTACT: 'me@example.org' }).join('\n')).not.toMatch(/GLEANER_CONTACT/);
  expect(lines({ GLEANER_EXTERNAL: 'off' })[0]).toBe('No other service is asked (GLEANER_EXTERNAL):');
});

test('the same comes as data', () => {
  const config = readConfig({ GLEANER_EXTERNAL: 'brave,tavily,wikipedia', GLEANER_BRAVE_KEY: 'k' });
  expect(serviceStates(config, health)).toEqual([
    {
      name: 'brave',
      askedAt: '2026-11-20T12:00:00.000Z',
      answeredAt: '2026-11-20T11:58:30.000Z',
      tookMs: 412,
      failure: null,
      missing: null,
      retryAt: null,
      remaining: 1873,
    },
    {
      name: 'tavily',
      askedAt: '2026-11-20T12:00:00.000Z',
      answeredAt: null,
      tookMs: null,
      failure: 'Tavily was asked too often',
      missing: null,
      retryAt: '2026-11-20T12:10:00.000Z',
      remaining: null,
    },
    {
      name: 'wikipedia',
      askedAt: null,
      answeredAt: null,
      tookMs: null,
      failure: null,
      missing: null,
      retryAt: null,
      remaining: null,
    },
  ]);
});
