import { expect, test } from 'vitest';
import { isPageId, pageId } from '../../src/store/page-id.ts';

test('an id is the first 16 bytes of SHA-256 in Crockford base32', () => {
  // By Python: base64.b32encode(hashlib.sha256(url).digest()[:16]) with RFC 4648's letters replaced by Crockford's.
  expect(pageId('https://example.com/')).toBe('1w8nvc32pz0dt0rb2t3rs6eymm');
});

test('ids have 26 characters of their alphabet, and other strings are not ids', () => {
  expect(isPageId(pageId('https://example.org/?q=1'))).toBe(true);
  for (const text of ['', 'a'.repeat(25), 'u'.repeat(26), 'A'.repeat(26), '../../etc/passwd']) {
    expect(isPageId(text)).toBe(false);
  }
});
