import { setImmediate as nextTurn } from 'node:timers/promises';
import { isCorrectable, maxCorrectable, minCorrectable } from '../correctable.ts';
import type { Dictionary } from './dictionary/dictionary.ts';
import type { Segment } from './reader.ts';
import { decodeTerm } from './term-bytes.ts';

/** The words of a segment that can be suggested for a misspelling: nine bytes each, no strings. */
export interface WordList {
  /** Words of `length` UTF-16 units are those from `starts[length]` up to but without `starts[length + 1]`. */
  readonly starts: Uint32Array;
  /** The offset of each word in `termText`. */
  readonly offsets: Uint32Array;
  /** The number of its bytes. */
  readonly byteLengths: Uint8Array;
  /** The letters of each word; see `letterSet`. */
  readonly letterSets: Uint32Array;
}

/** Terms that are read in one turn of the event loop: 1 ms of CPU, 6 to 14 ms in a new process. */
const termsPerTurn = 10_000;

const lists = new WeakMap<Segment, Promise<WordList>>();

/** The word list of a segment. It is built in slices at the first call, and lives as long as the segment. */
export function wordListOf(segment: Segment): Promise<WordList> {
  const list = lists.get(segment) ?? makeWordList(segment);
  lists.set(segment, list);
  return list;
}

/** A set of the letters of a word, one bit for each value of a letter's last five bits. An edit changes at most two bits. */
export function letterSet(units: { readonly [index: number]: number }, start: number, end: number): number {
  let set = 0;
  for (let index = start; index < end; index++) set |= 1 << ((units[index] as number) & 31);
  return set >>> 0;
}

async function makeWordList({ dictionary }: Segment): Promise<WordList> {
  const { termCount } = dictionary;
  const starts = new Uint32Array(maxCorrectable + 2);
  /** By term: its length if it is in the list, else 0. */
  const lengths = new Uint8Array(termCount);
  for (let first = 0; first < termCount; first += termsPerTurn) {
    if (first > 0) await nextTurn();
    const last = Math.min(first + termsPerTurn, termCount);
    measureTerms(dictionary, first, lengths.subarray(first, last));
    for (let term = first; term < last; term++) {
      const next = (lengths[term] as number) + 1;
      if (next > 1) starts[next] = (starts[next] as number) + 1;
    }
  }
  for (let length = 1; length < starts.length; length++)
    starts[length] = (starts[length] as number) + (starts[length - 1] as number);
  const total = starts[starts.length - 1] as number;
  const list = {
    starts,
    offsets: new Uint32Array(total),
    byteLengths: new Uint8Array(total),
    letterSets: new Uint32Array(total),
  };
  const next = starts.slice();
  for (let first = 0; first < termCount; first += termsPerTurn) {
    await nextTurn();
    listTerms(dictionary, first, lengths.subarray(first, first + termsPerTurn), list, next);
  }
  return list;
}

/** Sets the lengths of consecutive terms. */
function measureTerms({ termText, texts }: Dictionary, first: number, lengths: Uint8Array): void {
  let end = texts.start(first);
  for (let index = 0; index < lengths.length; index++) {
    const start = end;
    // As an integer of 32 bits, which is faster.
    end = (start + texts.count(first + index)) >>> 0;
    lengths[index] = listedLength(termText, start, end);
  }
}

/** Puts consecutive terms, with their lengths, where the next term of each length belongs. */
function listTerms(
  { termText, texts }: Dictionary,
  first: number,
  lengths: Uint8Array,
  { offsets, byteLengths, letterSets }: WordList,
  next: Uint32Array,
): void {
  let end = texts.start(first);
  for (let offset = 0; offset < lengths.length; offset++) {
    const start = end;
    end = (start + texts.count(first + offset)) >>> 0;
    const length = lengths[offset] as number;
    if (length === 0) continue;
    const index = next[length] as number;
    next[length] = index + 1;
    offsets[index] = start;
    byteLengths[index] = end - start;
    letterSets[index] =
      end - start === length
        ? letterSet(termText, start, end)
        : setOfString(decodeTerm(termText, start, end));
  }
}

function setOfString(term: string): number {
  return letterSet(
    Array.from({ length: term.length }, (_, index) => term.charCodeAt(index)),
    0,
    term.length,
  );
}

/** The length of a term in UTF-16 units; 0 if it cannot be suggested. */
function listedLength(text: Uint8Array, start: number, end: number): number {
  if (end - start < minCorrectable || end - start > 3 * maxCorrectable) return 0;
  let units = 0;
  let digits = 0;
  let isAscii = true;
  // `isCorrectable` without a string for most terms, which are ASCII and no words: ten times faster.
  for (let index = start; index < end; index++) {
    const byte = text[index] as number;
    if (byte >= 0x80) {
      isAscii = false;
      if ((byte & 0xc0) !== 0x80) units++;
      continue;
    }
    units++;
    if (byte >= 0x30 && byte <= 0x39) digits++;
    else if (byte < 0x61 || byte > 0x7a || digits > 0) return 0;
  }
  if (units < minCorrectable || units > maxCorrectable || digits > 2) return 0;
  return isAscii || isCorrectable(decodeTerm(text, start, end)) ? units : 0;
}
