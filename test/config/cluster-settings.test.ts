import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const inCluster = {
  GLEANER_INDEX: 'opensearch',
  OPENSEARCH_URL: 'https://a.example:9200/, http://127.0.0.1:9201',
};

test('the index is in the data folder unless a setting says otherwise', () => {
  expect(readConfig({}).cluster).toBeUndefined();
  expect(readConfig({ OPENSEARCH_URL: 'http://127.0.0.1:9200' }).cluster).toBeUndefined();
});

test('a cluster has several nodes, shards and a prefix', () => {
  expect(readConfig(inCluster).cluster).toEqual({
    urls: ['https://a.example:9200', 'http://127.0.0.1:9201'],
    auth: undefined,
    ca: undefined,
    prefix: 'gleaner-',
    shards: 3,
    replicas: 1,
  });
});

test('one of several machines that crawl has a number', () => {
  expect(readConfig({ ...inCluster, GLEANER_PART: '2/3' }).cluster?.part).toEqual({ number: 2, of: 3 });
  expect(readConfig(inCluster).cluster?.part).toBeUndefined();
});

test('secrets come from files, and are shown by nothing', () => {
  const file = join(temporaryFolder(), 'secret');
  writeFileSync(file, 'hunter2\n');
  const { cluster } = readConfig({ ...inCluster, OPENSEARCH_USER: 'me', OPENSEARCH_PASSWORD_FILE: file });
  expect(cluster?.auth).toMatchObject({ kind: 'password', user: 'me' });
  expect(cluster?.auth?.kind === 'password' && cluster.auth.password.reveal()).toBe('hunter2');
  expect(JSON.stringify(cluster)).not.toContain('hunter2');
  const byKey = readConfig({ ...inCluster, OPENSEARCH_API_KEY_FILE: file }).cluster?.auth;
  expect(byKey?.kind === 'api key' && byKey.key.reveal()).toBe('hunter2');
});

test.each([
  [{ GLEANER_INDEX: 'elsewhere' }, /GLEANER_INDEX: must be embedded or opensearch/],
  [{ GLEANER_INDEX: 'opensearch' }, /GLEANER_INDEX: opensearch needs OPENSEARCH_URL/],
  [{ ...inCluster, OPENSEARCH_URL: 'a.example:9200' }, /OPENSEARCH_URL: must be http or https/],
  [{ ...inCluster, OPENSEARCH_URL: 'https://me:secret@a.example' }, /OPENSEARCH_URL: must have no user/],
  [{ ...inCluster, OPENSEARCH_USER: 'me' }, /OPENSEARCH_USER: needs OPENSEARCH_PASSWORD/],
  [
    { ...inCluster, OPENSEARCH_CA_FILE: '/nonexistent/ca' },
    /OPENSEARCH_CA_FILE: names a file that cannot be read/,
  ],
  [{ ...inCluster, OPENSEARCH_PREFIX: 'Other*' }, /OPENSEARCH_PREFIX: must be lower case/],
  [{ ...inCluster, OPENSEARCH_SHARDS: '0' }, /OPENSEARCH_SHARDS: must be at least 1/],
  [{ ...inCluster, GLEANER_PART: '3/2' }, /GLEANER_PART: must be a number and how many there are/],
  [{ ...inCluster, GLEANER_PART: '0/2' }, /GLEANER_PART: must be a number/],
  [{ ...inCluster, GLEANER_PART: '1/300' }, /GLEANER_PART: .*of at most 256/],
  [{ GLEANER_PART: '1/2' }, /GLEANER_PART: needs GLEANER_INDEX=opensearch/],
] as const)('%j is refused in words', (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});
