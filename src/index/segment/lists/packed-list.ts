import { BlockedList } from './blocked-list.ts';
import type { DecodedPages } from './decoded-pages.ts';
import { gallop } from './gallop.ts';
import {
  addBlock,
  blockPostings,
  dataStart,
  decodeBlock,
  firstPage,
  indexInBlock,
  lanes,
  type PackedPlace,
  tabulateBlock,
  widthOf,
} from './packed-block.ts';
import { addPages, type ListScores, noPage, type PageSums } from './page-list.ts';

/** A list of gaps in blocks of 128, each with as many bits a gap as its largest one needs. */
export class PackedList extends BlockedList {
  private readonly place: PackedPlace;
  private readonly blocks: number;
  /** Of `nextPage`: its last result, the index of that page, and the end of the block that it is in. */
  private found = -1;
  private next: number;
  private nextEnd: number;

  constructor(place: PackedPlace, memory: DecodedPages) {
    super(place.count, memory);
    this.place = place;
    this.blocks = Math.ceil(place.count / blockPostings);
    this.next = this.start;
    this.nextEnd = this.start;
  }

  find(from: number, page: number): number {
    const { start, end, pages, blocks } = this;
    if (from >= end) return -1;
    const block = lastBlockFrom(this.place, (from - start) >>> 7, blocks, page);
    const blockStart = start + block * blockPostings;
    this.loadBlock(block);
    const blockEnd = Math.min(end, blockStart + blockPostings);
    const index = gallop(pages, Math.max(from, blockStart), blockEnd, page);
    return index < blockEnd && pages[index] === page ? index : -1;
  }

  /** The first index from `from` on whose page is not below `target`, or the end. This page is loaded then. */
  private seek(from: number, target: number): number {
    const { pages, start, end, blocks } = this;
    if (from >= end) return end;
    const block = lastBlockFrom(this.place, (from - start) >>> 7, blocks, target);
    this.loadBlock(block);
    const blockStart = start + block * blockPostings;
    const blockEnd = Math.min(end, blockStart + blockPostings);
    const index = gallop(pages, Math.max(from, blockStart), blockEnd, target);
    // The next block begins above the target. Its first page is known without decoding it.
    if (index === blockEnd && index < end) pages[index] = firstPage(this.place, block + 1);
    return index;
  }

  /** Indexes are whole blocks from the start of the list. */
  take(from: number, to: number, into: Uint16Array): void {
    for (let index = from; index < to; index += blockPostings)
      decodeBlock(this.place, (index - this.start) >>> 7, into, index - from);
  }

  accumulate(from: number, into: PageSums, scores: ListScores | undefined): number {
    const { pages, start, end } = this;
    const last = into.first + into.sums.length;
    let index = from;
    while (index < end) {
      const block = (index - start) >>> 7;
      const isWhole = ((index - start) & 127) === 0 && block + 1 < this.blocks;
      if (scores !== undefined && isWhole && firstPage(this.place, block + 1) <= last) {
        addBlock(this.place, block, into, scores, index + scores.shift);
        index += blockPostings;
        continue;
      }
      this.loadBlock(block);
      const blockEnd = Math.min(end, start + (block + 1) * blockPostings);
      index = addPages(pages, index, blockEnd, into, scores);
      if (index < blockEnd) break;
    }
    return index;
  }

  floor(from: number, target: number): number {
    const { start } = this;
    if (from >= this.end) return from;
    const block = lastBlockFrom(this.place, (from - start) >>> 7, this.blocks, target);
    return Math.max(from, start + block * blockPostings);
  }

  ceiling(from: number, target: number): number {
    if (from >= this.end) return from;
    return Math.min(this.end, this.floor(from - ((from - this.start) & 127), target) + blockPostings);
  }

  tabulate(from: number, to: number, table: Uint8Array, scores: ListScores | undefined): void {
    const { place, start } = this;
    let lowest = noPage;
    let highest = -1;
    for (let index = from - ((from - start) & 127); index < to; index += blockPostings) {
      const block = (index - start) >>> 7;
      const last = tabulateBlock(place, block, table, scores?.impacts, index + (scores?.shift ?? 0));
      lowest = Math.min(lowest, firstPage(place, block));
      highest = Math.max(highest, last);
    }
    this.lowest = highest < noPage ? lowest : 0;
    this.highest = highest;
  }

  nextPage(target: number): number {
    if (this.found >= target) return this.found;
    const { pages, start, end } = this;
    // Most are in the same block as the one before.
    let index = gallop(pages, this.next, this.nextEnd, target);
    if (index >= this.nextEnd) {
      index = this.seek(index, target);
      const block = (index - start) >>> 7;
      if (index < end) this.loadBlock(block);
      this.nextEnd = Math.min(end, start + (block + 1) * blockPostings);
    }
    this.next = index;
    this.found = index < end ? (pages[index] as number) : noPage;
    return this.found;
  }

  protected blockAt(posting: number): number {
    return posting >>> 7;
  }

  protected decode(block: number): void {
    decodeBlock(this.place, block, this.pages, this.start + block * blockPostings);
  }
}

/** The number of a page's posting in a packed list, or -1. Decodes one block. */
export function postingInPacked(place: PackedPlace, page: number): number {
  const block = lastBlockFrom(place, 0, Math.ceil(place.count / blockPostings), page);
  const index = indexInBlock(place, block, page);
  return index < 0 ? -1 : block * blockPostings + index;
}

/** Whether the blocks have the places and the order that they must have; returns the end of the list, or -1. */
export function checkedPackedEnd(place: PackedPlace): number {
  const { words, offset, count } = place;
  const blocks = Math.ceil(count / blockPostings);
  if (offset + blocks >= words.length || dataStart(place, 0) !== 0) return -1;
  for (let block = 0; block < blocks; block++) {
    const postings = Math.min(blockPostings, count - block * blockPostings);
    const width = widthOf(place, block, blocks);
    const size = dataStart(place, block + 1) - dataStart(place, block);
    if (width > 16 || size !== packedQuads(postings, width)) return -1;
    if (block > 0 && firstPage(place, block) <= firstPage(place, block - 1)) return -1;
  }
  return packedEnd(place);
}

/** Where the words of a packed list end, by the entry of its end. */
export function packedEnd(place: PackedPlace): number {
  const blocks = Math.ceil(place.count / blockPostings);
  return place.offset + blocks + 1 + lanes * dataStart(place, blocks);
}

/** Groups of four words, one a lane, that postings take with gaps of `width` bits. */
export function packedQuads(postings: number, width: number): number {
  return Math.ceil((Math.ceil(postings / lanes) * width) / 32);
}

/** The last block from `from` on that does not begin above a page; `from` if all do. */
function lastBlockFrom(place: PackedPlace, from: number, blocks: number, page: number): number {
  let low = from;
  let high = blocks;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (firstPage(place, middle) <= page) low = middle;
    else high = middle;
  }
  return low;
}
