import { endianness } from 'node:os';
import { withRoom } from './room.ts';

/** The distinct terms of a segment, sorted by hash, then by bytes; a term's number is its place in that order. */
export interface Dictionary {
  /** Where each range of hashes begins: bucket `hash >>> shift` holds the terms from its entry to the next one's. */
  readonly termBuckets: Uint32Array;
  readonly termHashes: Uint32Array;
  readonly termOffsets: Uint32Array;
  readonly termText: Uint8Array;
}

/** Term `n` is `termText[termOffsets[n]]` to `termText[termOffsets[n + 1]]`. */
type TermBytes = Pick<Dictionary, 'termOffsets' | 'termText'>;

/** Stands for the number of a term where there is none. */
export const noTerm = 0xffff_ffff;

let scratch = new Uint8Array(1024);

/** The number of a term; -1 when the segment does not hold it. */
export function findTerm(dictionary: Dictionary, term: string): number {
  const { termBuckets, termHashes, termOffsets, termText } = dictionary;
  if (scratch.length < term.length * 3) scratch = new Uint8Array(term.length * 3);
  const length = encodeTerm(term, scratch, 0);
  const hash = hashBytes(scratch, 0, length);
  const bucket = hash >>> (32 - Math.log2(termBuckets.length - 1));
  const last = termBuckets[bucket + 1] as number;
  for (let at = termBuckets[bucket] as number; at < last; at++) {
    if (termHashes[at] !== hash) continue;
    const start = termOffsets[at] as number;
    if (compareBytes(termText, start, termOffsets[at + 1] as number, scratch, 0, length) === 0) return at;
  }
  return -1;
}

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
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
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

interface PackedTerms extends Dictionary {
  /** For each number in the dictionary the term's place in the list that was given. */
  readonly order: Uint32Array;
  /** For each place in the list that was given the term's number in the dictionary. */
  readonly ranks: Uint32Array;
}

/** A dictionary of distinct terms. */
export function packTerms(terms: readonly string[]): PackedTerms {
  const given = { termOffsets: new Uint32Array(terms.length + 1), termText: new Uint8Array(1 << 16) };
  const hashes = new Uint32Array(terms.length);
  let end = 0;
  for (const [place, term] of terms.entries()) {
    given.termText = withRoom(given.termText, end + term.length * 3);
    const start = end;
    end = encodeTerm(term, given.termText, start);
    given.termOffsets[place + 1] = end;
    hashes[place] = hashBytes(given.termText, start, end);
  }
  const order = sortTerms(given, hashes);
  const ranks = new Uint32Array(terms.length);
  const termHashes = order.map((place) => hashes[place] as number);
  const termOffsets = new Uint32Array(terms.length + 1);
  const termText = new Uint8Array(end);
  for (let number = 0; number < order.length; number++) {
    const place = order[number] as number;
    const start = termOffsets[number] as number;
    const from = given.termOffsets[place] as number;
    const length = (given.termOffsets[place + 1] as number) - from;
    for (let byte = 0; byte < length; byte++) termText[start + byte] = given.termText[from + byte] as number;
    termOffsets[number + 1] = start + length;
    ranks[place] = number;
  }
  return { termHashes, termOffsets, termText, termBuckets: bucketsOf(termHashes), order, ranks };
}

/** The places of terms in the order of a dictionary. */
function sortTerms({ termOffsets, termText }: TermBytes, hashes: Uint32Array): Uint32Array {
  const [low, high] = endianness() === 'LE' ? [0, 1] : [1, 0];
  const keys = new BigUint64Array(hashes.length);
  const halves = new Uint32Array(keys.buffer);
  for (let term = 0; term < hashes.length; term++) {
    halves[2 * term + high] = hashes[term] as number;
    halves[2 * term + low] = term;
  }
  keys.sort();
  const order = new Uint32Array(hashes.length);
  for (let at = 0; at < order.length; at++) order[at] = halves[2 * at + low] as number;
  const bytewise = (a: number, b: number): number =>
    compareBytes(
      termText,
      termOffsets[a] as number,
      termOffsets[a + 1] as number,
      termText,
      termOffsets[b] as number,
      termOffsets[b + 1] as number,
    );
  for (let start = 0, end = 1; start < order.length; start = end++) {
    const hash = hashes[order[start] as number];
    while (end < order.length && hashes[order[end] as number] === hash) end++;
    if (end - start > 1) order.subarray(start, end).sort(bytewise);
  }
  return order;
}

/** The directory over sorted hashes: a power of two of buckets, at least two, with two terms each or fewer. */
export function bucketsOf(sortedHashes: Uint32Array): Uint32Array {
  const bits = Math.max(1, Math.ceil(Math.log2(Math.max(1, sortedHashes.length / 2))));
  const buckets = new Uint32Array(2 ** bits + 1);
  for (const hash of sortedHashes) {
    const next = (hash >>> (32 - bits)) + 1;
    buckets[next] = (buckets[next] as number) + 1;
  }
  for (let at = 1; at < buckets.length; at++) {
    buckets[at] = (buckets[at] as number) + (buckets[at - 1] as number);
  }
  return buckets;
}
