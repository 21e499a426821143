import { mentionsSite } from '../query/site.ts';
import { liveScore } from './live/live-tier.ts';
import { overOneState } from './one-state.ts';
import { byRank, type IndexAnswer, type IndexHit, type IndexSearch } from './page-index.ts';
import { searchSegment } from './segment/search.ts';
import { TopK } from './segment/top-k.ts';
import { termWeights } from './term-weights.ts';
import type { Tiers } from './tiers.ts';

/** As `PageIndex.search`. */
export function searchTiers(tiers: Tiers, { pause, ...search }: IndexSearch): Promise<IndexAnswer> {
  return overOneState(tiers, pause, () => searchState(tiers, search));
}

function* searchState(
  tiers: Tiers,
  { query, prefer, limit, explain = false, ...filters }: Omit<IndexSearch, 'pause'>,
): Generator<undefined, IndexAnswer> {
  const averages = tiers.averageLengths();
  const weights = termWeights(query, tiers.counts());
  const tierSearch = { query, ...filters, copies: mentionsSite(query), ...(prefer && { prefer }) };
  const top = new TopK(limit);
  let total = 0;
  for (const { segment, dead } of tiers.parts()) {
    total += searchSegment(segment, { ...tierSearch, weights, dead, top });
    yield;
  }
  const livePages = tiers.live().match(tierSearch);
  const liveHits = livePages.map((page): IndexHit => {
    const factor = prefer?.lang === page.lang ? prefer.factor : 1;
    const score = liveScore(page, weights, averages) * factor;
    return { id: page.id, crawledAt: page.crawledAt, score };
  });
  const hits = [...top.hits(), ...liveHits].sort(byRank).slice(0, limit);
  return {
    total: total + livePages.length,
    hits: explain ? tiers.explained(hits, weights) : hits,
    weights,
  };
}
