import { expect, test } from 'vitest';
import { addressBlock } from '../../src/limits/address-block.ts';

test.each([
  ['192.0.2.1', '::ffff:192.0.2.1'],
  ['192.0.2.1', '::ffff:c000:201'],
  ['192.0.2.1', '64:ff9b::192.0.2.1'],
  ['192.0.2.1', '2002:c000:201:5:6::7'],
  ['2001:db8:1:2::1', '2001:DB8:1:2:3:4:5:6'],
  ['2001:db8:1:2::1', '2001:db8:1:2::1%eth0'],
])('%s and %s are one client', (one, other) => {
  expect(addressBlock(other)).toEqual(addressBlock(one));
  expect(addressBlock(one)).toBeDefined();
});

test.each([
  ['192.0.2.1', '192.0.2.2'],
  ['192.0.2.1', '1.192.0.2'],
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['2001:db8:1:2::1', '2001:db9:1:2::1'],
  ['::1', '127.0.0.1'],
  ['0.0.0.1', '::1'],
])('%s and %s are two', (one, other) => {
  expect(addressBlock(other)).not.toEqual(addressBlock(one));
});

test.each(['', 'unknown', '_hidden', '1.2.3', '1.2.3.4.5', '0x7f.1', '127.1', '1.2.3.4:80', '[::1]', '::g'])(
  '%j is no address',
  (text) => {
    expect(addressBlock(text)).toBeUndefined();
  },
);
