import type { IndexHit } from '../../index/page-index.ts';
import type { PageHead } from '../../page.ts';
import type { PageBeginning } from '../../store/page/beginnings.ts';
import type { FoundTerm } from '../../text/find-terms.ts';
import type { Pause } from '../time-slices.ts';
import { hostMatch, namesHost } from './host-match.ts';
import type { Question } from './query-features.ts';
import { definedIn, namedBy } from './rules/defined.ts';
import { holdsPhrase } from './rules/holds-phrase.ts';
import { listingRule } from './rules/listing.ts';
import { siblingFactors } from './rules/siblings.ts';
import { distinctWeight, share } from './rules/word-weights.ts';
import { bestWindow } from './rules/word-window.ts';

/** One of the best pages of the first phase, with what can be told without its text. */
export interface Candidate {
  readonly hit: IndexHit;
  readonly head: PageHead;
  /** The query's words in the title, in reading order. */
  readonly inTitle: readonly FoundTerm[];
  /** The query's words in the title, the address and the site's name. */
  readonly inPlace: () => readonly FoundTerm[];
  /** What is left of its score where another page shows it for readers; see `text-source.ts`. */
  readonly source?: number;
  /** `removed` where the page has gone meanwhile, `unread` where the search may read no more. */
  readonly read: () => ReadPage | 'removed' | 'unread';
}

export interface ReadPage extends PageBeginning {
  /** The query's words in the body, in reading order. */
  readonly inBody: readonly FoundTerm[];
  /** The query's words in the headings, in reading order. */
  readonly inHeadings: readonly FoundTerm[];
}

/** What a rule did to a score, by the rule's name; 1 changes nothing. */
export type Factors = Readonly<Record<string, number>>;

export interface RankedHit {
  readonly hit: IndexHit;
  /** Undefined where the search may read no more: then the rules that need the body leave the score as it is. */
  readonly read: ReadPage | undefined;
  /** The first phase's score times all factors. */
  readonly score: number;
  readonly factors: Factors;
}

/**
 * How much each rule may add to a score, as a share of it; chosen on the dev halves of the judged sets, and on pages
 * of documentation where those cannot tell. See docs/relevance.md.
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

/** What is left of the score of a near copy of a better page. */
const copyFactor = 0.5;
/** What each further page of a host loses, from the third on, and the least that is left. */
const hostFactor = 0.95;
const leastHostFactor = 0.8;

const halfLifeMs = 180 * 24 * 60 * 60 * 1000;

/** A sum or product in another order differs by less. */
const rounding = 1 + 1e-9;

/** The rules that look at one page; each says by which factor it raises the score. */
const rules = {
  /** All the words in the title is the best sign there is that a page is about them. */
  title: ({ inTitle }: Candidate, { totalWeight }: Question) =>
    1 + gains.title * share(distinctWeight(inTitle), totalWeight) ** 2,

  /** A title that is the question and little more is that of the page about it. */
  named: (named: number) => 1 + gains.named * named,

  /** Where the question is defined: a heading or the beginning of a line that is the question and little more. */
  defined: ({ inPlace }: Candidate, read: ReadPage, question: Question) =>
    1 + definedIn(read, question, inPlace, gains),

  /** Words near each other are about each other. */
  window: ({ inBody }: ReadPage, { totalWeight }: Question) =>
    1 + gains.window * share(bestWindow(inBody), totalWeight) ** 2,

  /** What was typed, as it was typed. */
  phrase: ({ inTitle }: Candidate, { inBody }: ReadPage, { phrases }: Question) => {
    const held = phrases.filter((phrase) => holdsPhrase(inTitle, phrase) || holdsPhrase(inBody, phrase));
    return 1 + gains.phrase * share(held.length, phrases.length);
  },

  /** The name of a site asks for its front page. */
  host: ({ head }: Candidate, { text }: Question) => 1 + gains.host * hostMatch(head.url, text),

  /** Of two equal pages the newer one. */
  fresh: ({ head }: Candidate, now: number) => {
    const age = Math.max(0, now - (head.publishedAt ?? head.crawledAt));
    return 1 + gains.fresh * 0.5 ** (age / halfLifeMs);
  },
};

/** A candidate whose body was not looked at. */
interface Unread {
  readonly candidate: Candidate;
  /** Its place in the first phase. */
  readonly place: number;
  /** What the rules made of its head. */
  readonly factors: Factors;
  readonly score: number;
  /** No less than its score, whatever its body says. */
  readonly most: number;
}

/**
 * The second phase: orders the best hits of the first anew and gives the best `wanted` of them. Equal scores keep the
 * order of the first phase, so neither totals nor paging change. A body is read only where it may bring its page among
 * them: a page that cannot stands below all of them, and so takes nothing from any. Bodies are read in one order however many
 * results are wanted, so that what the search can read to its budget's end is the same on every page of results.
 */
export async function rerank(
  candidates: readonly Candidate[],
  question: Question,
  now: number,
  wanted = candidates.length,
  pause: Pause = () => undefined,
): Promise<RankedHit[]> {
  let ranked: RankedHit[] = [];
  const siblings = siblingFactors(
    candidates.map(({ head }) => head),
    question,
  );
  const known = candidates
    .map((candidate, place) => withoutBody(candidate, place, siblings[place] ?? 1, { question, now }))
    .sort((a, b) => b.most - a.most);
  const scored: Scored[] = known.slice(maxBodies).map(asUnread);
  let unread = known.slice(0, maxBodies);
  let least = unread[wanted - 1]?.most ?? 0;
  while (unread.some(({ most }) => most >= least)) {
    const next = unread.filter(({ most }) => most >= least);
    unread = unread.filter(({ most }) => most < least);
    for (const one of next) {
      scored.push(...withBody(one, question));
      await pause();
    }
    ranked = demoteRepetition(
      scored.toSorted((a, b) => b.score - a.score || a.place - b.place),
      question,
    );
    // Of more pages the last one wanted may have lost by repetition what makes room for another.
    least = ranked[wanted - 1]?.score ?? 0;
  }
  return ranked.slice(0, wanted);
}

/** Bodies cost most of a search; those of pages whose heads promise least are left alone. */
const maxBodies = 15;

/** The most that the rules which need a body can add. */
const mostOfBody = (1 + gains.window) * (1 + Math.max(gains.heading, gains.line));

function withoutBody(
  candidate: Candidate,
  place: number,
  sibling: number,
  { question, now }: { readonly question: Question; readonly now: number },
): Unread {
  const { hit, head, inTitle, inPlace, source = 1 } = candidate;
  const named = namedBy(head.title, inTitle, question, inPlace);
  const host = rules.host(candidate, question);
  const factors = {
    title: rules.title(candidate, question),
    named: rules.named(named),
    host,
    fresh: rules.fresh(candidate, now),
    source,
    sibling,
    listing: listingRule(head.linkShare, named + (host - 1) / gains.host),
  };
  const score = product(hit.score, factors);
  const most = score * mostOfBody * (question.phrases.length > 0 ? 1 + gains.phrase : 1) * rounding;
  return { candidate, place, factors, score, most };
}

function product(score: number, factors: Factors): number {
  return Object.values(factors).reduce((result, factor) => result * factor, score);
}

interface Scored extends RankedHit, Pick<Candidate, 'head'> {
  readonly place: number;
}

function asUnread({ candidate, place, score, factors }: Omit<Unread, 'most'>): Scored {
  const { hit, head } = candidate;
  const unknown = { window: 1, phrase: 1, defined: 1 };
  return { hit, head, read: undefined, place, score, factors: { ...factors, ...unknown } };
}

function withBody({ candidate, place, score, factors }: Unread, question: Question): Scored[] {
  const { hit, head } = candidate;
  const read = candidate.read();
  if (read === 'removed') return [];
  if (read === 'unread') return [asUnread({ candidate, place, score, factors })];
  const ofBody = {
    window: rules.window(read, question),
    phrase: rules.phrase(candidate, read, question),
    defined: rules.defined(candidate, read, question),
  };
  return [{ hit, head, read, place, score: product(score, ofBody), factors: { ...factors, ...ofBody } }];
}

/** Copies of a better page and page after page of one host move down; nothing is lost. */
function demoteRepetition(ranked: readonly Scored[], { namesSite, text }: Question): RankedHit[] {
  const seen = new Set<string>();
  const pagesOfHost = new Map<string, number>();
  const demoted = ranked.map(({ hit, head, read, factors, score }): RankedHit => {
    const { host } = new URL(head.url);
    const before = pagesOfHost.get(host) ?? 0;
    pagesOfHost.set(host, before + 1);
    const fingerprint = read && likeness(read);
    const copy = fingerprint !== undefined && seen.has(fingerprint) ? copyFactor : 1;
    if (fingerprint !== undefined) seen.add(fingerprint);
    const isWanted = namesSite || namesHost(host, text);
    const sameHost = isWanted ? 1 : Math.max(leastHostFactor, hostFactor ** Math.max(0, before - 1));
    return {
      hit,
      read,
      score: score * copy * sameHost,
      factors: { ...factors, copy, sameHost },
    };
  });
  return demoted.sort((a, b) => b.score - a.score);
}

/** The same for pages whose texts begin and end alike: mirrors, printable versions, the same page under two URLs. */
function likeness({ page: { title, body }, ending }: ReadPage): string {
  return `${title}\n${body.slice(0, 300)}\n${ending}`;
}
