import { hash } from 'node:crypto';

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';
const idBytes = 16;
/** The two characters of each number of ten bits. */
const characterPairs = [...crockford].flatMap((first) => [...crockford].map((second) => first + second));

/**
 * The id of the page at a canonical URL: the first 16 bytes of SHA-256 of the URL in 26 characters of lower-case
 * Crockford base32 (the last character carries three bits). The same URL has the same id in every index.
 */
export function pageId(canonicalUrl: string): string {
  return pageIdFromBytes(hash('sha256', canonicalUrl, 'buffer'));
}

/** The id for its 16 raw bytes, which begin at an offset. Ids sort in the order of their bytes. */
export function pageIdFromBytes(bytes: Uint8Array, from = 0): string {
  let id = '';
  let bits = 0;
  let held = 0;
  for (let at = from; at < from + idBytes; at++) {
    held = (held << 8) | (bytes[at] as number);
    bits += 8;
    if (bits < 10) continue;
    bits -= 10;
    id += characterPairs[held >>> bits];
    held &= (1 << bits) - 1;
  }
  return id + characterPairs[held << (10 - bits)];
}

/** The 16 raw bytes of an id. Throws `RangeError` for what `isPageId` refuses. */
export function pageIdBytes(id: string): Uint8Array {
  if (!isPageId(id)) throw new RangeError(`not a page id: ${id}`);
  const bytes = new Uint8Array(idBytes);
  let at = 0;
  let bits = 0;
  let held = 0;
  for (const character of id) {
    held = (held << 5) | crockford.indexOf(character);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >>> bits;
    held &= (1 << bits) - 1;
  }
  return bytes;
}

/** Whether a string has the form of an id; says nothing about whether such a page exists. */
export function isPageId(text: string): boolean {
  return /^[0-9a-hjkmnp-tv-z]{26}$/.test(text);
}
