import { expect, test } from 'vitest';
import { retryAfterSeconds } from '../../../src/crawl/fetch/retry-after.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

test.each([
  ['120', 120],
  [' 0 ', 0],
  ['Sun, 01 Mar 2026 12:01:30 GMT', 90],
  ['Sunday, 01-Mar-26 12:00:10 GMT', 10],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['999999999', 86_400],
  ['Sun, 01 Mar 2028 12:00:00 GMT', 86_400],
])('%j asks for %d seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds);
});

test.each([undefined, '', 'soon', '-5', '1.5'])('%j asks for nothing', (header) => {
  expect(retryAfterSeconds(header, now)).toBeNull();
});
