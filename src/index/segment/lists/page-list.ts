import { gallop } from './gallop.ts';

/** What a search for a page gives at the end of a list: a number above all page numbers. */
export const noPage = 65_536;

/** What lists add to the pages of a stretch of page numbers. */
export interface PageSums {
  readonly first: number;
  /** A bit for each page from `first` on that is in one of the lists, the lowest of a word first. */
  readonly marks: Uint32Array;
  readonly sums: Float64Array;
}

/** The impacts of the postings that are in `pages`, and their weight. */
export interface ListScores {
  readonly impacts: Uint8Array;
  /** What is added to an index in `pages` for the index of the same posting in `impacts`. */
  readonly shift: number;
  readonly weight: number;
}

/** The page numbers of one posting list in ascending order. Readers go forward: indexes and targets never decrease. */
export interface PageList {
  /** The list is at the indexes from `start` up to `end`, as far as it is loaded. */
  readonly pages: Uint16Array;
  readonly start: number;
  readonly end: number;
  /** Writes the pages from index `from` up to, but not including, `to`. Calls leave out no index from `start` on. */
  take(from: number, to: number, into: Uint16Array): void;
  /** Marks the pages of a stretch, from index `from` on, and adds their impacts. Returns the index of the next page. */
  accumulate(from: number, into: PageSums, scores: ListScores | undefined): number;
  /** An index not below `from`: near the first page that is not below `target`, and not after it. */
  floor(from: number, target: number): number;
  /** An index not below `from`: near the first page above `target`, and not before it. */
  ceiling(from: number, target: number): number;
  /**
   * Writes the impacts of the pages from a `floor` up to a `ceiling` into a table by page number, 1 without impacts. Pages
   * next to them may be written too. `clear`, with the same table, clears all that was written.
   */
  tabulate(from: number, to: number, table: Uint8Array, scores: ListScores | undefined): void;
  clear(table: Uint8Array): void;
  /** Loads the pages from index `from` up to, but not including, `to`. */
  load(from: number, to: number): void;
  /** The index of a page from `from` on, or -1. Pages never decrease. */
  find(from: number, page: number): number;
  /** The first page from `target` on, or `noPage`. Never goes back: while it is not below the target, it stays. */
  nextPage(target: number): number;
}

/** A list whose pages stand in a section of the file. */
export class ShortList implements PageList {
  readonly pages: Uint16Array;
  readonly start: number;
  readonly end: number;
  private next: number;
  private tabulatedFrom = 0;
  private tabulatedTo = 0;

  constructor(pages: Uint16Array, start: number, end: number) {
    this.pages = pages;
    this.start = start;
    this.end = end;
    this.next = start;
  }

  load(): void {}

  take(from: number, to: number, into: Uint16Array): void {
    const { pages } = this;
    for (let index = from; index < to; index++) into[index - from] = pages[index] as number;
  }

  accumulate(from: number, into: PageSums, scores: ListScores | undefined): number {
    return addPages(this.pages, from, this.end, into, scores);
  }

  find(from: number, page: number): number {
    this.next = gallop(this.pages, Math.max(from, this.next), this.end, page);
    return this.next < this.end && this.pages[this.next] === page ? this.next : -1;
  }

  floor(from: number, target: number): number {
    return gallop(this.pages, from, this.end, target);
  }

  ceiling(from: number, target: number): number {
    return gallop(this.pages, from, this.end, target + 1);
  }

  tabulate(from: number, to: number, table: Uint8Array, scores: ListScores | undefined): void {
    const { pages } = this;
    this.tabulatedFrom = from;
    this.tabulatedTo = to;
    if (scores === undefined) {
      for (let index = from; index < to; index++) table[pages[index] as number] = 1;
      return;
    }
    const { impacts, shift } = scores;
    for (let index = from; index < to; index++)
      table[pages[index] as number] = impacts[index + shift] as number;
  }

  /** One by one: a forged file may list pages out of order. */
  clear(table: Uint8Array): void {
    const { pages, tabulatedFrom, tabulatedTo } = this;
    for (let index = tabulatedFrom; index < tabulatedTo; index++) table[pages[index] as number] = 0;
  }

  nextPage(target: number): number {
    this.next = gallop(this.pages, this.next, this.end, target);
    return this.next < this.end ? (this.pages[this.next] as number) : noPage;
  }
}

/** `PageList.accumulate` of pages that are loaded up to `end`. */
export function addPages(
  pages: Uint16Array,
  from: number,
  end: number,
  { first, marks, sums }: PageSums,
  scores: ListScores | undefined,
): number {
  const last = first + sums.length;
  let index = from;
  if (scores === undefined) {
    for (; index < end && (pages[index] as number) < last; index++) {
      const page = (pages[index] as number) - first;
      marks[page >>> 5] = (marks[page >>> 5] as number) | (1 << (page & 31));
    }
    return index;
  }
  const { impacts, shift, weight } = scores;
  for (; index < end && (pages[index] as number) < last; index++) {
    const page = (pages[index] as number) - first;
    marks[page >>> 5] = (marks[page >>> 5] as number) | (1 << (page & 31));
    sums[page] = (sums[page] as number) + weight * (impacts[index + shift] as number);
  }
  return index;
}
