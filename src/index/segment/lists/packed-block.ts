import type { ListScores, PageSums } from './page-list.ts';

/** Postings of a block of a packed list, which are in four lanes. */
export const blockPostings = 128;
export const lanes = 4;

/** Where a packed list is in its section: for each block an entry, one for the end, then the words of the blocks. */
export interface PackedPlace {
  readonly words: Uint32Array;
  readonly offset: number;
  readonly count: number;
}

/** The page that a block begins with; in the entry of the end, the bits of a gap of the last block. */
export function firstPage({ words, offset }: PackedPlace, block: number): number {
  return (words[offset + block] as number) & 0xffff;
}

/** Where the words of a block begin, in groups of four. */
export function dataStart({ words, offset }: PackedPlace, block: number): number {
  return (words[offset + block] as number) >>> 16;
}

/** A full block has as many groups of words as its gaps have bits; the entry of the end has the bits of the last block. */
export function widthOf(place: PackedPlace, block: number, blocks: number): number {
  return block < blocks - 1
    ? dataStart(place, block + 1) - dataStart(place, block)
    : firstPage(place, blocks);
}

// The four loops are the same but for what they do with a page: to decode first and go through the pages then costs
// another pass.

/** Writes the pages of a block, and up to three numbers after the last one of the list. */
export function decodeBlock(place: PackedPlace, block: number, into: Uint16Array, start: number): void {
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
  }
}

/** The index in a block of a page, or -1. Stops there. */
export function indexInBlock(place: PackedPlace, block: number, target: number): number {
  const { words, offset, count } = place;
  const blocks = Math.ceil(count / blockPostings);
  const width = widthOf(place, block, blocks);
  const size = Math.min(blockPostings, count - block * blockPostings);
  const mask = (1 << width) - 1;
  let at = offset + blocks + 1 + lanes * dataStart(place, block);
  let shift = 0;
  let page = firstPage(place, block) - 1;
  for (let index = 0; index < size; index += lanes) {
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
    // The pages of four lanes. Beyond the end of the list they are no pages.
    const one = page + (first & mask) + 1;
    const two = one + (second & mask) + 1;
    const three = two + (third & mask) + 1;
    page = three + (fourth & mask) + 1;
    if (page < target) continue;
    const lane = one === target ? 0 : two === target ? 1 : three === target ? 2 : page === target ? 3 : size;
    return index + lane < size ? index + lane : -1;
  }
  return -1;
}

/** Writes the impacts of a block, 1 without impacts, into a table by page number; returns the last page. */
export function tabulateBlock(
  place: PackedPlace,
  block: number,
  table: Uint8Array,
  impacts: Uint8Array | undefined,
  start: number,
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
    table[page] = impacts === undefined ? 1 : (impacts[index] as number);
    if (index + 1 === end) break;
    page += (second & mask) + 1;
    table[page] = impacts === undefined ? 1 : (impacts[index + 1] as number);
    if (index + 2 === end) break;
    page += (third & mask) + 1;
    table[page] = impacts === undefined ? 1 : (impacts[index + 2] as number);
    if (index + 3 === end) break;
    page += (fourth & mask) + 1;
    table[page] = impacts === undefined ? 1 : (impacts[index + 3] as number);
  }
  return page;
}

/** Adds the impacts of a full block, times their weight, to the sums of its pages. */
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
