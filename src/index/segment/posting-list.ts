import { type Block, type BlockSource, blockSize } from './block.ts';

/** A list with this many times more postings than there are candidates is searched, not read. */
const sparseAt = 16;

/** A posting list that is looked up for ascending candidates, one block at a time. */
export class PostingList implements BlockSource {
  /** The weight of the list's impacts in scores; 0 if the list does not score. */
  weight = 0;
  private readonly pages: Uint16Array;
  /** Undefined for title lists, which have no impacts. */
  private readonly impacts: Uint8Array | undefined;
  private position: number;
  private readonly end: number;
  /** The impacts by page number, 0 if there is no posting; undefined for lists that are too short for a table. */
  private readonly impactTable: () => Uint8Array | undefined;

  constructor(
    pages: Uint16Array,
    impacts: Uint8Array | undefined,
    [start, end]: readonly [number, number],
    impactTable: () => Uint8Array | undefined = () => undefined,
  ) {
    this.pages = pages;
    this.impacts = impacts;
    this.position = start;
    this.end = end;
    this.impactTable = impactTable;
  }

  get length(): number {
    return this.end - this.position;
  }

  fill(block: Block): void {
    const { pages, impacts, weight, position } = this;
    const size = Math.min(blockSize, this.end - position);
    for (let index = 0; index < size; index++) {
      block.pages[index] = pages[position + index] as number;
      block.scores[index] = impacts === undefined ? 0 : weight * (impacts[position + index] as number);
    }
    block.size = size;
    this.position = position + size;
  }

  /** Marks the pages of the list among the next page numbers, from `first` on, and adds to their sums. */
  accumulate(first: number, marks: Uint8Array, sums: Float64Array): void {
    const { pages, impacts, weight, end } = this;
    const last = first + marks.length;
    let index = this.position;
    for (; index < end && (pages[index] as number) < last; index++) {
      const relativePage = (pages[index] as number) - first;
      marks[relativePage] = 1;
      if (impacts !== undefined)
        sums[relativePage] = (sums[relativePage] as number) + weight * (impacts[index] as number);
    }
    this.position = index;
  }

  /** Sets `block.impacts`: the impact of each candidate, 1 in lists without impacts, 0 if there is no posting. */
  loadImpacts(block: Block): void {
    const table = this.impactTable();
    if (table) {
      loadFromTable(block, table);
      return;
    }
    const end = this.approach(block);
    const { pages, impacts, size } = block;
    if (this.isSparse(block, end)) {
      for (let index = 0; index < size; index++) impacts[index] = this.impactOf(pages[index] as number, end);
    } else {
      this.tabulate(block, end);
      loadFromTable(block, block.byPage);
      this.clearTable(block, end);
    }
    this.position = end;
  }

  /** Keeps the candidates that are in the list, and adds to their scores: `loadImpacts`, `addImpacts`, `keep` in one pass. */
  intersect(block: Block): void {
    const { weight } = this;
    const table = this.impactTable();
    if (table) {
      intersectTable(block, table, weight);
      return;
    }
    const end = this.approach(block);
    if (this.isSparse(block, end)) {
      const { pages, scores, size } = block;
      let keptCount = 0;
      for (let index = 0; index < size; index++) {
        const page = pages[index] as number;
        const impact = this.impactOf(page, end);
        if (impact === 0) continue;
        pages[keptCount] = page;
        scores[keptCount++] = (scores[index] as number) + weight * impact;
      }
      block.size = keptCount;
    } else {
      this.tabulate(block, end);
      intersectTable(block, block.byPage, weight);
      this.clearTable(block, end);
    }
    this.position = end;
  }

  /** Moves to the first candidate, and returns the end of the postings up to the last one. */
  private approach({ pages, size }: Block): number {
    this.position = gallop(this.pages, this.position, this.end, pages[0] as number);
    return gallop(this.pages, this.position, this.end, (pages[size - 1] as number) + 1);
  }

  /** Whether searching for each candidate is faster than reading all postings up to `end`. */
  private isSparse(block: Block, end: number): boolean {
    return end - this.position > sparseAt * block.size;
  }

  /** Writes every posting up to `end` into `block.byPage`. */
  private tabulate({ byPage }: Block, end: number): void {
    const { pages, impacts, position } = this;
    if (impacts === undefined)
      for (let index = position; index < end; index++) byPage[pages[index] as number] = 1;
    else
      for (let index = position; index < end; index++)
        byPage[pages[index] as number] = impacts[index] as number;
  }

  /** Clears the entries that `tabulate` set, one by one: a forged file may list pages out of order. */
  private clearTable({ byPage }: Block, end: number): void {
    const { pages, position } = this;
    for (let index = position; index < end; index++) byPage[pages[index] as number] = 0;
  }

  private impactOf(page: number, end: number): number {
    const { pages, impacts } = this;
    const position = gallop(pages, this.position, end, page);
    this.position = position;
    if (position >= end || pages[position] !== page) return 0;
    return impacts === undefined ? 1 : (impacts[position] as number);
  }
}

/** Sets `block.impacts` from a table of impacts. */
function loadFromTable({ pages, impacts, size }: Block, byPage: Uint8Array): void {
  for (let index = 0; index < size; index++) impacts[index] = byPage[pages[index] as number] as number;
}

/** Keeps the candidates with an impact in a table, and adds to their scores. */
function intersectTable(block: Block, byPage: Uint8Array, weight: number): void {
  const { pages, scores, size } = block;
  let keptCount = 0;
  for (let index = 0; index < size; index++) {
    const page = pages[index] as number;
    const impact = byPage[page] as number;
    // Always written, and counted only if kept: a branch here would be mispredicted half of the time.
    pages[keptCount] = page;
    scores[keptCount] = (scores[index] as number) + weight * impact;
    keptCount += impact === 0 ? 0 : 1;
  }
  block.size = keptCount;
}

/**
 * The first index from `start` on whose page is not below `target`, or `end`: doubling steps, then halving (Bentley and
 * Yao, An almost optimal algorithm for unbounded searching, 1976).
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
