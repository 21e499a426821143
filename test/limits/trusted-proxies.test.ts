import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forwardedAddresses } from '../../src/limits/forwarded.ts';
import { clientAddress, noProxies, parseTrustedProxies } from '../../src/limits/trusted-proxies.ts';

function clientOf(trust: string, connection: string, forwardedFor: string): string | undefined {
  const trusted = parseTrustedProxies(trust);
  if (!trusted) throw new Error(`${trust} is not read`);
  return clientAddress(connection, forwardedAddresses('x-forwarded-for', forwardedFor), trusted);
}

describe('whose word counts', () => {
  test.each([
    // [trusted, the connection's address, X-Forwarded-For, the client]
    ['0', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['10.0.0.0/8', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['10.0.0.0/8', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['10.0.0.0/8', '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['10.0.0.0/8', '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['10.0.0.0/8, fd00::/8', 'fd00::1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
    ['10.0.0.0/8', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['127.0.0.1', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['127.0.0.1', '127.0.0.2', '203.0.113.9', '127.0.0.2'],
    ['10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['10.0.0.0/8', '10.0.0.1', '', '10.0.0.1'],
    ['1', '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['2', '10.0.0.1', '1.1.1.1, 203.0.113.9, 198.51.100.1', '203.0.113.9'],
    ['2', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ])('trusting %j, a request by %s that says %j is from %s', (trust, connection, header, client) => {
    expect(clientOf(trust, connection, header)).toBe(client);
  });

  test('a trusted proxy that names no address stands for its client', () => {
    expect(clientOf('10.0.0.0/8', '10.0.0.1', '1.1.1.1, unknown')).toBe('10.0.0.1');
    expect(clientOf('10.0.0.0/8', '10.0.0.1', '1.1.1.1, unknown, 10.0.0.2')).toBe('10.0.0.2');
  });

  test('nothing is known of a connection that is gone', () => {
    expect(clientAddress(undefined, ['1.1.1.1'], { hops: 1 })).toBeUndefined();
  });

  test('whatever a client sends before what its proxy adds, it stays the same client', () => {
    const trusted = parseTrustedProxies('10.0.0.0/8') ?? noProxies;
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.constant('10.0.0.7')), (sent) => {
        const header = `${sent}, 203.0.113.9`;
        const forwarded = forwardedAddresses('x-forwarded-for', header);
        expect(clientAddress('10.0.0.1', forwarded, trusted)).toBe(
          // A quote that stays open swallows what the proxy added: then the proxy stands for its client.
          sent.includes('"') ? clientAddress('10.0.0.1', forwarded, trusted) : '203.0.113.9',
        );
      }),
    );
  });
});

describe('the setting', () => {
  test.each([
    '',
    ' ',
    '-1',
    '1.5',
    '33',
    'all',
    'loopback',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '::/129',
    '10.0.0.0/8,',
    'example.com',
    '10.0.0/8',
    'fe80::1%eth0',
  ])('%j is refused', (text) => {
    expect(parseTrustedProxies(text)).toBeUndefined();
  });
});

describe('the headers', () => {
  test.each([
    ['192.0.2.1, 198.51.100.2', ['192.0.2.1', '198.51.100.2']],
    [
      '192.0.2.1:4711,[2001:db8::1]:80 , 2001:db8::2, [2001:db8::3]',
      ['192.0.2.1', '2001:db8::1', '2001:db8::2', '2001:db8::3'],
    ],
    ['unknown, , 1.2.3, 1.2.3.4:port, [1.2.3.4]', [undefined, undefined, undefined, undefined, undefined]],
    [' ', []],
  ])('X-Forwarded-For: %s', (value, addresses) => {
    expect(forwardedAddresses('x-forwarded-for', value)).toEqual(addresses);
  });

  test.each([
    ['for=192.0.2.60;proto=http;by=203.0.113.43', ['192.0.2.60']],
    ['For="[2001:db8:cafe::17]:4711"', ['2001:db8:cafe::17']],
    ['for=192.0.2.43, for=198.51.100.17', ['192.0.2.43', '198.51.100.17']],
    ['for="192.0.2.43:80" , for="_gazonk"', ['192.0.2.43', undefined]],
    ['proto=https;host="a,for=1.1.1.1;b", for=192.0.2.43', [undefined, '192.0.2.43']],
    ['for=192.0.2.1;for=192.0.2.2, by=192.0.2.3', [undefined, undefined]],
    ['192.0.2.1', [undefined]],
  ])('Forwarded: %s', (value, addresses) => {
    expect(forwardedAddresses('forwarded', value)).toEqual(addresses);
  });

  test('only the last of very many hops are read', () => {
    const value = [...Array<string>(5000).fill('1.1.1.1'), '192.0.2.1'].join(',');
    const addresses = forwardedAddresses('x-forwarded-for', value);
    expect(addresses).toHaveLength(32);
    expect(addresses.at(-1)).toBe('192.0.2.1');
  });
});
