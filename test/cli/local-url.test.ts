import { expect, test } from 'vitest';
import { localUrl } from '../../src/cli/local-url.ts';

test.each([
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://search.example:80', 'http://search.example'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['http://0.0.0.0:8080', 'http://localhost:8080'],
  ['http://[::]:8080', 'http://localhost:8080'],
])('a service at %s is asked at %s', (url, local) => {
  expect(localUrl(url)).toBe(local);
});
