import { type Block, type BlockSource, blockSize, stretchPages } from './block.ts';
import type { PageSums } from './lists/page-list.ts';
import type { PostingList } from './posting-list.ts';

/** The pages in any of several dense posting lists. Goes through the page numbers, `blockSize` of them at a time. */
export class ListUnion implements BlockSource {
  private readonly lists: readonly PostingList[];
  private readonly pageCount: number;
  private next = 0;
  private stretch: PageSums | undefined;

  constructor(lists: readonly PostingList[], pageCount: number) {
    this.lists = lists;
    this.pageCount = pageCount;
  }

  fill(block: Block): void {
    block.size = 0;
    if (this.next === 0) block.sums.fill(0);
    while (block.size === 0 && this.next < this.pageCount) {
      if (this.next % stretchPages === 0) {
        const { marks, sums } = block;
        this.stretch = { first: this.next, marks, sums };
        marks.fill(0);
        for (const list of this.lists) list.accumulate(this.stretch);
      }
      collect(block, this.stretch as PageSums, this.next);
      this.next += blockSize;
    }
  }
}

/** Puts the next `blockSize` page numbers that are marked into a block, and clears their sums. */
function collect(block: Block, { marks, sums, first }: PageSums, next: number): void {
  const { pages, scores } = block;
  const firstWord = (next - first) >>> 5;
  let size = 0;
  for (let word = firstWord; word < firstWord + blockSize / 32; word++) {
    let bits = (marks[word] as number) | 0;
    while (bits !== 0) {
      const lowest = bits & -bits;
      const index = 32 * word + 31 - Math.clz32(lowest);
      bits ^= lowest;
      pages[size] = first + index;
      scores[size++] = sums[index] as number;
      sums[index] = 0;
    }
  }
  block.size = size;
}
