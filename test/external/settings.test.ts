import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { providerFacts, providerNames } from '../../src/external/provider-facts.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const read = (environment: NodeJS.ProcessEnv) => readConfig(environment).external;
const keyless = ['tavily', 'wikipedia', 'stackexchange', 'hackernews', 'mwmbl'];

test('without settings those are on whose terms allow use without a key', () => {
  expect(read({}).providers).toEqual(keyless);
  for (const name of read({}).providers) expect(providerFacts[name].needs).toBe('nothing');
});

test('a key or an address turns its service on, in front of those that anybody may use', () => {
  expect(read({ GLEANER_BRAVE_KEY: 'k', GLEANER_SEARXNG_URL: 'http://127.0.0.1:8888' }).providers).toEqual([
    'searxng',
    'brave',
    ...keyless,
  ]);
  expect(read({ GLEANER_MARGINALIA_KEY: 'k' }).providers).toContain('marginalia');
});

test('GLEANER_EXTERNAL chooses exactly, in its own order, or turns all off', () => {
  const key = { GLEANER_BRAVE_KEY: 'k' };
  expect(read({ ...key, GLEANER_EXTERNAL: ' Wikipedia, marginalia,wikipedia' }).providers).toEqual([
    'wikipedia',
    'marginalia',
  ]);
  expect(read({ ...key, GLEANER_EXTERNAL: 'off' }).providers).toEqual([]);
});

test.each([
  [{ GLEANER_EXTERNAL: 'bing' }, /GLEANER_EXTERNAL: must be off, or some of gleaner, searxng/],
  [{ GLEANER_EXTERNAL: 'off,brave' }, /GLEANER_EXTERNAL: must be off/],
  [{ GLEANER_EXTERNAL: 'brave' }, /GLEANER_EXTERNAL: brave needs GLEANER_BRAVE_KEY/],
  [{ GLEANER_EXTERNAL: 'searxng' }, /GLEANER_EXTERNAL: searxng needs GLEANER_SEARXNG_URL/],
  [{ GLEANER_SEARXNG_URL: 's3cret.example' }, /GLEANER_SEARXNG_URL: must be an http or https address/],
  [{ GLEANER_SEARXNG_URL: 'file:///s3cret' }, /GLEANER_SEARXNG_URL: must be an http or https address/],
  [{ GLEANER_BRAVE_KEY: 's3cret key' }, /GLEANER_BRAVE_KEY: must be printable ASCII/],
  [{ GLEANER_BRAVE_KEY_FILE: '/nowhere/s3cret' }, /GLEANER_BRAVE_KEY_FILE: names a file that cannot be read/],
  [{ GLEANER_EXTERNAL_DEADLINE_MS: '50' }, /GLEANER_EXTERNAL_DEADLINE_MS: must be .* from 100 to 30000/],
  [{ HTTPS_PROXY: 'gopher://s3cret' }, /HTTPS_PROXY: must be the address of a proxy/],
])('%o is refused by name, and not repeated', (environment, message) => {
  expect(() => read(environment)).toThrow(message);
  expect(() => read(environment)).not.toThrow(/s3cret/);
});

test('a key may be in a file, and one that is set goes before it', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'brave.key');
  writeFileSync(file, 'from-file\n');
  expect(read({ GLEANER_BRAVE_KEY_FILE: file }).keys.brave?.reveal()).toBe('from-file');
  const both = { GLEANER_BRAVE_KEY_FILE: file, GLEANER_BRAVE_KEY: 'set' };
  expect(read(both).keys.brave?.reveal()).toBe('set');
  writeFileSync(file, 'two words');
  expect(() => read({ GLEANER_BRAVE_KEY_FILE: file })).toThrow(/names a file that holds no key/);
  expect(() => read({ GLEANER_BRAVE_KEY_FILE: file })).not.toThrow(/two words/);
});

test('every service that takes a key or an address has a setting for it', () => {
  for (const name of providerNames) {
    const { needs, keySetting, urlSetting } = providerFacts[name];
    if (needs === 'key') expect(keySetting).toBeDefined();
    if (needs === 'url') expect(urlSetting).toBeDefined();
  }
});

test('proxies are taken in either case, the lower one first, and without a scheme', () => {
  const { proxies } = read({ HTTPS_PROXY: 'http://upper:1', https_proxy: 'lower:2', NO_PROXY: 'a,b' });
  expect(proxies.https.reveal()).toBe('http://lower:2');
  expect(proxies.http.reveal()).toBe('');
  expect(proxies.none.reveal()).toBe('a,b');
});

test('the settings can be printed, logged and copied without giving a secret away', () => {
  const config = readConfig({
    GLEANER_BRAVE_KEY: 's3cret',
    GLEANER_SEARXNG_URL: 'http://user:s3cret@127.0.0.1/',
    HTTPS_PROXY: 'http://user:s3cret@proxy:3128',
  });
  const { keys, urls, proxies } = config.external;
  const shown = [
    inspect(config, { depth: 10, showHidden: true }),
    JSON.stringify(config),
    `${keys.brave} ${urls.searxng} ${proxies.https}`,
    JSON.stringify({ ...keys.brave }),
  ];
  expect(shown.join()).not.toContain('s3cret');
  expect(keys.brave?.reveal()).toBe('s3cret');
});
