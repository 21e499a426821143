import { describe, expect, test } from 'vitest';
import { parseDate, readDate } from '../../../src/extract/metadata/dates.ts';

const iso = (text: string, monthFirst = false) => {
  const date = parseDate(text, monthFirst);
  return date === undefined ? undefined : new Date(date).toISOString();
};

describe('parseDate', () => {
  test.each([
    ['2024-03-05', '2024-03-05T00:00:00.000Z'],
    ['2024-03-05T10:20:30+02:00', '2024-03-05T08:20:30.000Z'],
    ['2024-03-05T23:20:30.123-0500', '2024-03-06T04:20:30.000Z'],
    ['2024-03-05 10:20', '2024-03-05T10:20:00.000Z'],
    ['Tue, 05 Mar 2024 10:20:30 GMT', '2024-03-05T10:20:30.000Z'],
    ['Posted on March 5th, 2024 by Ada', '2024-03-05T00:00:00.000Z'],
    ['5 March 2024', '2024-03-05T00:00:00.000Z'],
    ['Samstag, 5. Oktober 2013', '2013-10-05T00:00:00.000Z'],
    ['le 7 août 2020', '2020-08-07T00:00:00.000Z'],
    ['5 de marzo de 2024', '2024-03-05T00:00:00.000Z'],
    ['5 марта 2024 г.', '2024-03-05T00:00:00.000Z'],
    ['2024年3月5日', '2024-03-05T00:00:00.000Z'],
    ['2024年03月05日 10:20', '2024-03-05T10:20:00.000Z'],
    ['2024년 3월 5일', '2024-03-05T00:00:00.000Z'],
    ['26.02.2020', '2020-02-26T00:00:00.000Z'],
    ['2020/02/26', '2020-02-26T00:00:00.000Z'],
    ['20200226', '2020-02-26T00:00:00.000Z'],
    ['25/12/2021', '2021-12-25T00:00:00.000Z'],
    ['الأربعاء، 07 أكتوبر 2020 - 12:09 م', '2020-10-07T12:09:00.000Z'],
    ['5 במרץ 2024', '2024-03-05T00:00:00.000Z'],
    ['05 मार्च 2024', '2024-03-05T00:00:00.000Z'],
    ['5. marraskuuta 2020', '2020-11-05T00:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });

  test('reads 03/04/2024 by the custom of the place', () => {
    expect(iso('03/04/2024', true)).toBe('2024-03-04T00:00:00.000Z');
    expect(iso('03/04/2024', false)).toBe('2024-04-03T00:00:00.000Z');
  });

  test.each([
    '',
    'yesterday',
    '2024',
    'March 2024',
    '2024-13-01',
    '2024-02-30',
    'version 10.2.3',
    'chapter 5 many 2024',
  ])('sees no date in %j', (text) => {
    expect(iso(text)).toBeUndefined();
  });
});

test('the day is that which is written, wherever the clock stands in UTC', () => {
  expect(readDate('2024-03-05T23:20:30-05:00')).toEqual({
    time: Date.UTC(2024, 2, 6, 4, 20, 30),
    day: '2024-03-05',
  });
  expect(readDate('2024-03-05T00:00:00+09:00')).toEqual({ time: Date.UTC(2024, 2, 5), day: '2024-03-05' });
});
