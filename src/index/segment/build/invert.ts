/** The terms of pages, one page after the other: those of page `n` end at `ends[n]`. */
export interface TermRuns {
  items: Uint32Array;
  readonly ends: number[];
}

/** The order of what is turned round: pages by page number, terms by their place in the dictionary. */
export interface Orders {
  /** The places of the pages in the runs, page number by page number. */
  readonly pages: Uint32Array;
  /** The terms as the runs name them, in the order of the lists. */
  readonly terms: Uint32Array;
}

/** The lists of pages of all terms, one after the other. */
export interface Lists {
  /** Where each list begins, and where the last one ends. */
  readonly offsets: Uint32Array;
  /** What stands in the lists: a page number, above the byte that belongs to it where there are such bytes. */
  readonly items: Uint32Array;
}

/**
 * Turns pages of terms into lists of pages, by counting sort. `impacts` has a byte for each item of the runs, which
 * goes where the page number goes: both in one word, so that each posting is one write to somewhere else.
 */
export function invert(runs: TermRuns, orders: Orders, impacts?: Uint8Array): Lists {
  const { items, ends } = runs;
  const offsets = new Uint32Array(orders.terms.length + 1);
  const next = startsOf(runs, orders.terms, offsets);
  const lists = new Uint32Array(ends.at(-1) ?? 0);
  for (let page = 0; page < orders.pages.length; page++) {
    const run = orders.pages[page] as number;
    const end = ends[run] as number;
    for (let index = run === 0 ? 0 : (ends[run - 1] as number); index < end; index++) {
      const term = items[index] as number;
      const position = next[term] as number;
      next[term] = position + 1;
      lists[position] = impacts ? (page << 8) | (impacts[index] as number) : page;
    }
  }
  return { offsets, items: lists };
}

/** Fills `offsets`, and gives by term where its list begins. */
function startsOf({ items, ends }: TermRuns, order: Uint32Array, offsets: Uint32Array): Uint32Array {
  const counts = new Uint32Array(order.length);
  const length = ends.at(-1) ?? 0;
  for (let index = 0; index < length; index++) {
    const term = items[index] as number;
    counts[term] = (counts[term] as number) + 1;
  }
  for (let list = 0; list < order.length; list++) {
    const term = order[list] as number;
    const start = offsets[list] as number;
    offsets[list + 1] = start + (counts[term] as number);
    counts[term] = start;
  }
  return counts;
}
