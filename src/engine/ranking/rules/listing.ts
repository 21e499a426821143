/** A page with more than this share of its text in links to other pages is a listing. */
const maxLinkShare = 0.5;
/** Factor of a listing's score. */
const listingFactor = 0.5;

/**
 * Demotes listings: indexes and tables of contents contain every word of a site, but readers want the pages they link to.
 * `wantedShare`, 0 to 1, is how likely the listing itself is wanted, by its title or as the front page of a site.
 */
export function listingRule(linkShare: number | undefined, wantedShare: number): number {
  if (linkShare === undefined || linkShare <= maxLinkShare) return 1;
  return listingFactor + (1 - listingFactor) * Math.min(1, wantedShare);
}
