import { expect, test } from 'vitest';
import { createRate } from '../../src/cli/progress.ts';

test('the rate is that of the last hundred pages', () => {
  let now = 0;
  const perSecond = createRate(() => now);
  expect(perSecond()).toBe(0);
  now = 500;
  expect(perSecond()).toBe(2);
  for (let page = 0; page < 200; page++) {
    now += 10;
    perSecond();
  }
  now += 10;
  expect(perSecond()).toBe(100);
});
