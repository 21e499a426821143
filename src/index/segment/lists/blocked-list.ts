import type { DecodedPages } from './decoded-pages.ts';
import type { ListScores, PageList, PageSums } from './page-list.ts';

/** The blocks of the longest list, of either form. */
const maxBlocks = 64;

/** A list that is decoded in blocks, each when one of its pages is needed. */
export abstract class BlockedList implements PageList {
  readonly pages: Uint16Array;
  readonly start: number;
  readonly end: number;
  /** By block: 1 once it is decoded. */
  private loaded: Uint8Array | undefined;

  /** The page numbers that were written into a table, from the first to the last. */
  protected lowest = 0;
  protected highest = -1;

  constructor(count: number, memory: DecodedPages) {
    const { pages, start } = memory.take(count);
    this.pages = pages;
    this.start = start;
    this.end = start + count;
  }

  abstract floor(from: number, target: number): number;
  abstract ceiling(from: number, target: number): number;
  abstract tabulate(from: number, to: number, table: Uint8Array, scores: ListScores | undefined): void;
  abstract find(from: number, page: number): number;
  abstract nextPage(target: number): number;
  abstract take(from: number, to: number, into: Uint16Array): void;
  abstract accumulate(from: number, into: PageSums, scores: ListScores | undefined): number;
  /** The block of a posting, which is counted from the first of the list. */
  protected abstract blockAt(posting: number): number;
  protected abstract decode(block: number): void;

  load(from: number, to: number): void {
    if (from >= to) return;
    const last = this.blockAt(to - 1 - this.start);
    for (let block = this.blockAt(from - this.start); block <= last; block++) this.loadBlock(block);
  }

  clear(table: Uint8Array): void {
    table.fill(0, this.lowest, this.highest + 1);
  }

  protected loadBlock(block: number): void {
    this.loaded ??= new Uint8Array(maxBlocks);
    if (this.loaded[block] !== 0) return;
    this.loaded[block] = 1;
    this.decode(block);
  }
}
