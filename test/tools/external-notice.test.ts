import { expect, test } from 'vitest';
import { externalNotice } from '../../tools/answers/external-notice.ts';

const failure = (provider: string, retryAfterSeconds?: number) => ({
  provider,
  message: `${provider} is down`,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

test('there is nothing to say when everybody was asked, or nobody had to be', () => {
  expect(externalNotice({ state: 'ok', failures: [] }, 0)).toBeUndefined();
  expect(externalNotice({ state: 'off', reason: 'enough local results', failures: [] }, 9)).toBeUndefined();
  expect(externalNotice({ state: 'off', reason: 'turned off', failures: [] }, 1)).toBeUndefined();
});

test('nothing local and nobody to ask is told from nothing found', () => {
  expect(externalNotice({ state: 'failed', failures: [failure('brave', 30), failure('exa', 9)] }, 0)).toBe(
    'Nothing local matches, and the web could not be searched, so this does not mean that there is nothing. ' +
      'Could not ask brave (brave is down), exa (exa is down). Search again in 9 seconds.',
  );
  expect(externalNotice({ state: 'failed', failures: [] }, 3)).toMatch(
    /^These results are local ones alone.*an internal error.*Search again later\.$/,
  );
  expect(externalNotice({ state: 'off', reason: 'turned off', failures: [] }, 0)).toMatch(/GLEANER_EXTERNAL/);
  expect(externalNotice({ state: 'off', reason: 'budget spent', failures: [] }, 0)).toMatch(/used up/);
});

test('of many who could not be asked, few are named', () => {
  const failures = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => failure(name));
  expect(externalNotice({ state: 'partial', failures }, 5)).toBe(
    'Could not ask a (a is down), b (b is down), c (c is down), d (d is down) and 2 more. There may be more on the web than these results.',
  );
});

test('who answered in part is told from who could not be asked', () => {
  const engines = {
    provider: 'searxng',
    message: 'engines failed: brave (CAPTCHA)',
    answeredInPart: true,
  } as const;
  expect(externalNotice({ state: 'partial', failures: [engines] }, 5)).toBe(
    'Answered in part: searxng (engines failed: brave (CAPTCHA)). There may be more on the web than these results.',
  );
  expect(externalNotice({ state: 'partial', failures: [engines, failure('exa')] }, 5)).toMatch(
    /^Could not ask exa \(exa is down\)\. Answered in part: searxng /,
  );
});
