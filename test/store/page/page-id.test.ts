import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPageId, pageId, pageIdBytes, pageIdFromBytes } from '../../../src/store/page/page-id.ts';

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

test('ids and their raw bytes say the same, and sort alike', () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      expect(pageIdBytes(pageIdFromBytes(one))).toEqual(one);
      expect(pageIdFromBytes(one) < pageIdFromBytes(other)).toBe(Buffer.compare(one, other) < 0);
    }),
  );
  expect(() => pageIdBytes('no id')).toThrow(RangeError);
});
