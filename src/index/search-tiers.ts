import { runSteps } from '../async/run-steps.ts';
import { mentionsSite } from '../query/site.ts';
import { liveHit } from './live/live-tier.ts';
import { byRank, type IndexAnswer, type IndexSearch } from './page-index.ts';
import { searchSegment } from './segment/search.ts';
import { TopK } from './segment/top-k.ts';
import { termWeights } from './term-weights.ts';
import { postingsToRead } from './threads/postings-to-read.ts';
import type { ThreadAnswer } from './threads/search-thread.ts';
import type { SearchThreads } from './threads/search-threads.ts';
import type { PartNow, Tiers } from './tiers.ts';

/** As `PageIndex.search`. Dear searches that may pause are shared with `threads`. */
export function searchTiers(
  tiers: Tiers,
  { pause, ...search }: IndexSearch,
  threads?: SearchThreads,
): Promise<IndexAnswer> {
  return runSteps(searchSteps(tiers, search, pause && threads), pause);
}

/** The answer of the moment in which it begins. */
function* searchSteps(
  tiers: Tiers,
  { query, prefer, limit, explain = false, ...filters }: Omit<IndexSearch, 'pause'>,
  threads?: SearchThreads,
): Generator<Promise<void> | undefined, IndexAnswer> {
  const averages = tiers.averageLengths();
  const counts = tiers.counts();
  const weights = termWeights(query, counts);
  const tierSearch = { query, ...filters, copies: mentionsSite(query), ...(prefer && { prefer }) };
  const parts = tiers.partsNow();
  const { here, shares } = threads
    ? threads.divide(parts, { search: { ...tierSearch, weights }, limit }, postingsToRead(query, counts))
    : { here: parts, shares: [] };
  const livePages = tiers.live().match(tierSearch);
  const liveHits = livePages.map((page) => liveHit(page, weights, averages, prefer));
  const top = new TopK(limit);
  let total = livePages.length;
  function* searchHere(these: readonly PartNow[]): Generator<undefined, void> {
    for (const { segment, dead } of these) {
      total += searchSegment(segment, { ...tierSearch, dead, weights, top });
      yield;
    }
  }
  yield* searchHere(here);
  for (const share of shares) {
    let answer: ThreadAnswer | undefined;
    yield share.answer.then((given) => {
      answer = given;
    });
    if (answer) total += offerAnswer(top, share.parts, answer);
    else yield* searchHere(share.parts);
  }
  const hits = [...top.hits(), ...liveHits].sort(byRank).slice(0, limit);
  return {
    total,
    hits: explain ? tiers.explained(hits, weights) : hits,
    weights,
  };
}

/** Offers what a thread found, and returns the number of its matches. */
function offerAnswer(top: TopK, parts: readonly PartNow[], answer: ThreadAnswer): number {
  for (const [index, page] of answer.pages.entries()) {
    const { segment } = parts[answer.parts[index] as number] as PartNow;
    top.offer(answer.scores[index] as number, answer.crawlTimes[index] as number, segment, page);
  }
  return answer.total;
}
