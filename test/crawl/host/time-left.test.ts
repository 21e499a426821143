import { expect, test } from 'vitest';
import { createHostPages, secondsLeft } from '../../../src/crawl/host/time-left.ts';

test('the pace of a host is that of its last pages', () => {
  let ms = 0;
  const pages = createHostPages(() => ms);
  expect(pages.secondsPerPage()).toBeUndefined();
  for (let page = 0; page < 100; page++) {
    ms += 10_000;
    pages.visited();
  }
  expect(pages.secondsPerPage()).toBe(10);
  for (let page = 0; page < 60; page++) {
    ms += 1000;
    pages.visited();
  }
  expect(pages.secondsPerPage()).toBe(1);
});

const slow = { queued: 100, secondsPerPage: 2 };
const fast = { queued: 1000, secondsPerPage: 0.1 };

test.each([
  ['the slowest host counts', [slow, fast], Number.POSITIVE_INFINITY, 200],
  ['the limit of pages ends it earlier', [slow, fast], 21, 2],
  ['a host with nothing queued does not count', [{ ...slow, queued: 0 }, fast], 10_000, 100],
  ['a host without a pace does not count', [{ ...slow, secondsPerPage: undefined }, fast], 10_000, 100],
  ['nothing is queued', [{ ...slow, queued: 0 }], 10, undefined],
  ['no pace is known', [{ queued: 7, secondsPerPage: undefined }], 10, undefined],
])('%s', (_, hosts, pagesLeft, seconds) => {
  const left = secondsLeft(hosts, pagesLeft);
  if (seconds === undefined) expect(left).toBeUndefined();
  else expect(left).toBeCloseTo(seconds, 9);
});
