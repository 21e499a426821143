import type { PageAddress } from '../../text/page-address.ts';
import type { Candidate, Factors } from './candidate.ts';
import { hostMatcher } from './host-match.ts';
import { gains, maxFactorOfBody, namedQuery, rules } from './page-rules.ts';
import type { QueryFeatures } from './query-features.ts';
import { namedBy } from './rules/defined.ts';
import { listingRule } from './rules/listing.ts';
import { siblingFactors } from './rules/siblings.ts';

/** A candidate with the score of its head. */
export interface HeadScored {
  readonly candidate: Candidate;
  /** Its index in the first phase. */
  readonly index: number;
  /** The factors of the rules that need only its head. */
  readonly factors: Factors;
  readonly score: number;
  /** Upper bound of its score, whatever its body contains. */
  readonly maxScore: number;
}

/** What is the same for all candidates of a query. */
interface QueryFacts {
  readonly features: QueryFeatures;
  readonly hostMatch: (address: PageAddress) => number;
  readonly now: number;
}

/** The candidates with the scores of their heads, the highest bound first. The factor of text sources is still missing. */
export function scoreHeads(
  candidates: readonly Candidate[],
  features: QueryFeatures,
  now: number,
): HeadScored[] {
  const siblings = siblingFactors(candidates, features);
  const facts = { features, hostMatch: hostMatcher(features.text), now };
  return candidates
    .map((candidate, index) => scoreHead(candidate, index, siblings[index] ?? 1, facts))
    .sort(byBound);
}

function scoreHead(
  candidate: Candidate,
  index: number,
  sibling: number,
  { features, hostMatch, now }: QueryFacts,
): HeadScored {
  const { hit, head, inTitle } = candidate;
  const named = inTitle.length === 0 ? 0 : namedBy(head.title, inTitle, namedQuery(candidate, features));
  const host = rules.host(candidate, hostMatch);
  const factors = {
    title: rules.title(candidate, features),
    named: rules.named(named),
    host,
    fresh: rules.fresh(candidate, now),
    source: 1,
    sibling,
    listing: listingRule(head.linkShare, named + (host - 1) / gains.host),
  };
  const score = product(hit.score, factors);
  return { candidate, index, factors, score, maxScore: score * maxFactorOfBody(features) };
}

/**
 * The same with the factor of text sources, which never raises a score. To find out whether the page for readers is stored
 * costs more than all other rules of a head.
 */
function withSource(head: HeadScored): HeadScored {
  const source = head.candidate.source?.() ?? 1;
  if (source === 1) return head;
  const { factors, score, maxScore } = head;
  return {
    ...head,
    factors: { ...factors, source },
    score: score * source,
    maxScore: maxScore * source,
  };
}

/**
 * Takes heads from the front of a list, which is in order of bounds, until the best `count` are known with all of their
 * factors. Returns these first, and all that were taken, in order of bounds.
 */
export function takeBest(heads: HeadScored[], count: number): HeadScored[] {
  const taken: HeadScored[] = [];
  const bound = () => heads[0]?.maxScore ?? Number.NEGATIVE_INFINITY;
  while (heads.length > 0 && !hasBest(taken, count, bound()))
    taken.push(withSource(heads.shift() as HeadScored));
  return taken.sort(byBound);
}

/** Takes those of the heads from the front of a list, with all of their factors, that may have a score of `minScore`. */
export function takeAbove(heads: HeadScored[], minScore: number): HeadScored[] {
  const taken: HeadScored[] = [];
  // Bounds are a constant multiple of scores.
  while ((heads[0]?.score ?? Number.NEGATIVE_INFINITY) >= minScore)
    taken.push(withSource(heads.shift() as HeadScored));
  return taken;
}

/** Whether at least `count` of the taken heads have a bound as high as `bound`, the highest of those that are left. */
function hasBest(taken: readonly HeadScored[], count: number, bound: number): boolean {
  if (taken.length < count) return false;
  let known = 0;
  for (const { maxScore } of taken) if (maxScore >= bound) known++;
  return known >= count;
}

function byBound(one: HeadScored, other: HeadScored): number {
  return other.maxScore - one.maxScore;
}

export function product(score: number, factors: Factors): number {
  let result = score;
  for (const name in factors) result *= factors[name] as number;
  return result;
}
