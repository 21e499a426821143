/** A page with more than this share of its text in links to other pages says little itself. */
const maxLinkShare = 0.5;
/** What is left of the score of such a page. */
const listingFactor = 0.5;

/**
 * Indexes and tables of contents hold every word of a site; the pages that they lead to are what is wanted. `asked`, 0
 * to 1, is how surely the listing itself is asked for, by its title or as the front page of a site.
 */
export function listingRule(linkShare: number | undefined, asked: number): number {
  if (linkShare === undefined || linkShare <= maxLinkShare) return 1;
  return listingFactor + (1 - listingFactor) * Math.min(1, asked);
}
