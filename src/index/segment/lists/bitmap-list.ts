import { bitCount } from '../dictionary/bit-count.ts';
import { BlockedList } from './blocked-list.ts';
import type { DecodedPages } from './decoded-pages.ts';
import { type ListScores, noPage, type PageSums } from './page-list.ts';

/** Page numbers of a group, and the words of its bits. */
export const groupPages = 1024;
const groupWords = groupPages / 32;

/** Where a bitmap is in its section: for each group how many pages are before it, then the words of the bits. */
export interface BitmapPlace {
  readonly words: Uint32Array;
  readonly offset: number;
  readonly count: number;
  readonly pageCount: number;
}

/** A list with a bit for each page of the segment. */
export class BitmapList extends BlockedList {
  private readonly place: BitmapPlace;
  private readonly groups: number;
  private readonly words: Uint32Array;
  /** The words of the bits. */
  private readonly bits: number;
  private readonly bitsEnd: number;
  /** The last result of `nextPage`. */
  private found = -1;
  /** Of `take`: the next word, and the bits that are left of the one before it. */
  private nextWord = 0;
  private nextBits = 0;

  constructor(place: BitmapPlace, memory: DecodedPages) {
    super(place.count, memory);
    this.place = place;
    this.groups = groupsOf(place.pageCount);
    this.words = place.words;
    this.bits = place.offset + this.groups;
    this.bitsEnd = this.bits + Math.ceil(place.pageCount / 32);
  }

  find(_from: number, page: number): number {
    const posting = postingInBitmap(this.place, page);
    return posting < 0 ? -1 : this.start + posting;
  }

  take(from: number, to: number, into: Uint16Array): void {
    const { words, pageCount } = this.place;
    const end = this.bits + Math.ceil(pageCount / 32);
    const size = to - from;
    let word = this.bits + this.nextWord;
    let bits = this.nextBits;
    let firstPage = 32 * (this.nextWord - 1);
    for (let index = 0; index < size; ) {
      if (bits === 0) {
        // In a damaged file there may be fewer bits than postings.
        if (word >= end) break;
        bits = (words[word++] as number) | 0;
        firstPage += 32;
        continue;
      }
      const lowest = bits & -bits;
      into[index++] = firstPage + 31 - Math.clz32(lowest);
      bits ^= lowest;
    }
    this.nextWord = word - this.bits;
    this.nextBits = bits;
  }

  accumulate(from: number, { first, marks, sums }: PageSums, scores: ListScores | undefined): number {
    const { words, pageCount } = this.place;
    const firstWord = first >>> 5;
    const size = Math.min(marks.length, Math.ceil(pageCount / 32) - firstWord);
    const bitsStart = this.bits + firstWord;
    for (let word = 0; word < size; word++)
      marks[word] = (marks[word] as number) | (words[bitsStart + word] as number);
    if (scores === undefined) return from;
    const { impacts, shift, weight } = scores;
    let index = from + shift;
    for (let word = 0; word < size; word++) {
      let bits = (words[bitsStart + word] as number) | 0;
      const firstPage = 32 * word + 31;
      while (bits !== 0) {
        const lowest = bits & -bits;
        const page = firstPage - Math.clz32(lowest);
        bits ^= lowest;
        sums[page] = (sums[page] as number) + weight * (impacts[index++] as number);
      }
    }
    return index - shift;
  }

  floor(from: number, target: number): number {
    const group = Math.min(Math.floor(target / groupPages), this.groups - 1);
    return Math.min(this.end, Math.max(from, this.groupStart(group)));
  }

  ceiling(from: number, target: number): number {
    const group = Math.floor(target / groupPages) + 1;
    return group >= this.groups ? this.end : Math.max(from, Math.min(this.end, this.groupStart(group)));
  }

  tabulate(from: number, to: number, table: Uint8Array, scores: ListScores | undefined): void {
    this.lowest = 0;
    this.highest = -1;
    if (from >= to) return;
    const { words, pageCount } = this.place;
    const { bits: bitsStart } = this;
    const group = this.blockAt(from - this.start);
    const last = Math.min(groupWords * (this.blockAt(to - 1 - this.start) + 1), Math.ceil(pageCount / 32));
    const impacts = scores?.impacts;
    let index = this.groupStart(group) + (scores?.shift ?? 0);
    for (let word = groupWords * group; word < last; word++) {
      let bits = (words[bitsStart + word] as number) | 0;
      while (bits !== 0) {
        const lowest = bits & -bits;
        table[32 * word + 31 - Math.clz32(lowest)] = impacts === undefined ? 1 : (impacts[index] as number);
        bits ^= lowest;
        index++;
      }
    }
    this.lowest = groupPages * group;
    this.highest = 32 * last - 1;
  }

  private groupStart(group: number): number {
    return this.start + (this.place.words[this.place.offset + group] as number);
  }

  nextPage(target: number): number {
    if (this.found < target) this.found = this.firstFrom(target);
    return this.found;
  }

  private firstFrom(target: number): number {
    const { words, bits: bitsStart, bitsEnd } = this;
    if (target >= this.place.pageCount) return noPage;
    let word = bitsStart + (target >>> 5);
    let bits = (words[word] as number) & (-1 << (target & 31));
    while (bits === 0) {
      if (++word >= bitsEnd) return noPage;
      bits = (words[word] as number) | 0;
    }
    return 32 * (word - bitsStart) + 31 - Math.clz32(bits & -bits);
  }

  protected blockAt(posting: number): number {
    const { words, offset } = this.place;
    let low = 0;
    let high = this.groups;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((words[offset + middle] as number) <= posting) low = middle;
      else high = middle;
    }
    return low;
  }

  protected decode(block: number): void {
    const { words, offset, pageCount } = this.place;
    const { pages, bits: bitsStart } = this;
    const last = Math.min(groupWords * (block + 1), Math.ceil(pageCount / 32));
    let index = this.start + (words[offset + block] as number);
    for (let word = groupWords * block; word < last; word++) {
      let bits = (words[bitsStart + word] as number) | 0;
      while (bits !== 0) {
        const lowest = bits & -bits;
        pages[index++] = 32 * word + 31 - Math.clz32(lowest);
        bits ^= lowest;
      }
    }
  }
}

/** The number of a page's posting in a bitmap, or -1. */
export function postingInBitmap(place: BitmapPlace, page: number): number {
  const { words, offset, pageCount } = place;
  const word = words[offset + groupsOf(pageCount) + (page >>> 5)] as number;
  return page < pageCount && ((word >>> (page & 31)) & 1) === 1 ? rank(place, page) : -1;
}

/** The words of a bitmap. */
export function bitmapWords(pageCount: number): number {
  return groupsOf(pageCount) + Math.ceil(pageCount / 32);
}

/** Whether the bits are as many as the list has pages, and the ranks right; goes through all of them. */
export function isRightBitmap({ words, offset, count, pageCount }: BitmapPlace): boolean {
  const groups = groupsOf(pageCount);
  const size = Math.ceil(pageCount / 32);
  const bits = offset + groups;
  let pages = 0;
  for (let word = 0; word < size; word++) {
    if (word % groupWords === 0 && words[offset + word / groupWords] !== pages) return false;
    pages += bitCount(words[bits + word] as number);
  }
  const isBeyond = pageCount % 32 > 0 && (words[bits + size - 1] as number) >>> (pageCount % 32) !== 0;
  return pages === count && !isBeyond;
}

export function groupsOf(pageCount: number): number {
  return Math.ceil(pageCount / groupPages);
}

/** How many pages of the list are before a page number. */
function rank({ words, offset, pageCount }: BitmapPlace, page: number): number {
  const bits = offset + groupsOf(pageCount);
  const group = Math.floor(page / groupPages);
  const word = page >>> 5;
  let count = words[offset + group] as number;
  for (let index = groupWords * group; index < word; index++)
    count += bitCount(words[bits + index] as number);
  return count + bitCount((words[bits + word] as number) & ((1 << (page & 31)) - 1));
}
