import { type Block, blockSize } from './block.ts';

/** A list with so many times more postings than there are candidates is searched rather than read. */
const sparseAt = 12;

/** A posting list that is looked up for ascending candidates, block by block. */
export class PostingList {
  /** How much an impact of the list adds to a score; 0 while the list does not score. */
  weight = 0;
  private readonly pages: Uint16Array;
  /** Undefined for the lists of titles, which have none. */
  private readonly impacts: Uint8Array | undefined;
  private position: number;
  private readonly end: number;

  constructor(pages: Uint16Array, impacts: Uint8Array | undefined, start: number, end: number) {
    this.pages = pages;
    this.impacts = impacts;
    this.position = start;
    this.end = end;
  }

  get length(): number {
    return this.end - this.position;
  }

  /** Puts the next postings into the block, in place of what is there, with their scores. */
  fill(block: Block): void {
    const { pages, impacts, weight, position } = this;
    const size = Math.min(blockSize, this.end - position);
    for (let at = 0; at < size; at++) {
      block.pages[at] = pages[position + at] as number;
      block.scores[at] = impacts === undefined ? 0 : weight * (impacts[position + at] as number);
    }
    block.size = size;
    this.position = position + size;
  }

  /** Sets `block.found` to the impact of each candidate, 1 in lists without impacts, and 0 where there is no posting. */
  find(block: Block): void {
    const last = block.pages[block.size - 1] as number;
    this.position = gallop(this.pages, this.position, this.end, block.pages[0] as number);
    const end = gallop(this.pages, this.position, this.end, last + 1);
    if (end - this.position > sparseAt * block.size) this.search(block, end);
    else this.read(block, end);
    this.position = end;
  }

  /** Reads every posting up to `end` and then looks up the candidates. */
  private read(block: Block, end: number): void {
    const { pages, impacts, position } = this;
    const { byPage, found, size } = block;
    if (impacts === undefined) for (let at = position; at < end; at++) byPage[pages[at] as number] = 1;
    else for (let at = position; at < end; at++) byPage[pages[at] as number] = impacts[at] as number;
    for (let at = 0; at < size; at++) found[at] = byPage[block.pages[at] as number] as number;
    byPage.fill(0, block.pages[0], (block.pages[size - 1] as number) + 1);
  }

  /** Gallops from candidate to candidate. */
  private search(block: Block, end: number): void {
    const { pages, impacts } = this;
    const { found, size } = block;
    let position = this.position;
    for (let at = 0; at < size; at++) {
      const page = block.pages[at] as number;
      position = gallop(pages, position, end, page);
      if (position >= end || pages[position] !== page) found[at] = 0;
      else found[at] = impacts === undefined ? 1 : (impacts[position] as number);
    }
  }
}

/**
 * The first place from `start` on whose page is not below `target`, or `end`: doubling steps, then halving (Bentley
 * and Yao, An almost optimal algorithm for unbounded searching, 1976).
 */
export function gallop(pages: Uint16Array, start: number, end: number, target: number): number {
  if (start >= end || (pages[start] as number) >= target) return start;
  let low = start;
  let step = 1;
  let high = low + 1;
  while (high < end && (pages[high] as number) < target) {
    low = high;
    step <<= 1;
    high = low + step;
  }
  if (high > end) high = end;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((pages[middle] as number) < target) low = middle;
    else high = middle;
  }
  return high;
}
