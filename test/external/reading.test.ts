import { describe, expect, test } from 'vitest';
import { snippetOf, titleOf } from '../../src/external/plain-text.ts';
import { parsePublishedAt } from '../../src/external/published-at.ts';
import { detectQueryLanguage } from '../../src/external/query/detect-query-language.ts';
import { parseQuota } from '../../src/external/quota.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { now } from './provider-rig.ts';

describe('texts', () => {
  test('are one line without what cannot be seen, so that a snippet cannot pass for another result', () => {
    expect(titleOf('a\r\nb\u2028c\td', 'plain')).toBe('a b c d');
    expect(titleOf('pay\u202Elap\u200B!\u{E0041}\uFEFF\0', 'plain')).toBe('paylap!');
    expect(titleOf('half \uD800 pair', 'plain')).toBe('half pair');
    expect(titleOf('می‌خواهم', 'plain')).toBe('می‌خواهم');
  });

  test('lose their marks where the provider writes HTML, and only there', () => {
    expect(snippetOf('<b>Vec&lt;T&gt;</b>&nbsp;&amp; co<script>x', 'html')).toBe('Vec<T> & cox');
    expect(snippetOf('Vec<T> &amp; co', 'plain')).toBe('Vec<T> &amp; co');
    expect(snippetOf('<p>one</p><p>two</p><br>three', 'html')).toBe('one two three');
  });

  test('are cut at a whole character, and endless ones take no time', () => {
    const cut = titleOf('😀'.repeat(400), 'plain');
    expect(cut).toHaveLength(300);
    expect(cut.endsWith('😀 …')).toBe(true);
    expect([...snippetOf('<'.repeat(5_000_000), 'html')].length).toBeLessThanOrEqual(1000);
  });
});

test.each([
  ['2024-03-01', Date.UTC(2024, 2, 1)],
  ['2024-03-01T10:00:00', Date.UTC(2024, 2, 1, 10)],
  ['2024-03-01T10:00:00.5+02:00', Date.UTC(2024, 2, 1, 8, 0, 0, 500)],
  ['2024-03-01 10:00:00Z', Date.UTC(2024, 2, 1, 10)],
  ['Jan 5, 2024', Date.UTC(2024, 0, 5)],
  ['5 March 2024', Date.UTC(2024, 2, 5)],
  ['Tue, 07 May 2024 10:00:00 GMT', Date.UTC(2024, 4, 7, 10)],
  ['3 days ago', now - 3 * 86_400_000],
  ['1 hour ago', now - 3_600_000],
  [1_600_000_000, 1_600_000_000_000],
  ['yesterday', null],
  ['2124-01-01', null],
  ['0001-01-01T00:00:00', null],
  ['12', null],
  ['', null],
  [Number.NaN, null],
  [-5, null],
  [null, null],
  [{}, null],
])('the date %o is read as %o', (value, expected) => {
  expect(parsePublishedAt(value, now)).toBe(expected);
});

test('a quota is read from one window or several, in seconds to go or since 1970', () => {
  const headers = (limit: string, remaining: string, reset: string) => ({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': reset,
  });
  expect(parseQuota({}, now)).toBeNull();
  expect(parseQuota(headers('1, 15000', '1, 999', '1, 1000000'), now)).toEqual({
    remaining: 999,
    limit: 15000,
    resetSeconds: 1_000_000,
  });
  expect(parseQuota(headers('1, 15000', '0, 999', '1, 1000000'), now)?.resetSeconds).toBe(1);
  expect(parseQuota(headers('60', '3', String(now / 1000 + 30)), now)?.resetSeconds).toBe(30);
  expect(parseQuota(headers('60', '3', String(now + 30_000)), now)?.resetSeconds).toBe(30);
  expect(parseQuota(headers('x', 'y', 'z'), now)).toBeNull();
});

test.each([
  ['rust async runtime', 'en'],
  ['数据库优化', 'zh'],
  ['データベースの最適化', 'ja'],
  ['데이터베이스', 'ko'],
  ['оптимизация базы', 'ru'],
  ['قاعدة البيانات', 'ar'],
  ['wie kann ich das machen', 'de'],
  ['βάση δεδομένων', 'el'],
  ['site:example.com', 'en'],
])('the query %s is in %s', (q, lang) => {
  expect(detectQueryLanguage(parseQuery(q))).toBe(lang);
});
