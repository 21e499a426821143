/** One thing that at least one ranking holds. */
export interface Fused<Item> {
  readonly key: string;
  /** The item of each ranking that holds it, the best placed first. */
  readonly items: readonly [Item, ...Item[]];
  /** From 0 to 1; 1 is the first place in every ranking. */
  readonly score: number;
}

/** The constant of the paper: it keeps the first places of one ranking from outweighing agreement among many. */
const rankConstant = 60;

/**
 * Reciprocal rank fusion: the sum of 1 / (60 + rank) over all rankings (Cormack, Clarke and Buettcher, "Reciprocal
 * Rank Fusion outperforms Condorcet and individual Rank Learning Methods", SIGIR 2009), divided by its greatest
 * possible value. Ranks count from 1; a key that comes twice in a ranking counts where it came first. Best first;
 * equal scores by the better place, then by the order of the rankings, so the same rankings always give the same list.
 */
export function fuseRankings<Item>(
  rankings: readonly (readonly Item[])[],
  keyOf: (item: Item) => string,
): Fused<Item>[] {
  const places = new Map<string, { rank: number; ranking: number; item: Item }[]>();
  for (const [ranking, items] of rankings.entries()) {
    for (const [at, item] of items.entries()) {
      const key = keyOf(item);
      const held = places.get(key) ?? [];
      if (held.at(-1)?.ranking === ranking) continue;
      places.set(key, [...held, { rank: at + 1, ranking, item }]);
    }
  }
  const greatest = rankings.length / (rankConstant + 1);
  return [...places]
    .map(([key, held]) => {
      const best = held.toSorted((a, b) => a.rank - b.rank || a.ranking - b.ranking);
      const sum = held.reduce((total, { rank }) => total + 1 / (rankConstant + rank), 0);
      return { key, score: sum / greatest, items: best.map(({ item }) => item) as [Item, ...Item[]], best };
    })
    .sort((a, b) => b.score - a.score || order(a.best) - order(b.best))
    .map(({ key, score, items }) => ({ key, score, items }));
}

/** The better place first; of equal ones that of the earlier ranking. */
function order(best: readonly { rank: number; ranking: number }[]): number {
  const [{ rank, ranking } = { rank: 0, ranking: 0 }] = best;
  return rank + ranking / 1e6;
}
