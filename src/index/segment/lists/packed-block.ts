import type { ListScores, PageSums } from './page-list.ts';

/** Postings of a full block of a packed list. */
export const blockPostings = 128;
/** The gaps of a block are dealt out to four streams of bits, whose words take turns. */
export const lanes = 4;

/** Where a packed list is in its section: an entry for each block, one for the end, then the words of the blocks. */
export interface PackedPlace {
  readonly words: Uint32Array;
  readonly offset: number;
  readonly count: number;
}

/** The first page of a block. The entry of the end has there the bits of a gap of the last block. */
export function firstPage({ words, offset }: PackedPlace, block: number): number {
  return (words[offset + block] as number) & 0xffff;
}

/** Where the words of a block begin, in groups of four. */
export function dataStart({ words, offset }: PackedPlace, block: number): number {
  return (words[offset + block] as number) >>> 16;
}

/** The bits of a gap of a block. A full block has as many groups of words; for the last block, the entry of the end tells. */
export function widthOf(place: PackedPlace, block: number, blocks: number): number {
  return block < blocks - 1
    ? dataStart(place, block + 1) - dataStart(place, block)
    : firstPage(place, blocks);
}

/**
 * Writes the pages of a block, or those up to `until`, and up to three numbers after the last one. Returns the last number. In a
 * damaged file it may be too high for 16 bits; what is written is then cut to 16 bits.
 */
export function decodeBlock(
  place: PackedPlace,
  block: number,
  into: Uint16Array,
  start: number,
  until = Number.POSITIVE_INFINITY,
): number {
  const { words, offset, count } = place;
  const blocks = Math.ceil(count / blockPostings);
  const width = widthOf(place, block, blocks);
  const size = Math.min(blockPostings, count - block * blockPostings);
  const mask = (1 << width) - 1;
  const end = start + size;
  let at = offset + blocks + 1 + lanes * dataStart(place, block);
  let shift = 0;
  let page = firstPage(place, block) - 1;
  for (let index = start; index < end; index += lanes) {
    let first = (words[at] as number) >>> shift;
    let second = (words[at + 1] as number) >>> shift;
    let third = (words[at + 2] as number) >>> shift;
    let fourth = (words[at + 3] as number) >>> shift;
    shift += width;
    if (shift >= 32) {
      shift -= 32;
      at += lanes;
      if (shift > 0) {
        const below = width - shift;
        first |= (words[at] as number) << below;
        second |= (words[at + 1] as number) << below;
        third |= (words[at + 2] as number) << below;
        fourth |= (words[at + 3] as number) << below;
      }
    }
    page += (first & mask) + 1;
    into[index] = page;
    page += (second & mask) + 1;
    into[index + 1] = page;
    page += (third & mask) + 1;
    into[index + 2] = page;
    page += (fourth & mask) + 1;
    into[index + 3] = page;
    if (page >= until) break;
  }
  return page;
}

/** The pages of one block, until the next is decoded. */
const blockPages = new Uint16Array(blockPostings);

/** The index of a page in a block, or -1. The block is decoded up to the page. */
export function indexInBlock(place: PackedPlace, block: number, target: number): number {
  decodeBlock(place, block, blockPages, 0, target);
  const size = Math.min(blockPostings, place.count - block * blockPostings);
  let index = 0;
  while (index < size && (blockPages[index] as number) < target) index++;
  return index < size && blockPages[index] === target ? index : -1;
}

/**
 * Writes the impacts of a block, 1 without impacts, into a table by page number. Returns what `decodeBlock` does: no higher
 * index is written, unless it is too high for the table; then any may be.
 */
export function tabulateBlock(
  place: PackedPlace,
  block: number,
  table: Uint8Array,
  impacts: Uint8Array | undefined,
  start: number,
): number {
  const last = decodeBlock(place, block, blockPages, 0);
  const size = Math.min(blockPostings, place.count - block * blockPostings);
  if (impacts === undefined)
    for (let index = 0; index < size; index++) table[blockPages[index] as number] = 1;
  else
    for (let index = 0; index < size; index++)
      table[blockPages[index] as number] = impacts[start + index] as number;
  return last;
}

/**
 * Adds the impacts of a full block, times their weight, to the sums of its pages. Repeats the loop of `decodeBlock`: a
 * large OR spends most of its time here, and to decode the block first makes it a twentieth slower.
 */
export function addBlock(
  place: PackedPlace,
  block: number,
  { first: firstSum, marks, sums }: PageSums,
  { impacts, weight }: ListScores,
  start: number,
): void {
  const { words, offset, count } = place;
  const blocks = Math.ceil(count / blockPostings);
  const width = widthOf(place, block, blocks);
  const mask = (1 << width) - 1;
  const end = start + blockPostings;
  let at = offset + blocks + 1 + lanes * dataStart(place, block);
  let shift = 0;
  let page = firstPage(place, block) - 1 - firstSum;
  for (let index = start; index < end; index += lanes) {
    let first = (words[at] as number) >>> shift;
    let second = (words[at + 1] as number) >>> shift;
    let third = (words[at + 2] as number) >>> shift;
    let fourth = (words[at + 3] as number) >>> shift;
    shift += width;
    if (shift >= 32) {
      shift -= 32;
      at += lanes;
      if (shift > 0) {
        const below = width - shift;
        first |= (words[at] as number) << below;
        second |= (words[at + 1] as number) << below;
        third |= (words[at + 2] as number) << below;
        fourth |= (words[at + 3] as number) << below;
      }
    }
    page += (first & mask) + 1;
    marks[page >>> 5] = (marks[page >>> 5] as number) | (1 << (page & 31));
    sums[page] = (sums[page] as number) + weight * (impacts[index] as number);
    page += (second & mask) + 1;
    marks[page >>> 5] = (marks[page >>> 5] as number) | (1 << (page & 31));
    sums[page] = (sums[page] as number) + weight * (impacts[index + 1] as number);
    page += (third & mask) + 1;
    marks[page >>> 5] = (marks[page >>> 5] as number) | (1 << (page & 31));
    sums[page] = (sums[page] as number) + weight * (impacts[index + 2] as number);
    page += (fourth & mask) + 1;
    marks[page >>> 5] = (marks[page >>> 5] as number) | (1 << (page & 31));
    sums[page] = (sums[page] as number) + weight * (impacts[index + 3] as number);
  }
}
