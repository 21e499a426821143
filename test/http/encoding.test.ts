import { expect, test } from 'vitest';
import { chooseEncoding } from '../../src/http/encoding.ts';

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['identity', undefined],
  ['br;q=0, gzip;q=0', undefined],
  ['br;q=x', undefined],
  ['', undefined],
  [undefined, undefined],
])('for %j the encoding is %j', (header, encoding) => {
  expect(chooseEncoding(header, 5000)).toBe(encoding);
});

test('what is small stays as it is', () => {
  expect(chooseEncoding('br', 1023)).toBeUndefined();
  expect(chooseEncoding('br', 1024)).toBe('br');
});
