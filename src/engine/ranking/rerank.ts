import type { Pause } from '../../async/time-slices.ts';
import type { IndexHit } from '../../index/page-index.ts';
import type { PageMarks, RankedHead } from '../../index/page-marks.ts';
import type { FoundTerm } from '../../text/find-terms.ts';
import { addressOf } from '../page-address.ts';
import { hostMatcher, hostNamer } from './host-match.ts';
import type { QueryFeatures } from './query-features.ts';
import { definedIn, namedBy } from './rules/defined.ts';
import { holdsPhrase } from './rules/holds-phrase.ts';
import { listingRule } from './rules/listing.ts';
import { siblingFactors } from './rules/siblings.ts';
import { distinctWeight, rounding, share } from './rules/word-weights.ts';
import { bestWindowWeight } from './rules/word-window.ts';

/** One of the best pages of the first phase, with what is known without its text. */
export interface Candidate {
  readonly hit: IndexHit;
  readonly head: RankedHead;
  /** The query's words in the title, in reading order. */
  readonly inTitle: readonly FoundTerm[];
  /** The query's words in the title, the address and the site's name. */
  readonly inPlace: () => readonly FoundTerm[];
  /** Factor of its score if another page shows the same for readers; see `text-source.ts`. */
  readonly source?: number;
  /** `removed` if the page is not stored any more, `unread` if the search budget allows no more reading. */
  readonly read: () => PageMatches | 'removed' | 'unread';
}

/** The occurrences of the query's words in a page. */
export interface PageMatches {
  readonly marks: PageMarks;
  /** The query's words in the body, in reading order. */
  readonly inBody: readonly FoundTerm[];
  /** The query's words in the headings, in reading order. */
  readonly inHeadings: readonly FoundTerm[];
}

/** What a rule did to a score, by the rule's name; 1 changes nothing. */
export type Factors = Readonly<Record<string, number>>;

export interface RankedHit {
  readonly hit: IndexHit;
  /** Undefined if the budget allowed no reading: the rules that need the body then leave the score unchanged. */
  readonly read: PageMatches | undefined;
  /** The first phase's score times all factors. */
  readonly score: number;
  readonly factors: Factors;
}

/**
 * Maximum that each rule adds to a score, as a share of it. Chosen on the dev halves of the judged sets, or on pages of
 * documentation if those do not decide. See docs/relevance.md.
 */
const gains = {
  title: 0.3,
  named: 1,
  heading: 0.8,
  line: 0.5,
  window: 0.35,
  phrase: 0.25,
  host: 0.5,
  fresh: 0.05,
};

/** Factor for a near copy of a better page. */
const copyFactor = 0.5;
/** Factor for each further page of a host, from the third on, and its lower limit. */
const hostFactor = 0.95;
const minHostFactor = 0.8;

const halfLifeMs = 180 * 24 * 60 * 60 * 1000;

/** The rules that look at a single page. Each returns the factor of the score. */
const rules = {
  /** All query words in the title are the best sign that a page is about them. */
  title: ({ inTitle }: Candidate, { totalWeight }: QueryFeatures) =>
    1 + gains.title * share(distinctWeight(inTitle), totalWeight) ** 2,

  /** A title that is little more than the query belongs to the page about it. */
  named: (named: number) => 1 + gains.named * named,

  /** The page defines the query: a heading or the beginning of a line is little more than the query. */
  defined: ({ inPlace }: Candidate, read: PageMatches, features: QueryFeatures) =>
    1 + definedIn(read, features, inPlace, gains),

  /** Query words near each other belong together. */
  window: ({ inBody }: PageMatches, { totalWeight }: QueryFeatures) =>
    1 + gains.window * share(bestWindowWeight(inBody), totalWeight) ** 2,

  /** The query's phrases occur as typed. */
  phrase: ({ inTitle }: Candidate, { inBody }: PageMatches, { phrases }: QueryFeatures) => {
    const held = phrases.filter((phrase) => holdsPhrase(inTitle, phrase) || holdsPhrase(inBody, phrase));
    return 1 + gains.phrase * share(held.length, phrases.length);
  },

  /** A query that is the name of a site is best answered by its front page. */
  host: ({ head }: Candidate, hostMatch: (url: string) => number) => 1 + gains.host * hostMatch(head.url),

  /** Of two equal pages the newer one is first. */
  fresh: ({ head }: Candidate, now: number) => {
    const age = Math.max(0, now - (head.publishedAt ?? head.crawledAt));
    return 1 + gains.fresh * 0.5 ** (age / halfLifeMs);
  },
};

/** A candidate with the score of its head. */
interface HeadScored {
  readonly candidate: Candidate;
  /** Its index in the first phase. */
  readonly index: number;
  /** The factors of the rules that need only its head. */
  readonly factors: Factors;
  readonly score: number;
  /** Upper bound of its score, whatever its body contains. */
  readonly maxScore: number;
}

/**
 * The second phase: reorders the best hits of the first phase and returns the best `wanted` of them. Equal scores keep
 * the order of the first phase, so totals and paging do not change. A body is read only if the page can enter the list:
 * a page whose upper bound is below the last wanted score can neither enter it nor demote a page in it. The order of
 * reading does not depend on `wanted`, so that the budget ends at the same page on every page of results.
 */
export async function rerank(
  candidates: readonly Candidate[],
  features: QueryFeatures,
  now: number,
  wanted = candidates.length,
  pause: Pause = () => undefined,
  loadTexts?: (ids: readonly string[]) => Promise<void>,
): Promise<RankedHit[]> {
  let ranked: Demoted[] = [];
  const siblings = siblingFactors(
    candidates.map(({ head }) => head),
    features,
  );
  const hostMatch = hostMatcher(features.text);
  const isNamed = hostNamer(features.text);
  const ofHeads = candidates
    .map((candidate, index) =>
      withoutBody(candidate, index, siblings[index] ?? 1, { features, hostMatch, now }),
    )
    .sort((a, b) => b.maxScore - a.maxScore);
  const within = withinReach(ofHeads);
  const scored: Scored[] = ofHeads.filter((one) => !within.has(one)).map(asUnread);
  let unread = ofHeads.filter((one) => within.has(one));
  let minScore = unread[wanted - 1]?.maxScore ?? 0;
  while (unread.some(({ maxScore }) => maxScore >= minScore)) {
    const next = unread.filter(({ maxScore }) => maxScore >= minScore);
    unread = unread.filter(({ maxScore }) => maxScore < minScore);
    await loadTexts?.(next.flatMap(({ candidate: { hit } }) => (hit.marks ? [] : [hit.id])));
    for (const one of next) {
      scored.push(...withBody(one, features));
      await pause();
    }
    ranked = demoteRepetition(
      scored.toSorted((a, b) => b.score - a.score || a.head.index - b.head.index),
      features.namesSite,
      isNamed,
    );
    // The last wanted page may have been demoted as a repetition, which makes room for another page.
    minScore = ranked[wanted - 1]?.demoted ?? 0;
  }
  return ranked.slice(0, wanted).map(rankedHit);
}

/** Maximum number of pages whose text is looked at, and of those among them whose text is read from the store for it. */
export const maxLooks = 40;
const maxBodies = 15;

/** The pages that may be looked at, of all pages in order. Looking at marks is cheap, reading bodies is not. */
function withinReach(ofHeads: readonly HeadScored[]): ReadonlySet<HeadScored> {
  let bodies = 0;
  return new Set(
    ofHeads
      .slice(0, maxLooks)
      .filter(({ candidate }) => candidate.hit.marks !== undefined || ++bodies <= maxBodies),
  );
}

/** Maximum factor of the rules that need a body, without phrases. */
const maxBodyFactor = (1 + gains.window) * (1 + Math.max(gains.heading, gains.line));

/** What is the same for all candidates of a query. */
interface QueryFacts {
  readonly features: QueryFeatures;
  readonly hostMatch: (url: string) => number;
  readonly now: number;
}

function withoutBody(
  candidate: Candidate,
  index: number,
  sibling: number,
  { features, hostMatch, now }: QueryFacts,
): HeadScored {
  const { hit, head, inTitle, inPlace, source = 1 } = candidate;
  const named = namedBy(head.title, inTitle, features, inPlace);
  const host = rules.host(candidate, hostMatch);
  const factors = {
    title: rules.title(candidate, features),
    named: rules.named(named),
    host,
    fresh: rules.fresh(candidate, now),
    source,
    sibling,
    listing: listingRule(head.linkShare, named + (host - 1) / gains.host),
  };
  const score = product(hit.score, factors);
  const maxScore = score * maxBodyFactor * (features.phrases.length > 0 ? 1 + gains.phrase : 1) * rounding;
  return { candidate, index, factors, score, maxScore };
}

function product(score: number, factors: Factors): number {
  let result = score;
  for (const name in factors) result *= factors[name] as number;
  return result;
}

interface Scored {
  readonly head: HeadScored;
  readonly read: PageMatches | undefined;
  readonly ofBody: Factors;
  readonly score: number;
}

const noBodyFactors: Factors = { window: 1, phrase: 1, defined: 1 };

function asUnread(head: HeadScored): Scored {
  return { head, read: undefined, ofBody: noBodyFactors, score: head.score };
}

function withBody(head: HeadScored, features: QueryFeatures): Scored[] {
  const { candidate, score } = head;
  const read = candidate.read();
  if (read === 'removed') return [];
  if (read === 'unread') return [asUnread(head)];
  const ofBody = {
    window: rules.window(read, features),
    phrase: rules.phrase(candidate, read, features),
    defined: rules.defined(candidate, read, features),
  };
  return [{ head, read, ofBody, score: product(score, ofBody) }];
}

/** A page with the factors by which it is demoted, and its score times them. */
interface Demoted {
  readonly page: Scored;
  readonly copy: number;
  readonly sameHost: number;
  readonly demoted: number;
}

function rankedHit({ page: { head, read, ofBody }, copy, sameHost, demoted: score }: Demoted): RankedHit {
  return { hit: head.candidate.hit, read, score, factors: { ...head.factors, ...ofBody, copy, sameHost } };
}

/** Demotes copies of a better page and further pages of the same host. No page is removed. */
function demoteRepetition(
  ranked: readonly Scored[],
  namesSite: boolean,
  isNamed: (host: string) => boolean,
): Demoted[] {
  const seen = new Set<string>();
  const pagesOfHost = new Map<string, number>();
  const demoted = ranked.map((page): Demoted => {
    const { head, read, score } = page;
    const { host } = addressOf(head.candidate.head.url);
    const before = pagesOfHost.get(host) ?? 0;
    pagesOfHost.set(host, before + 1);
    const fingerprint = read?.marks.likeness;
    const copy = fingerprint !== undefined && seen.has(fingerprint) ? copyFactor : 1;
    if (fingerprint !== undefined) seen.add(fingerprint);
    const isWanted = namesSite || isNamed(host);
    const sameHost = isWanted ? 1 : Math.max(minHostFactor, hostFactor ** Math.max(0, before - 1));
    return { page, copy, sameHost, demoted: score * copy * sameHost };
  });
  return demoted.sort((a, b) => b.demoted - a.demoted);
}
