import type { IndexHit } from '../../index/page-index.ts';
import type { PageHead } from '../../page.ts';
import type { PageBeginning } from '../../store/page/beginnings.ts';
import type { FoundTerm } from '../../text/find-terms.ts';
import type { Pause } from '../time-slices.ts';
import { hostMatch } from './host-match.ts';
import type { Question } from './query-features.ts';

/** One of the best pages of the first phase, with what can be told without its text. */
export interface Candidate {
  readonly hit: IndexHit;
  readonly head: PageHead;
  /** The query's words in the title, in reading order. */
  readonly inTitle: readonly FoundTerm[];
  /** What is left of its score where another page shows it for readers; see `text-source.ts`. */
  readonly source?: number;
  /** `removed` where the page has gone meanwhile, `unread` where the search may read no more. */
  readonly read: () => ReadPage | 'removed' | 'unread';
}

export interface ReadPage extends PageBeginning {
  /** The query's words in the body, in reading order. */
  readonly inBody: readonly FoundTerm[];
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
const gains = { title: 0.3, window: 0.35, phrase: 0.25, host: 0.5, fresh: 0.05 };

/** What is left of the score of a near copy of a better page. */
const copyFactor = 0.5;
/** What each further page of a host loses, from the third on, and the least that is left. */
const hostFactor = 0.95;
const leastHostFactor = 0.6;

/** Words this near to each other, in UTF-16 units, are read together: about two sentences. */
const windowLength = 200;

const halfLifeMs = 180 * 24 * 60 * 60 * 1000;

/** A sum or product in another order differs by less. */
const rounding = 1 + 1e-9;

/** The rules that look at one page; each says by which factor it raises the score. */
const rules = {
  /** All the words in the title is the best sign there is that a page is about them. */
  title: ({ inTitle }: Candidate, { totalWeight }: Question) =>
    1 + gains.title * share(distinctWeight(inTitle), totalWeight) ** 2,

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
  readonly title: number;
  readonly host: number;
  readonly fresh: number;
  readonly source: number;
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
  const scored: Scored[] = [];
  let ranked: RankedHit[] = [];
  let unread = candidates
    .map((candidate, place) => withoutBody(candidate, place, question, now))
    .sort((a, b) => b.most - a.most);
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

function withoutBody(candidate: Candidate, place: number, question: Question, now: number): Unread {
  const title = rules.title(candidate, question);
  const host = rules.host(candidate, question);
  const fresh = rules.fresh(candidate, now);
  const ofBody = (1 + gains.window) * (question.phrases.length > 0 ? 1 + gains.phrase : 1);
  const { source = 1 } = candidate;
  const most = candidate.hit.score * title * host * fresh * source * ofBody * rounding;
  return { candidate, place, title, host, fresh, source, most };
}

interface Scored extends RankedHit, Pick<Candidate, 'head'> {
  readonly place: number;
}

function withBody({ candidate, place, title, host, fresh, source }: Unread, question: Question): Scored[] {
  const { hit, head } = candidate;
  const read = candidate.read();
  if (read === 'removed') return [];
  const isRead = read !== 'unread';
  const window = isRead ? rules.window(read, question) : 1;
  const phrase = isRead ? rules.phrase(candidate, read, question) : 1;
  const score = hit.score * title * window * phrase * host * fresh * source;
  const factors = { title, window, phrase, host, fresh, source };
  return [{ hit, head, read: isRead ? read : undefined, place, score, factors }];
}

/** Copies of a better page and page after page of one host move down; nothing is lost. */
function demoteRepetition(ranked: readonly Scored[], { namesSite }: Question): RankedHit[] {
  const seen = new Set<string>();
  const pagesOfHost = new Map<string, number>();
  const demoted = ranked.map(({ hit, head, read, factors, score }): RankedHit => {
    const { host } = new URL(head.url);
    const before = pagesOfHost.get(host) ?? 0;
    pagesOfHost.set(host, before + 1);
    const fingerprint = read && likeness(read);
    const copy = fingerprint !== undefined && seen.has(fingerprint) ? copyFactor : 1;
    if (fingerprint !== undefined) seen.add(fingerprint);
    const sameHost = namesSite ? 1 : Math.max(leastHostFactor, hostFactor ** Math.max(0, before - 1));
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

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

function distinctWeight(found: readonly FoundTerm[]): number {
  const best = new Map<string, number>();
  for (const { word, weight } of found) best.set(word, Math.max(weight, best.get(word) ?? 0));
  let sum = 0;
  for (const weight of best.values()) sum += weight;
  return sum;
}

/** The greatest weight of distinct words within any `windowLength` of the text: one pass with two ends. */
function bestWindow(found: readonly FoundTerm[]): number {
  const counts = new Map<string, number>();
  let weight = 0;
  let best = 0;
  let first = 0;
  for (const newest of found) {
    const count = counts.get(newest.word) ?? 0;
    if (count === 0) weight += newest.weight;
    counts.set(newest.word, count + 1);
    for (
      let oldest = found[first];
      oldest && newest.end - oldest.start > windowLength;
      oldest = found[first]
    ) {
      const left = (counts.get(oldest.word) ?? 0) - 1;
      if (left === 0) weight -= oldest.weight;
      counts.set(oldest.word, left);
      first++;
    }
    best = Math.max(best, weight);
  }
  return best;
}

/** Whether terms stand in the text one right after the other, in this order; CJK terms may overlap. */
function holdsPhrase(found: readonly FoundTerm[], phrase: readonly string[]): boolean {
  let at = 0;
  let end = -1;
  for (const { term, start, end: ends } of found) {
    const follows = at > 0 && term === phrase[at] && start <= end + 2;
    at = follows ? at + 1 : term === phrase[0] ? 1 : at > 0 && start <= end + 2 ? at : 0;
    if (follows || at === 1) end = ends;
    if (at === phrase.length) return true;
  }
  return false;
}
