/** The terms of pages, one page after the other: those of page `n` end at `ends[n]`. */
export interface TermRuns {
  items: Uint32Array;
  readonly ends: number[];
}

/** Where `invert` puts what it finds. */
interface Target {
  /** The page numbers of all lists. */
  readonly pages: Uint16Array;
  /** Where in `pages` the first list begins. */
  readonly start: number;
  /** What belongs to each item of the runs, and where it is to go, at the same place as the page number. */
  readonly impacts?: { readonly from: Uint8Array; readonly to: Uint8Array };
}

/**
 * Turns pages of terms into lists of pages, by counting sort. `order` has the places of the pages in the runs, page
 * number by page number; `ranks` the list of each term. Returns where each list begins, and the end of the last.
 */
export function invert(runs: TermRuns, order: Uint32Array, ranks: Uint32Array, target: Target): Uint32Array {
  const { items, ends } = runs;
  const { pages, start, impacts } = target;
  const offsets = new Uint32Array(ranks.length + 1);
  const length = ends.at(-1) ?? 0;
  for (let at = 0; at < length; at++) {
    const next = (ranks[items[at] as number] as number) + 1;
    offsets[next] = (offsets[next] as number) + 1;
  }
  offsets[0] = start;
  for (let list = 1; list < offsets.length; list++) {
    offsets[list] = (offsets[list] as number) + (offsets[list - 1] as number);
  }
  const next = offsets.slice();
  for (let page = 0; page < order.length; page++) {
    const run = order[page] as number;
    const end = ends[run] as number;
    for (let at = run === 0 ? 0 : (ends[run - 1] as number); at < end; at++) {
      const list = ranks[items[at] as number] as number;
      const place = next[list] as number;
      next[list] = place + 1;
      pages[place] = page;
      if (impacts) impacts.to[place] = impacts.from[at] as number;
    }
  }
  return offsets;
}
