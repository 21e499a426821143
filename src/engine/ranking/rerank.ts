import type { Pause } from '../../async/time-slices.ts';
import type { IndexHit } from '../../index/page-index.ts';
import type { PageMarks } from '../../index/page-marks.ts';
import type { Candidate, Factors } from './candidate.ts';
import { type Demoted, demoteRepetition, type Scored } from './demote-repetition.ts';
import { type HeadScored, product, scoreHeads, takeAbove, takeBest } from './head-scores.ts';
import { hostNamer } from './host-match.ts';
import { rules } from './page-rules.ts';
import type { QueryFeatures } from './query-features.ts';
import { rounding } from './rules/word-weights.ts';

export interface RankedHit {
  readonly hit: IndexHit;
  /** Undefined if the budget allowed no reading: the rules that need the body then leave the score unchanged. */
  readonly marks: PageMarks | undefined;
  /** The first phase's score times all factors. */
  readonly score: number;
  /** Made when they are asked for, which only explained searches do. */
  readonly factors: () => Factors;
}

/**
 * The second phase: reorders the best hits of the first phase and returns the best `wanted` of them. Equal scores keep
 * the order of the first phase, so totals and paging do not change. A body is read only if the page can enter the list:
 * a page whose upper bound is below the last wanted score can neither enter it nor demote a page in it. Of a page that is
 * read, only what can still bring it into the list is looked for. The order of reading does not depend on `wanted`, so that
 * the budget ends at the same page on every page of results.
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
  const isNamed = hostNamer(features.text);
  const outOfReach = scoreHeads(candidates, features, now);
  let unread: HeadScored[] = [];
  const scored: Scored[] = [];
  const isWithin = isWithinReach();
  for (const [place, head] of takeBest(outOfReach, maxLooks).entries()) {
    if (isWithin(head, place)) unread.push(head);
    else scored.push(asUnread(head));
  }
  const rankAll = (): void => {
    scored.sort((a, b) => b.score - a.score || a.head.index - b.head.index);
    ranked = demoteRepetition(scored, features.namesSite, isNamed);
  };
  const lastWanted = (): number => ranked[wanted - 1]?.demoted ?? 0;
  let minScore = unread[wanted - 1]?.maxScore ?? 0;
  while (unread.some(({ maxScore }) => maxScore >= minScore)) {
    const next = unread.filter(({ maxScore }) => maxScore >= minScore);
    unread = unread.filter(({ maxScore }) => maxScore < minScore);
    await loadTexts?.(next.flatMap(({ candidate: { hit } }) => (hit.marks ? [] : [hit.id])));
    const minWanted = lastWanted();
    for (const head of next) {
      const page = withBody(head, features, minWanted);
      // It is looked at again if the last wanted score falls below this one.
      if (page === 'below') unread.push({ ...head, maxScore: minWanted / rounding });
      else if (page !== 'removed') scored.push(page);
      await pause();
    }
    rankAll();
    // Pages that are not looked at come in where their heads alone are good enough.
    for (;;) {
      const added = takeAbove(outOfReach, lastWanted());
      if (added.length === 0) break;
      scored.push(...added.map(asUnread));
      rankAll();
    }
    // The last wanted page may have been demoted as a repetition, which makes room for another page.
    minScore = lastWanted();
  }
  return ranked.slice(0, wanted).map(rankedHit);
}

/** Maximum number of pages whose text is looked at, and of those among them whose text is read from the store for it. */
export const maxLooks = 40;
const maxBodies = 15;

/** The pages that may be looked at, of all pages in order. Looking at marks is cheap, reading bodies is not. */
function isWithinReach(): (head: HeadScored, place: number) => boolean {
  let bodies = 0;
  return ({ candidate }, place) =>
    place < maxLooks && (candidate.hit.marks !== undefined || ++bodies <= maxBodies);
}

const noBodyFactors: Factors = { window: 1, phrase: 1, defined: 1 };

function asUnread(head: HeadScored): Scored {
  return { head, marks: undefined, ofBody: noBodyFactors, score: head.score };
}

/** A page with the factors of its body; `below` if its score surely is below `minScore`. */
function withBody(head: HeadScored, features: QueryFeatures, minScore: number): Scored | 'removed' | 'below' {
  const { candidate, score } = head;
  const read = candidate.read();
  if (read === 'removed') return read;
  if (read === 'unread') return asUnread(head);
  const window = rules.window(read, features);
  const phrase = rules.phrase(candidate, read, features);
  const worth = minScore === 0 ? 0 : minScore / (score * window * phrase);
  const defined = rules.defined(candidate, read, features, worth);
  if (defined === undefined) return 'below';
  const ofBody = { window, phrase, defined };
  return { head, marks: read.marks, ofBody, score: product(score, ofBody) };
}

function rankedHit({ page: { head, marks, ofBody }, copy, sameHost, demoted: score }: Demoted): RankedHit {
  const factors = () => ({ ...head.factors, ...ofBody, copy, sameHost });
  return { hit: head.candidate.hit, marks, score, factors };
}
