import { type Block, type BlockSource, blockSize } from './block.ts';
import type { PostingList } from './posting-list.ts';

/** The pages in any of several dense posting lists. Goes through the page numbers, `blockSize` of them at a time. */
export class ListUnion implements BlockSource {
  private readonly lists: readonly PostingList[];
  private readonly pageCount: number;
  private next = 0;
  private readonly marks = new Uint8Array(blockSize);
  private readonly sums = new Float64Array(blockSize);

  constructor(lists: readonly PostingList[], pageCount: number) {
    this.lists = lists;
    this.pageCount = pageCount;
  }

  fill(block: Block): void {
    block.size = 0;
    while (block.size === 0 && this.next < this.pageCount) {
      for (const list of this.lists) list.accumulate(this.next, this.marks, this.sums);
      this.collect(block);
      this.next += blockSize;
    }
  }

  private collect(block: Block): void {
    const { marks, sums, next } = this;
    const { pages, scores } = block;
    let size = 0;
    for (let index = 0; index < marks.length; index++) {
      // Always written, and counted only if marked, as in `Block.keep`. `size` never exceeds `index`.
      pages[size] = next + index;
      scores[size] = sums[index] as number;
      size += marks[index] as number;
    }
    block.size = size;
    marks.fill(0);
    sums.fill(0);
  }
}
