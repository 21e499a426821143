/**
 * Encodes each UTF-16 unit in one to three bytes, as UTF-8 encodes a code point (CESU-8), so that different strings have
 * different bytes. Returns the end offset; `into` must have room for three bytes for each unit.
 */
export function encodeTerm(term: string, into: Uint8Array, start: number): number {
  let offset = start;
  for (let index = 0; index < term.length; index++) {
    const unit = term.charCodeAt(index);
    if (unit < 0x80) into[offset++] = unit;
    else {
      if (unit < 0x800) into[offset++] = 0xc0 | (unit >> 6);
      else {
        into[offset++] = 0xe0 | (unit >> 12);
        into[offset++] = 0x80 | ((unit >> 6) & 63);
      }
      into[offset++] = 0x80 | (unit & 63);
    }
  }
  return offset;
}

/** The inverse of `encodeTerm`. */
export function decodeTerm(bytes: Uint8Array, start: number, end: number): string {
  let term = '';
  for (let offset = start; offset < end; ) {
    const first = bytes[offset++] as number;
    let unit = first;
    if (first >= 0xe0) unit = ((first & 15) << 12) | (((bytes[offset++] as number) & 63) << 6);
    else if (first >= 0xc0) unit = (first & 31) << 6;
    if (first >= 0xc0) unit |= (bytes[offset++] as number) & 63;
    term += String.fromCharCode(unit);
  }
  return term;
}

/** FNV-1a with the finalizer of MurmurHash3, so that the upper bits are as good as the lower ones. Unsigned, 32 bits. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  return finish(mixBytes(bytes, start, end));
}

export const firstHash = 0x811c9dc5;

/** One step of the hash, by one byte. */
export function mix(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

export function mixBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = firstHash;
  for (let offset = start; offset < end; offset++) hash = mix(hash, bytes[offset] as number);
  return hash;
}

/** The finalizer of MurmurHash3, a bijection of the numbers of 32 bits. */
export function finish(mixed: number): number {
  let hash = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** As `memcmp`; a prefix of the other is below it. */
export function compareBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const shared = Math.min(aEnd - aStart, bEnd - bStart);
  for (let offset = 0; offset < shared; offset++) {
    const difference = (a[aStart + offset] as number) - (b[bStart + offset] as number);
    if (difference !== 0) return difference;
  }
  return aEnd - aStart - (bEnd - bStart);
}
