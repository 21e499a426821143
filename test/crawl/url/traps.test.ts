import { expect, test } from 'vitest';
import { trapOf, trapReasons } from '../../../src/crawl/url/traps.ts';

const now = Date.UTC(2026, 10, 20);
const trap = (path: string, { from = '/', depth = 3 } = {}) =>
  trapOf({ url: `https://a.example${path}`, from: `https://a.example${from}`, depth }, now);

test.each([
  ['/calendar/2028/01', trapReasons.calendar],
  ['/calendar?month=2031-05', trapReasons.calendar],
  ['/calendar?y=2099&m=1', trapReasons.calendar],
  ['/events/20310501/', trapReasons.calendar],
  ['/a/b/a/b/a/b/', trapReasons.repeating],
  ['/shop/shop/shop/index.html', trapReasons.repeating],
  ['/x/en/docs/api/en/docs/api/en/docs/api', trapReasons.repeating],
  [`/${'a/b/c/d/e/'.repeat(6)}`, trapReasons.deep],
])('%s: %s', (path, reason) => {
  expect(trap(path)).toBe(reason);
});

test.each([
  '/calendar/2027/12',
  '/calendar?month=2026-05',
  '/archive/1998/05',
  '/docs/9.2031/05',
  '/items/203105123456',
  '/11/11/11/',
  '/a/a/b',
  '/java/java/util/',
  '/book/page/2035',
  '/rfc/rfc2100',
  '/api/java.base/java/util/concurrent/atomic/class-use/AtomicInteger.html',
])('%s is none', (path) => {
  expect(trap(path)).toBeNull();
});

test('more than 200 pages of one kind, each found on the one before, are a chain; other pages as deep are not', () => {
  const from = '/list?page=200';
  expect(trap('/list?page=201', { from, depth: 201 })).toBe(trapReasons.chain);
  expect(trap('/list?page=201', { from, depth: 200 })).toBeNull();
  expect(trap('/item/7', { from, depth: 201 })).toBeNull();
});
