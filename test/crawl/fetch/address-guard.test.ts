import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import {
  createAddressGuard,
  isOnOwnNetwork,
  RefusedAddress,
  type Resolve,
} from '../../../src/crawl/fetch/address-guard.ts';
import { openSite } from '../../site.ts';
import { openCrawler } from '../rig.ts';

const guard = createAddressGuard();
const intranet = createAddressGuard({ allowPrivate: true });
const url = (text: string) => new URL(text);

/**
 * The first and the last address of every block that is not for the public: the special-purpose registries of IANA for
 * IPv4 and IPv6 (RFC 6890 and what came since), multicast, and IPv6 outside of 2000::/3, which nobody has been given.
 */
const nowhere = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.9', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.52.193.0', '192.175.48.0'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.254', '255.255.255.255'],
  ['::', '::1', '::2'],
  ['::7f00:1', '::a00:1', '::ffff:0:7f00:1'],
  ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:7f00:1'],
  ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::1'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', '2001:1::1', '2001:2::1', '2001:1ff:ffff::1'],
  ['2001:10::', '2001:1f:ffff::1', '2001:20::1', '2001:30::1'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:7f00:1::', '2002:808:808::1'],
  ['3fff::', '3fff:fff:ffff::1'],
  ['5f00::', '5f00:ffff::1'],
  ['1::1', '1fff:ffff::1', '4000::', '9000::1', 'e000::1', 'fbff:ffff::1'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff::1'],
  ['fec0::', 'feff:ffff::1'],
  ['ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
].flat();

const somewhere = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2a00:1450:4001::1',
  '3ffe:ffff::1',
  '2606:4700:4700::1111',
  '::ffff:8.8.8.8',
];

const literal = (address: string) => (address.includes(':') ? `http://[${address}]/` : `http://${address}/`);

function lookup(resolve: Resolve, hostname: string, options = {}): Promise<LookupAddress[]> {
  const { lookup } = createAddressGuard({ ...options, resolve }).connectionTo(hostname, '');
  return new Promise((done, fail) => {
    lookup(hostname, { all: true }, (error, addresses) =>
      error ? fail(error) : done(addresses as LookupAddress[]),
    );
  });
}

describe('an address outside the public internet', () => {
  test.each(nowhere)(
    '%s is refused as a literal, as an answer of the resolver and as a peer',
    async (address) => {
      expect(() => guard.checkUrl(url(literal(address)))).toThrow(RefusedAddress);
      expect(() => guard.connectionTo('a.example', '').checkPeer(address)).toThrow(RefusedAddress);
      await expect(lookup(async () => [address], 'name.example')).rejects.toThrow(RefusedAddress);
    },
  );

  test.each([
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://0/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[fe80::1%25eth0]/',
    'http://127.0.0.1./',
    'http://１２７.０.０.１/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:0:0:1]/',
  ])('%s is refused in its odd spelling', (spelling) => {
    // A spelling that is no URL cannot be asked either.
    if (URL.canParse(spelling)) expect(() => guard.checkUrl(url(spelling))).toThrow(RefusedAddress);
  });
});

describe('a public address', () => {
  test.each(somewhere)('%s may be asked', async (address) => {
    guard.checkUrl(url(literal(address)));
    guard.connectionTo('a.example', '').checkPeer(address);
    expect(await lookup(async () => [address], 'name.example')).toEqual([
      { address, family: address.includes(':') ? 6 : 4 },
    ]);
  });
});

test.each(['localhost', 'localhost.', 'LOCALHOST', 'sub.localhost', 'ip6-localhost'])(
  '%s is refused for what it resolves to',
  async (name) => {
    const resolve: Resolve = async (asked) => (/localhost\.?$/i.test(asked) ? ['127.0.0.1', '::1'] : []);
    await expect(lookup(resolve, url(`http://${name}/`).hostname)).rejects.toThrow(RefusedAddress);
  },
);

test('a name with one private address among public ones is refused', async () => {
  await expect(lookup(async () => ['8.8.8.8', '10.0.0.1'], 'mixed.example')).rejects.toThrow(RefusedAddress);
});

test('a name without an address is not found, not refused', async () => {
  await expect(lookup(async () => [], 'none.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('the resolver is called once for a connection, which goes to one of its addresses', async () => {
  const answers = [['8.8.8.8'], ['127.0.0.1']];
  let asked = 0;
  const resolve: Resolve = async () => answers[asked++] ?? [];
  expect(await lookup(resolve, 'rebind.example')).toEqual([{ address: '8.8.8.8', family: 4 }]);
  expect(asked).toBe(1);
  await expect(lookup(resolve, 'rebind.example')).rejects.toThrow(RefusedAddress);
});

test('a connector that wants a single address gets one that was checked', () => {
  const guarded = createAddressGuard({ resolve: async () => ['8.8.8.8', '1.1.1.1'] });
  const { lookup } = guarded.connectionTo('name.example', '');
  return new Promise<void>((done) => {
    lookup('name.example', {}, (error, address, family) => {
      expect([error, address, family]).toEqual([null, '8.8.8.8', 4]);
      done();
    });
  });
});

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'https://user:secret@example.com/',
  'http://example.com:22/',
  'http://example.com:6379/',
  'data:text/html,x',
  'javascript:alert(1)',
  'gopher://example.com/',
  'ws://example.com/',
  'http://user@example.com/',
  'http://:secret@example.com/',
])('%s is refused', (text) => {
  expect(() => guard.checkUrl(url(text))).toThrow(RefusedAddress);
});

test.each([
  'http://example.com/',
  'https://example.com:8443/',
  'http://example.com:8080/',
  'http://example.com:443/',
])('%s may be asked', (text) => {
  guard.checkUrl(url(text));
});

test('a closed socket has no peer and is refused', () => {
  expect(() => guard.connectionTo('a.example', '').checkPeer(undefined)).toThrow(RefusedAddress);
});

describe('with allowPrivate', () => {
  test.each(['127.0.0.1', '10.1.2.3', '192.168.1.1', '100.64.0.1', '::1', 'fd12:3456::1', '8.8.8.8'])(
    '%s may be asked on any port',
    (address) => {
      intranet.checkUrl(url(literal(address).replace(/\/$/, ':3000/')));
      intranet.connectionTo('a.example', '3000').checkPeer(address);
    },
  );

  test.each(['169.254.169.254', 'fe80::1', '0.0.0.0', '224.0.0.1', '64:ff9b::7f00:1'])(
    '%s stays refused',
    (address) => {
      expect(() => intranet.checkUrl(url(literal(address)))).toThrow(RefusedAddress);
    },
  );

  test('schemes and credentials are checked all the same', () => {
    expect(() => intranet.checkUrl(url('file:///etc/passwd'))).toThrow(RefusedAddress);
    expect(() => intranet.checkUrl(url('http://user@127.0.0.1/'))).toThrow(RefusedAddress);
  });
});

describe('with rules for private addresses', () => {
  const { allowPrivate } = readConfig({
    GLEANER_ALLOW_PRIVATE: 'wiki.corp, *.dev.corp:8000, 10.1.0.0/16:*, [fd00::/8]:3000, 192.168.1.7',
  });
  const opens = async (text: string, addresses: readonly string[] = []): Promise<boolean> => {
    const { checkUrl, connectionTo } = createAddressGuard({ allowPrivate, resolve: async () => addresses });
    const { hostname, port, href } = new URL(text);
    try {
      checkUrl(url(href));
      const connection = connectionTo(hostname, port);
      if (addresses.length > 0)
        await new Promise<void>((done, fail) =>
          connection.lookup(hostname, { all: true }, (error) => (error ? fail(error) : done())),
        );
      for (const address of addresses) connection.checkPeer(address);
      return true;
    } catch (error) {
      if (!(error instanceof RefusedAddress)) throw error;
      return false;
    }
  };

  test.each([
    ['http://wiki.corp/', ['172.16.0.1'], true],
    ['http://wiki.corp:8443/', ['172.16.0.1'], true],
    ['http://wiki.corp:9000/', ['172.16.0.1'], false],
    ['http://a.wiki.corp/', ['172.16.0.1'], false],
    ['http://evilwiki.corp/', ['172.16.0.1'], false],
    ['http://a.b.dev.corp:8000/', ['127.0.0.1'], true],
    ['http://dev.corp:8000/', ['127.0.0.1'], false],
    ['http://a.dev.corp/', ['127.0.0.1'], false],
    ['http://any.example:9/', ['10.1.200.3'], true],
    ['http://any.example:9/', ['10.2.0.1'], false],
    ['http://any.example:9/', ['10.1.0.1', '10.2.0.1'], false],
    ['http://any.example:9/', ['8.8.8.8'], false],
    ['http://any.example/', ['8.8.8.8'], true],
    ['http://10.1.2.3:22/', [], true],
    ['http://[::ffff:10.1.2.3]:22/', [], true],
    ['http://10.2.2.3/', [], false],
    ['http://[fd12::1]:3000/', [], true],
    ['http://[fd12::1]/', [], false],
    ['http://192.168.1.7/', [], true],
    ['http://192.168.1.8/', [], false],
    ['http://127.0.0.1/', [], false],
    ['http://wiki.corp/', ['169.254.169.254'], false],
  ])('%s at %j: %s', async (text, addresses, is) => {
    expect(await opens(text, addresses)).toBe(is);
  });

  test('a redirect out of what is open is refused, and other hosts keep the pace of a second', async () => {
    const site = await openSite({ '/robots.txt': '' });
    site.pages.set('/away', { status: 302, headers: { location: `http://localhost:${site.port}/secret` } });
    const { allowPrivate: oneHost } = readConfig({ GLEANER_ALLOW_PRIVATE: `127.0.0.1:${site.port}` });
    const { visitor } = openCrawler({ allowPrivate: oneHost, resolve: async () => ['127.0.0.2'] });
    expect((await visitor.visit(site.url('/away'))).visit).toMatchObject({
      kind: 'never',
      why: expect.stringMatching(/not on the public internet/),
    });
    expect(site.timesAsked('/secret')).toBe(0);
    const { isNamed } = createAddressGuard({ allowPrivate: oneHost });
    expect([isNamed(url(site.url('/'))), isNamed(url('http://example.org/'))]).toEqual([true, false]);
  });
});

test('no refusal echoes the address', async () => {
  for (const address of nowhere) {
    const refusals = [
      await lookup(async () => [address], 'name.example').catch((error: Error) => error.message),
      await Promise.resolve()
        .then(() => guard.checkUrl(url(literal(address))))
        .catch((error: Error) => error.message),
    ];
    for (const message of refusals) expect(message).toBe('the host is not on the public internet');
  }
});

test.each([
  ['127.0.0.1', [], true],
  ['[::1]', [], true],
  ['wiki.corp', ['10.1.2.3', 'fd00::1'], true],
  ['both.example', ['10.1.2.3', '93.184.215.14'], false],
  ['93.184.215.14', [], false],
  ['nowhere.example', [], false],
])('%s with the addresses %j is on an own network: %s', async (hostname, addresses, is) => {
  expect(await isOnOwnNetwork(hostname, async () => addresses)).toBe(is);
});
