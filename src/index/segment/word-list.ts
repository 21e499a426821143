import { setImmediate as nextTurn } from 'node:timers/promises';
import { isCorrectable, maxCorrectable, minCorrectable } from '../correctable.ts';
import type { Segment } from './reader.ts';
import { decodeTerm } from './term-bytes.ts';

/** The words of a segment that can be suggested for a misspelling: eight bytes each, no strings. */
export interface WordList {
  /** Terms of `length` UTF-16 units are in `terms` from `starts[length]` to `starts[length + 1]`. */
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
  /** The letters of each term; see `letterSet`. */
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

async function makeWordList({ termCount, termOffsets, termText }: Segment): Promise<WordList> {
  const starts = new Uint32Array(maxCorrectable + 2);
  /** By term: its length if it is in the list, else 0. */
  const lengths = new Uint8Array(termCount);
  for (let term = 0; term < termCount; term++) {
    const length = listedLength(termText, termOffsets[term] as number, termOffsets[term + 1] as number);
    lengths[term] = length;
    if (length > 0) starts[length + 1] = (starts[length + 1] as number) + 1;
    if (term % termsPerTurn === termsPerTurn - 1) await nextTurn();
  }
  for (let length = 1; length < starts.length; length++)
    starts[length] = (starts[length] as number) + (starts[length - 1] as number);
  const next = starts.slice();
  const total = starts[starts.length - 1] as number;
  const terms = new Uint32Array(total);
  const letterSets = new Uint32Array(total);
  for (let term = 0; term < termCount; term++) {
    if (term % termsPerTurn === termsPerTurn - 1) await nextTurn();
    const length = lengths[term] as number;
    if (length === 0) continue;
    const index = next[length] as number;
    next[length] = index + 1;
    terms[index] = term;
    const [start, end] = [termOffsets[term] as number, termOffsets[term + 1] as number];
    letterSets[index] =
      end - start === length
        ? letterSet(termText, start, end)
        : setOfString(decodeTerm(termText, start, end));
  }
  return { starts, terms, letterSets };
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
