import type { PageAddress } from '../../text/page-address.ts';
import type { Candidate, PageMatches } from './candidate.ts';
import type { QueryFeatures } from './query-features.ts';
import { definedIn } from './rules/defined.ts';
import type { NamedQuery } from './rules/fill-share.ts';
import { holdsPhrase } from './rules/holds-phrase.ts';
import { distinctWeight, rounding, share, wholeRange } from './rules/word-weights.ts';
import { bestWindowWeight } from './rules/word-window.ts';

/**
 * Maximum that each rule adds to a score, as a share of it. Chosen on the dev halves of the judged sets, or on pages of
 * documentation if those do not decide. See docs/relevance.md.
 */
export const gains = {
  title: 0.3,
  named: 1,
  heading: 0.8,
  line: 0.5,
  window: 0.35,
  phrase: 0.25,
  host: 0.5,
  fresh: 0.05,
};

const halfLifeMs = 180 * 24 * 60 * 60 * 1000;

/** The rules that look at a single page. Each returns the factor of the score. */
export const rules = {
  /** All query words in the title are the best sign that a page is about them. */
  title: ({ inTitle }: Candidate, { totalWeight }: QueryFeatures) =>
    1 + gains.title * share(distinctWeight(wholeRange(inTitle)), totalWeight) ** 2,

  /** A title that is little more than the query belongs to the page about it. */
  named: (named: number) => 1 + gains.named * named,

  /**
   * The page defines the query: a heading or the beginning of a line is little more than the query. Undefined if the factor
   * surely is below `worth`.
   */
  defined: (candidate: Candidate, read: PageMatches, features: QueryFeatures, worth: number) => {
    const gain = definedIn(read, namedQuery(candidate, features), gains, worth - 1);
    return gain === undefined ? undefined : 1 + gain;
  },

  /** Query words near each other belong together. */
  window: ({ inBody }: PageMatches, { totalWeight }: QueryFeatures) =>
    1 + gains.window * share(bestWindowWeight(inBody), totalWeight) ** 2,

  /** The query's phrases occur as typed. */
  phrase: ({ inTitle }: Candidate, { inBody }: PageMatches, { phrases }: QueryFeatures) => {
    const held = phrases.filter((phrase) => holdsPhrase(inTitle, phrase) || holdsPhrase(inBody, phrase));
    return 1 + gains.phrase * share(held.length, phrases.length);
  },

  /** A query that is the name of a site is best answered by its front page. */
  host: ({ address }: Candidate, hostMatch: (address: PageAddress) => number) =>
    1 + gains.host * hostMatch(address),

  /** Of two equal pages the newer one is first. */
  fresh: ({ head }: Candidate, now: number) => {
    const age = Math.max(0, now - (head.publishedAt ?? head.crawledAt));
    return 1 + gains.fresh * 0.5 ** (age / halfLifeMs);
  },
};

export function namedQuery(candidate: Candidate, { totalWeight }: QueryFeatures): NamedQuery {
  return { totalWeight, inPlace: () => candidate.inPlace() };
}

/** Maximum factor of the rules that need a body, without phrases. */
const maxBodyFactor = (1 + gains.window) * (1 + Math.max(gains.heading, gains.line));

/** An upper bound of the factor that a page's body can have. */
export function maxFactorOfBody({ phrases }: QueryFeatures): number {
  return maxBodyFactor * (phrases.length > 0 ? 1 + gains.phrase : 1) * rounding;
}
