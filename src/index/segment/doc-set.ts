import { noPage, type PageList } from './lists/page-list.ts';

/**
 * The pages that a part of a query matches, in ascending order. A reader uses only one of the two functions, with
 * arguments that never decrease: `seek` to go from match to match, or `test` to check single pages.
 */
export interface DocSet {
  /** Upper bound of the number of matches. It only orders the parts of a query and never decides what matches. */
  readonly cost: number;
  /** The first match at or after `target`, or `noPage`. */
  seek(target: number): number;
  test(page: number): boolean;
}

/** Reads one posting list. */
export class PostingCursor implements DocSet {
  readonly cost: number;
  private readonly list: PageList;

  constructor(list: PageList) {
    this.list = list;
    this.cost = list.end - list.start;
  }

  seek(target: number): number {
    return this.list.nextPage(target);
  }

  test(page: number): boolean {
    return this.list.nextPage(page) === page;
  }
}

/** Every page of the segment. */
export class EveryPageSet implements DocSet {
  readonly cost: number;
  private readonly pageCount: number;

  constructor(pageCount: number) {
    this.cost = pageCount;
    this.pageCount = pageCount;
  }

  seek(target: number): number {
    return target < this.pageCount ? target : noPage;
  }

  test(): boolean {
    return true;
  }
}

/** Pages that pass a test; `seek` tries one after the other. */
export class FilteredDocSet implements DocSet {
  readonly cost: number;
  readonly test: (page: number) => boolean;
  private readonly pageCount: number;
  private current = -1;

  constructor(pageCount: number, test: (page: number) => boolean) {
    this.cost = pageCount;
    this.pageCount = pageCount;
    this.test = test;
  }

  seek(target: number): number {
    if (this.current >= target) return this.current;
    let page = target;
    while (page < this.pageCount && !this.test(page)) page++;
    this.current = page < this.pageCount ? page : noPage;
    return this.current;
  }
}

/** Pages that at least one of the parts matches; none if there are no parts. */
export class AnyDocSet implements DocSet {
  readonly cost: number;
  private readonly parts: readonly DocSet[];

  constructor(parts: readonly DocSet[]) {
    this.parts = parts;
    this.cost = parts.reduce((sum, { cost }) => sum + cost, 0);
  }

  seek(target: number): number {
    let first = noPage;
    for (const part of this.parts) {
      const page = part.seek(target);
      if (page < first) first = page;
    }
    return first;
  }

  test(page: number): boolean {
    for (const part of this.parts) if (part.test(page)) return true;
    return false;
  }
}

/** Pages that all parts match. The rarest part leads, and filters are tested last. */
export class AllDocSet implements DocSet {
  readonly cost: number;
  private readonly lead: DocSet;
  private readonly rest: readonly DocSet[];
  private readonly filters: readonly FilteredDocSet[];

  constructor(pageCount: number, parts: readonly DocSet[]) {
    const lists = parts.filter((part) => !(part instanceof FilteredDocSet)).sort((a, b) => a.cost - b.cost);
    this.lead = lists[0] ?? new EveryPageSet(pageCount);
    this.rest = lists.slice(1);
    this.filters = parts.filter((part) => part instanceof FilteredDocSet);
    this.cost = this.lead.cost;
  }

  seek(target: number): number {
    const { lead, rest } = this;
    let page = lead.seek(target);
    candidates: while (page !== noPage) {
      for (const part of rest) {
        const next = part.seek(page);
        if (next !== page) {
          page = lead.seek(next);
          continue candidates;
        }
      }
      if (this.passes(page)) return page;
      page = lead.seek(page + 1);
    }
    return noPage;
  }

  test(page: number): boolean {
    if (!this.lead.test(page)) return false;
    for (const part of this.rest) if (!part.test(page)) return false;
    return this.passes(page);
  }

  private passes(page: number): boolean {
    for (const filter of this.filters) if (!filter.test(page)) return false;
    return true;
  }
}
