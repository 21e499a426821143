/** One item of at least one ranking. */
export interface FusedItem<Item> {
  readonly key: string;
  /** The item of each ranking that has it, the best rank first. */
  readonly items: readonly [Item, ...Item[]];
  /** From 0 to 1; 1 means the first rank in every ranking. */
  readonly score: number;
}

/** `k` of the paper: it keeps the top ranks of one ranking from outweighing agreement among many. */
const rankConstant = 60;

/**
 * Reciprocal rank fusion: the sum of 1 / (60 + rank) over all rankings (Cormack, Clarke and Buettcher, "Reciprocal
 * Rank Fusion outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009), divided by its maximum. Ranks
 * start at 1; a key that occurs twice in a ranking counts at its first rank. Best first; equal scores are ordered by the
 * better rank, then by the order of the rankings, so that the result is deterministic.
 */
export function fuseRankings<Item>(
  rankings: readonly (readonly Item[])[],
  keyOf: (item: Item) => string,
): FusedItem<Item>[] {
  const entriesByKey = new Map<string, { rank: number; ranking: number; item: Item }[]>();
  for (const [ranking, items] of rankings.entries()) {
    for (const [index, item] of items.entries()) {
      const key = keyOf(item);
      const entries = entriesByKey.get(key) ?? [];
      if (entries.at(-1)?.ranking === ranking) continue;
      entriesByKey.set(key, [...entries, { rank: index + 1, ranking, item }]);
    }
  }
  const maxSum = rankings.length / (rankConstant + 1);
  return [...entriesByKey]
    .map(([key, entries]) => {
      const best = entries.toSorted((a, b) => a.rank - b.rank || a.ranking - b.ranking);
      const sum = entries.reduce((total, { rank }) => total + 1 / (rankConstant + rank), 0);
      return { key, score: sum / maxSum, items: best.map(({ item }) => item) as [Item, ...Item[]], best };
    })
    .sort((a, b) => b.score - a.score || order(a.best) - order(b.best))
    .map(({ key, score, items }) => ({ key, score, items }));
}

/** Sort key: the better rank first, then the earlier ranking. */
function order(best: readonly { rank: number; ranking: number }[]): number {
  const [{ rank, ranking } = { rank: 0, ranking: 0 }] = best;
  return rank + ranking / 1e6;
}
