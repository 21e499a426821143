import { endianness } from 'node:os';
import type { PlainTerms } from '../format.ts';
import { compareBytes } from '../term-bytes.ts';
import type { TermTable } from './terms/term-table.ts';

interface SortedTerms extends Pick<PlainTerms, 'termHashes' | 'termOffsets' | 'termText'> {
  /** By number in the dictionary: the term's number in the table. */
  readonly order: Uint32Array;
  /** By number in the table: the term's number in the dictionary. */
  readonly ranks: Uint32Array;
}

/** A table's terms in the order of a dictionary. */
export function sortedTerms(table: TermTable): SortedTerms {
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
  return { termHashes, termOffsets, termText, order, ranks };
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
