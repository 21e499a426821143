/**
 * Escapes of letters, digits and `-._~`, unless a stray `%` before them would make another escape of what they stand for.
 */
const escapeOfUnreserved = /(?<!%[0-9a-f]?)%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/gi;

/**
 * A URL, or a part of one, with the characters themselves in place of escapes of unreserved characters, which mean the same
 * (RFC 3986 section 6.2.2.2). Idempotent.
 */
export function decodeUnreserved(url: string): string {
  if (!url.includes('%')) return url;
  return url.replace(escapeOfUnreserved, (octet) => String.fromCharCode(Number.parseInt(octet.slice(1), 16)));
}
