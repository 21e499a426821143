/** The terms of all pages, one page after the other. The run of page `n` ends at `ends[n]`. */
export interface TermRuns {
  items: Uint32Array;
  readonly ends: number[];
}

/** The orders of the result: pages by page number, terms by their number in the dictionary. */
export interface Orders {
  /** By page number: the index of the page's run. */
  readonly pages: Uint32Array;
  /** The terms, as numbered in the runs, in the order of the lists. */
  readonly terms: Uint32Array;
}

/** The posting lists of all terms, one after the other. */
export interface Lists {
  /** The start of each list, then the end of the last one. */
  readonly offsets: Uint32Array;
  /** The page numbers; with impacts, each is shifted by 8 bits above its impact. */
  readonly items: Uint32Array;
}

/**
 * Turns lists of terms by page into lists of pages by term, by counting sort. `impacts` has a byte for each item of the
 * runs. It is stored in one word with the page number, so that each posting is one random write.
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

/** Fills `offsets`, and returns the start of each list by term. */
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
