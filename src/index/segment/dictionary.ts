import { endianness } from 'node:os';
import type { TermTable } from './build/term-table.ts';
import { compareBytes, encodeTerm, hashBytes } from './term-bytes.ts';

/** The distinct terms of a segment, sorted by hash, then by bytes. A term's number is its index in that order. */
export interface Dictionary {
  /** The first term of each range of hashes: bucket `hash >>> shift` has the terms from its entry to the next one's. */
  readonly termBuckets: Uint32Array;
  readonly termHashes: Uint32Array;
  readonly termOffsets: Uint32Array;
  readonly termText: Uint8Array;
}

/** In place of a term number: there is none. */
export const noTerm = 0xffff_ffff;

let scratch = new Uint8Array(1024);

/** The number of a term; -1 if the segment does not have it. */
export function findTerm(dictionary: Dictionary, term: string): number {
  const { termBuckets, termHashes, termOffsets, termText } = dictionary;
  if (scratch.length < term.length * 3) scratch = new Uint8Array(term.length * 3);
  const length = encodeTerm(term, scratch, 0);
  const hash = hashBytes(scratch, 0, length);
  const bucket = hash >>> (32 - Math.log2(termBuckets.length - 1));
  // In a file that was opened unchecked, the bucket may be damaged.
  const last = Math.min(termBuckets[bucket + 1] as number, termHashes.length);
  for (let index = termBuckets[bucket] as number; index < last; index++) {
    if (termHashes[index] !== hash) continue;
    const start = termOffsets[index] as number;
    if (compareBytes(termText, start, termOffsets[index + 1] as number, scratch, 0, length) === 0)
      return index;
  }
  return -1;
}

interface PackedTerms extends Dictionary {
  /** By number in the dictionary: the term's number in the table. */
  readonly order: Uint32Array;
  /** By number in the table: the term's number in the dictionary. */
  readonly ranks: Uint32Array;
}

/** The dictionary of a table's terms. */
export function packTerms(table: TermTable): PackedTerms {
  const { size, hashes, starts, text } = table;
  const order = sortTerms(table);
  const ranks = new Uint32Array(size);
  const termOffsets = new Uint32Array(size + 1);
  const termText = new Uint8Array((starts[size] as number) - size);
  for (let number = 0; number < size; number++) {
    const position = order[number] as number;
    const end = table.endOf(position);
    let to = termOffsets[number] as number;
    for (let from = starts[position] as number; from < end; from++) termText[to++] = text[from] as number;
    termOffsets[number + 1] = to;
    ranks[position] = number;
  }
  const termHashes = order.map((position) => hashes[position] as number);
  return { termHashes, termOffsets, termText, termBuckets: bucketsOf(termHashes), order, ranks };
}

/** The numbers of a table's terms in the order of a dictionary: by hash, then by bytes. */
function sortTerms(table: TermTable): Uint32Array {
  const { size, hashes, starts, text } = table;
  const [low, high] = endianness() === 'LE' ? [0, 1] : [1, 0];
  const keys = new BigUint64Array(size);
  const halves = new Uint32Array(keys.buffer);
  for (let term = 0; term < size; term++) {
    halves[2 * term + high] = hashes[term] as number;
    halves[2 * term + low] = term;
  }
  keys.sort();
  const order = new Uint32Array(size);
  for (let index = 0; index < size; index++) order[index] = halves[2 * index + low] as number;
  const bytewise = (a: number, b: number): number =>
    compareBytes(text, starts[a] as number, table.endOf(a), text, starts[b] as number, table.endOf(b));
  for (let start = 0, end = 1; start < size; start = end++) {
    const hash = hashes[order[start] as number];
    while (end < size && hashes[order[end] as number] === hash) end++;
    if (end - start > 1) order.subarray(start, end).sort(bytewise);
  }
  return order;
}

/** The buckets over sorted hashes: their number is a power of two, at least two, for at most two terms each on average. */
export function bucketsOf(sortedHashes: Uint32Array): Uint32Array {
  const bits = Math.max(1, Math.ceil(Math.log2(Math.max(1, sortedHashes.length / 2))));
  const buckets = new Uint32Array(2 ** bits + 1);
  for (const hash of sortedHashes) {
    const next = (hash >>> (32 - bits)) + 1;
    buckets[next] = (buckets[next] as number) + 1;
  }
  for (let index = 1; index < buckets.length; index++) {
    buckets[index] = (buckets[index] as number) + (buckets[index - 1] as number);
  }
  return buckets;
}
