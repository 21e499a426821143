/**
 * Writes every UTF-16 unit by itself in one to three bytes, as UTF-8 writes a code point (CESU-8), so that any two
 * strings differ in their bytes. Returns where it ends; `into` must have room for three bytes a unit.
 */
export function encodeTerm(term: string, into: Uint8Array, start: number): number {
  let at = start;
  for (let place = 0; place < term.length; place++) {
    const unit = term.charCodeAt(place);
    if (unit < 0x80) into[at++] = unit;
    else {
      if (unit < 0x800) into[at++] = 0xc0 | (unit >> 6);
      else {
        into[at++] = 0xe0 | (unit >> 12);
        into[at++] = 0x80 | ((unit >> 6) & 63);
      }
      into[at++] = 0x80 | (unit & 63);
    }
  }
  return at;
}

/** Back from what `encodeTerm` wrote. */
export function decodeTerm(bytes: Uint8Array, start: number, end: number): string {
  let term = '';
  for (let at = start; at < end; ) {
    const first = bytes[at++] as number;
    let unit = first;
    if (first >= 0xe0) unit = ((first & 15) << 12) | (((bytes[at++] as number) & 63) << 6);
    else if (first >= 0xc0) unit = (first & 31) << 6;
    if (first >= 0xc0) unit |= (bytes[at++] as number) & 63;
    term += String.fromCharCode(unit);
  }
  return term;
}

/** FNV-1a, finished as MurmurHash3 is, so that the upper bits are as good as the lower ones. Unsigned, 32 bits. */
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
  for (let at = start; at < end; at++) hash = mix(hash, bytes[at] as number);
  return hash;
}

export function finish(mixed: number): number {
  let hash = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** As `memcmp`, and the shorter of two that begin alike is below. */
export function compareBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const shared = Math.min(aEnd - aStart, bEnd - bStart);
  for (let at = 0; at < shared; at++) {
    const difference = (a[aStart + at] as number) - (b[bStart + at] as number);
    if (difference !== 0) return difference;
  }
  return aEnd - aStart - (bEnd - bStart);
}
