/** A set of page numbers of one segment, one bit a page: bit `page & 7` of byte `page >> 3`. */
export type PageSet = Uint8Array;

/** An empty set with room for the pages of a segment. */
export function createPageSet(pageCount: number): PageSet {
  return new Uint8Array((pageCount + 7) >> 3);
}

export function hasPage(set: PageSet, page: number): boolean {
  return (((set[page >>> 3] as number) >>> (page & 7)) & 1) === 1;
}

/** Adds a page that the set has room for; false when it was there before. */
export function addPage(set: PageSet, page: number): boolean {
  if (hasPage(set, page)) return false;
  set[page >>> 3] = (set[page >>> 3] as number) | (1 << (page & 7));
  return true;
}

/** The page numbers below `pageCount` in the set, ascending. */
export function pagesIn(set: PageSet, pageCount: number): number[] {
  const pages: number[] = [];
  for (let page = 0; page < pageCount; page++) if (hasPage(set, page)) pages.push(page);
  return pages;
}
