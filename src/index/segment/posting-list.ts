import { type Block, type BlockSource, blockSize } from './block.ts';
import type { ListScores, PageList, PageSums } from './lists/page-list.ts';

/** A list with this many times more postings than there are candidates is searched, not read. */
const sparseAt = 16;

/** The impacts of a list. */
export interface ListImpacts {
  readonly items: Uint8Array;
  /** The index in `items` of the first posting of the list. */
  readonly first: number;
  /** The impacts by page number, 0 if there is no posting; undefined for lists that are too short for a table. */
  byPage(): Uint8Array | undefined;
}

/** A posting list that is looked up for ascending candidates, one block at a time. */
export class PostingList implements BlockSource {
  private readonly list: PageList;
  /** Undefined for title lists, which have no impacts. */
  private readonly scores: { -readonly [Key in keyof ListScores]: ListScores[Key] } | undefined;
  private readonly impactTable: (() => Uint8Array | undefined) | undefined;
  private position: number;

  constructor(list: PageList, impacts?: ListImpacts) {
    this.list = list;
    this.position = list.start;
    this.scores = impacts && { impacts: impacts.items, shift: impacts.first - list.start, weight: 0 };
    this.impactTable = impacts?.byPage;
  }

  /** The weight of the list's impacts in scores; 0 if the list does not score. */
  get weight(): number {
    return this.scores?.weight ?? 0;
  }

  set weight(weight: number) {
    if (this.scores) this.scores.weight = weight;
  }

  get length(): number {
    return this.list.end - this.position;
  }

  fill(block: Block): void {
    const { list, position } = this;
    const size = Math.min(blockSize, list.end - position);
    list.take(position, position + size, block.pages);
    if (this.weight === 0) block.scores.fill(0, 0, size);
    else this.scoreAll(block.scores, size);
    block.size = size;
    this.position = position + size;
  }

  /** Marks the pages of the list in a stretch, and adds to their sums. */
  accumulate(into: PageSums): void {
    const scores = this.weight === 0 ? undefined : this.scores;
    this.position = this.list.accumulate(this.position, into, scores);
  }

  /** Sets `block.impacts`: the impact of each candidate, 1 in lists without impacts, 0 if there is no posting. */
  loadImpacts(block: Block): void {
    const table = this.impactTable?.();
    if (table) {
      loadFromTable(block, table);
      return;
    }
    const end = this.approach(block);
    const { pages, impacts, size } = block;
    if (this.isSparse(block, end)) {
      for (let index = 0; index < size; index++) impacts[index] = this.impactOf(pages[index] as number);
    } else {
      this.list.tabulate(this.position, end, block.byPage, this.scores);
      loadFromTable(block, block.byPage);
      this.list.clear(block.byPage);
    }
  }

  /** Keeps the candidates that are in the list, and adds to their scores: `loadImpacts`, `addImpacts`, `keep` in one pass. */
  intersect(block: Block): void {
    const { weight } = this;
    const table = this.impactTable?.();
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
        const impact = this.impactOf(page);
        if (impact === 0) continue;
        pages[keptCount] = page;
        scores[keptCount++] = (scores[index] as number) + weight * impact;
      }
      block.size = keptCount;
    } else {
      this.list.tabulate(this.position, end, block.byPage, this.scores);
      intersectTable(block, block.byPage, weight);
      this.list.clear(block.byPage);
    }
  }

  /** Moves near the first candidate, and returns an end of the postings up to the last one. */
  private approach({ pages, size }: Block): number {
    const { list } = this;
    this.position = list.floor(this.position, pages[0] as number);
    return list.ceiling(this.position, pages[size - 1] as number);
  }

  /** Whether searching for each candidate is faster than reading all postings up to `end`. */
  private isSparse(block: Block, end: number): boolean {
    return end - this.position > sparseAt * block.size;
  }

  /** The scores of the next postings. */
  private scoreAll(scores: Float64Array, size: number): void {
    const { impacts, shift, weight } = this.scores as ListScores;
    const first = this.position + shift;
    for (let index = 0; index < size; index++) scores[index] = weight * (impacts[first + index] as number);
  }

  private impactOf(page: number): number {
    const { list, scores } = this;
    const position = list.find(this.position, page);
    if (position < 0) return 0;
    return scores === undefined ? 1 : (scores.impacts[position + scores.shift] as number);
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
