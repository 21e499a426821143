import { runSteps } from '../async/run-steps.ts';
import { mentionsSite } from '../query/site.ts';
import { liveScore } from './live/live-tier.ts';
import { byRank, type IndexAnswer, type IndexHit, type IndexSearch } from './page-index.ts';
import { searchSegment } from './segment/search.ts';
import { TopK } from './segment/top-k.ts';
import { termWeights } from './term-weights.ts';
import type { Tiers } from './tiers.ts';

/** As `PageIndex.search`. */
export function searchTiers(tiers: Tiers, { pause, ...search }: IndexSearch): Promise<IndexAnswer> {
  // The parts of scores are looked up at the end, by then the pages must not have changed.
  return runSteps(searchSteps(tiers, search), search.explain ? undefined : pause);
}

/** The answer of the moment in which it begins. */
function* searchSteps(
  tiers: Tiers,
  { query, prefer, limit, explain = false, ...filters }: Omit<IndexSearch, 'pause'>,
): Generator<undefined, IndexAnswer> {
  const averages = tiers.averageLengths();
  const weights = termWeights(query, tiers.counts());
  const tierSearch = { query, ...filters, copies: mentionsSite(query), ...(prefer && { prefer }) };
  const parts = tiers.partsNow();
  const livePages = tiers.live().match(tierSearch);
  const liveHits = livePages.map((page): IndexHit => {
    const factor = prefer?.lang === page.lang ? prefer.factor : 1;
    const score = liveScore(page, weights, averages) * factor;
    return { id: page.id, crawledAt: page.crawledAt, score };
  });
  const top = new TopK(limit);
  let total = livePages.length;
  for (const { segment, dead } of parts) {
    total += searchSegment(segment, { ...tierSearch, ...(dead && { dead }), weights, top });
    yield;
  }
  const hits = [...top.hits(), ...liveHits].sort(byRank).slice(0, limit);
  return {
    total,
    hits: explain ? tiers.explained(hits, weights) : hits,
    weights,
  };
}
