import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig, settings } from '../../src/config/config.ts';
import { platformDataFolder } from '../../src/config/platform-data-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('the command line comes before the environment, the environment before the default', () => {
  const environment = { GLEANER_PORT: '1', GLEANER_HOST: '::1', GLEANER_DATA: '/tmp/a' };
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 8080, allowPrivate: false });
  expect(readConfig(environment)).toMatchObject({ host: '::1', port: 1, dataFolder: '/tmp/a' });
  expect(readConfig(environment, { GLEANER_PORT: '2' })).toMatchObject({ host: '::1', port: 2 });
});

test('an empty variable counts as not set', () => {
  expect(readConfig({ GLEANER_PORT: '' }).port).toBe(8080);
});

test('an empty data folder is an error, not the default one', () => {
  expect(() => readConfig({ GLEANER_DATA: '' })).toThrow(/GLEANER_DATA: must not be empty \(--data\)/);
  expect(() => readConfig({ GLEANER_DATA: '/tmp/a' }, { GLEANER_DATA: '' })).toThrow(/must not be empty/);
  expect(readConfig({ GLEANER_DATA: '' }, { GLEANER_DATA: '/tmp/a' }).dataFolder).toBe('/tmp/a');
});

test('the threads of searches are a number, by default of the cores', () => {
  const threads = (value?: string, workers = '1') =>
    readConfig({ GLEANER_WORKERS: workers, ...(value && { GLEANER_SEARCH_THREADS: value }) }).searchThreads;
  const cores = availableParallelism();
  expect(threads()).toBe(Math.min(3, cores - 1));
  expect(threads(undefined, String(cores))).toBe(0);
  expect(threads(undefined, '256')).toBe(0);
  expect(threads('0')).toBe(0);
  expect(threads('16')).toBe(16);
  for (const wrong of ['17', '-1', '1.5', 'auto', '100'])
    expect(() => threads(wrong)).toThrow(/GLEANER_SEARCH_THREADS: must be a whole number from 0 to 16/);
});

test('every setting that is wrong is named, its value is not', () => {
  const read = () =>
    readConfig({ GLEANER_PORT: 'secret', GLEANER_LOG: 'loud', GLEANER_ALLOW_PRIVATE: 'no one' });
  expect(read).toThrow(/GLEANER_PORT.*GLEANER_ALLOW_PRIVATE.*GLEANER_LOG/);
  expect(read).not.toThrow(/secret/);
});

test.each([
  ['*', '*'],
  ['none', []],
  ['https://a.example, http://localhost:3000', ['https://a.example', 'http://localhost:3000']],
])('origins %j', (list, origins) => {
  expect(readConfig({ GLEANER_CORS_ORIGINS: list }).origins).toEqual(origins);
});

test.each(['a.example', 'https://a.example/', 'https://a.example,', 'null'])('%j is no origin', (list) => {
  expect(() => readConfig({ GLEANER_CORS_ORIGINS: list })).toThrow(/GLEANER_CORS_ORIGINS.*https:/);
});

describe('a file of settings', () => {
  const fileOf = (text: string) => {
    const path = join(temporaryFolder(), 'gleaner.conf');
    writeFileSync(path, text);
    return path;
  };

  test('comes after the environment and before the defaults', () => {
    const file = fileOf(
      '\uFEFF# ours\n\nGLEANER_PORT=1\r\n GLEANER_HOST = "::1" \nGLEANER_DATA=\'/tmp/a b\'\n',
    );
    const environment = { GLEANER_PORT: '2', GLEANER_DATA: '' };
    expect(readConfig(environment, { GLEANER_HOST: '::2' }, file)).toMatchObject({ host: '::2', port: 2 });
    expect(readConfig({}, {}, file)).toMatchObject({ host: '::1', port: 1, dataFolder: '/tmp/a b' });
  });

  test('is refused with the number of every bad line, and none of their values', () => {
    const read = () =>
      readConfig({}, {}, fileOf('GLEANER_PROT=secret\nsecret\nGLEANER_PORT=1\nGLEANER_PORT=secret'));
    expect(read).toThrow(/line 1: GLEANER_PROT is no setting.*line 2: must be NAME=value.*line 4: .*twice/);
    expect(read).not.toThrow(/secret/);
  });

  test('that is missing is named', () => {
    expect(() => readConfig({}, {}, '/nonexistent/gleaner.conf')).toThrow(
      /gleaner.conf could not be read \(ENOENT\)/,
    );
  });
});

test('the data folder follows the platform', () => {
  expect(platformDataFolder('linux', { XDG_DATA_HOME: '/x' })).toBe('/x/gleaner');
  expect(platformDataFolder('darwin', {})).toMatch(/Library\/Application Support\/gleaner$/);
  expect(platformDataFolder('win32', { LOCALAPPDATA: 'C:\\Data' })).toMatch(/gleaner$/);
});

test('limits and proxies are read from their settings', () => {
  expect(readConfig({})).toMatchObject({
    limits: {
      search: { perMinute: 60, burst: 20 },
      content: { perMinute: 120, burst: 40 },
      fallback: { perMinute: 10, burst: 5 },
      inFlight: 4,
      maxInFlight: 256,
    },
    trustedProxies: { hops: 0 },
    proxyHeader: 'x-forwarded-for',
    metrics: 'private',
  });
  const set = readConfig({
    GLEANER_SEARCH_LIMIT: 'off',
    GLEANER_CONTENT_LIMIT: '7/3',
    GLEANER_TRUST_PROXY: '2',
    GLEANER_PROXY_HEADER: 'Forwarded',
  });
  expect(set).toMatchObject({
    limits: { search: 'off', content: { perMinute: 7, burst: 3 } },
    trustedProxies: { hops: 2 },
    proxyHeader: 'forwarded',
  });
});

test.each([
  ['GLEANER_SEARCH_LIMIT', ['60', '60/0', '0/5', '1.5/2', '-1/2', '60/20/5', 'none']],
  ['GLEANER_IN_FLIGHT_LIMIT', ['0', '-1', '1e3', 'four']],
  ['GLEANER_TRUST_PROXY', ['yes', '10.0.0.0/40', 'proxy.example']],
  ['GLEANER_PROXY_HEADER', ['x-real-ip']],
  ['GLEANER_METRICS', ['yes']],
  ['GLEANER_TOOLS', ['all', 'search;fetch', 'search,', 'Search']],
])('%s is refused when it makes no sense, never guessed at', (name, values) => {
  for (const value of values) expect(() => readConfig({ [name]: value })).toThrow(name);
});

test('tools are those of v1 unless others are named', () => {
  expect(readConfig({}).tools).toEqual(['web_search', 'fetch_content']);
  expect(readConfig({ GLEANER_TOOLS: 'search, fetch' }).tools).toEqual(['search', 'fetch']);
});

test('a limit that is not understood never becomes none, wherever it stands', () => {
  for (const name of ['GLEANER_SEARCH_LIMIT', 'GLEANER_CONTENT_LIMIT', 'GLEANER_FALLBACK_LIMIT'] as const) {
    for (const value of ['OFF', 'off ', '60/20 ', '0/0', '99999999/1', 'unlimited', '∞']) {
      expect(() => readConfig({ [name]: value })).toThrow(`${name}: must be REQUESTS_A_MINUTE/AT_ONCE`);
      expect(() => readConfig({}, { [name]: value })).toThrow(name);
      // The schema alone refuses it, so that no second reading can take it for something else.
      expect(settings[name].schema().safeParse(value).success).toBe(false);
    }
    expect(settings[name].schema().parse('7/3')).toEqual({ perMinute: 7, burst: 3 });
    expect(settings[name].schema().parse('off')).toBe('off');
  }
});

describe('names that are no settings', () => {
  const warnings = (environment: NodeJS.ProcessEnv) => readConfig(environment).warnings;

  test.each([
    ['GLEANER_PROT', 'GLEANER_PORT'],
    ['GLEANER_DAT', 'GLEANER_DATA'],
    ['GLEANER_BRAVE_KEYFILE', 'GLEANER_BRAVE_KEY_FILE'],
    ['GLEANER_MAX_INFLIGHT', 'GLEANER_MAX_IN_FLIGHT'],
  ])('%s: did you mean %s?', (name, meant) => {
    expect(warnings({ [name]: 'secret' })).toEqual([
      `${name} in the environment is ignored: it is no setting (did you mean ${meant}?)`,
    ]);
  });

  test('no name is guessed where none is near, and other programs have theirs', () => {
    expect(warnings({ GLEANER_XYZ: '1', PATH: '/bin', MY_GLEANER_PORT: '1' })).toEqual([
      'GLEANER_XYZ in the environment is ignored: it is no setting',
    ]);
    expect(warnings({ GLEANER_PORT: '1', GLEANER_DATA: '/tmp/a' })).toEqual([]);
  });

  test('what Kubernetes sets for a service called gleaner is no mistake', () => {
    const links = { GLEANER_SERVICE_HOST: '10.0.0.1', GLEANER_PORT_8080_TCP_ADDR: '10.0.0.1' };
    expect(warnings({ ...links, GLEANER_SERVICE_PORT_HTTP: '8080', GLEANER_PORT_80_TCP: 'x' })).toEqual([]);
  });

  test('an unknown name in a file of settings gets the nearest one too', () => {
    const file = join(temporaryFolder(), 'gleaner.conf');
    writeFileSync(file, 'GLEANER_PROT=1');
    expect(() => readConfig({}, {}, file)).toThrow(
      /GLEANER_PROT is no setting \(did you mean GLEANER_PORT\?\)/,
    );
  });
});

test.each([
  [{}, 'auto'],
  [{ NO_COLOR: '' }, 'auto'],
  [{ NO_COLOR: '1' }, 'never'],
  [{ TERM: 'dumb' }, 'never'],
  [{ FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }, 'always'],
  [{ FORCE_COLOR: '0' }, 'never'],
])('colours by %j: %s', (environment, colour) => {
  expect(readConfig(environment).color).toBe(colour);
});

test('GLEANER_ALLOW_PRIVATE is all, nothing, or a list that is understood whole', () => {
  const allowed = (text: string) => readConfig({ GLEANER_ALLOW_PRIVATE: text }).allowPrivate;
  expect(['1', 'true', '0', 'false'].map(allowed)).toEqual([true, true, false, false]);
  expect(allowed('wiki.corp, *.Corp:8080, localhost:*')).toEqual([
    { host: 'wiki.corp', hasSubdomains: false, port: 'web' },
    { host: 'corp', hasSubdomains: true, port: '8080' },
    { host: 'localhost', hasSubdomains: false, port: '*' },
  ]);
  expect(allowed('10.0.0.0/8, ::1, [fd00::/8]:3000')).toMatchObject([
    { port: 'web' },
    { port: 'web' },
    { port: '3000' },
  ]);
  const wrong = [
    '2',
    'a b',
    '10.0.0.0/33',
    '10.0.0',
    'wiki.corp:99999',
    'wiki.corp:x',
    'http://wiki.corp',
    'a,',
    '*',
  ];
  for (const text of wrong)
    expect(() => allowed(text)).toThrow(/GLEANER_ALLOW_PRIVATE: must be 1 or 0, or hosts/);
});

test('access is public until it is set, and an authorisation server needs both of its addresses', () => {
  expect(readConfig({})).toMatchObject({ access: 'public', oauth: undefined });
  const issuer = 'https://login.example.com/realms/a';
  const both = { GLEANER_OAUTH_ISSUER: issuer, GLEANER_OAUTH_RESOURCE: 'https://search.example.com' };
  expect(readConfig({ GLEANER_ACCESS: 'keys', ...both })).toMatchObject({
    access: 'keys',
    oauth: {
      issuer,
      resource: both.GLEANER_OAUTH_RESOURCE,
      scope: 'gleaner',
      rate: { perMinute: 600, burst: 200 },
    },
  });
  expect(readConfig({ ...both, GLEANER_OAUTH_ISSUER: 'http://127.0.0.1:9000' }).oauth).toBeDefined();
  const wrong: [settings: Record<string, string>, message: RegExp][] = [
    [{ GLEANER_ACCESS: 'private' }, /GLEANER_ACCESS: must be public or keys/],
    [{ GLEANER_OAUTH_ISSUER: issuer }, /GLEANER_OAUTH_RESOURCE: is needed with GLEANER_OAUTH_ISSUER/],
    [{ GLEANER_OAUTH_RESOURCE: issuer }, /GLEANER_OAUTH_ISSUER: is needed with GLEANER_OAUTH_RESOURCE/],
    [
      { ...both, GLEANER_OAUTH_ISSUER: 'http://login.example.com' },
      /GLEANER_OAUTH_ISSUER: must be the issuer/,
    ],
    [{ ...both, GLEANER_OAUTH_RESOURCE: 'search' }, /GLEANER_OAUTH_RESOURCE: must be the address/],
    [{ ...both, GLEANER_OAUTH_SCOPE: 'a b' }, /GLEANER_OAUTH_SCOPE: must be one scope/],
    [{ ...both, GLEANER_OAUTH_LIMIT: 'off' }, /GLEANER_OAUTH_LIMIT: must be a rate/],
  ];
  for (const [settings, message] of wrong) expect(() => readConfig(settings)).toThrow(message);
});
