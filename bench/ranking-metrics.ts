export interface RankingScores {
  readonly ndcg10: number;
  readonly mrr10: number;
  readonly recall100: number;
  /** Relevant ones among the first ten that were given, over the queries with an answer. */
  readonly precision10: number;
  /** Share of the queries whose answer is empty, 0 to 1. */
  readonly empty: number;
}

/**
 * Means over queries. nDCG@10 with gain 2^grade - 1 and discount log2(rank + 1) (Burges et al. 2005); MRR@10 and
 * recall@100 count every grade above 0 as relevant. Documents graded below 0 are taken out of a run first.
 */
export function scoreRuns(
  runs: readonly { ranked: readonly string[]; grades: ReadonlyMap<string, number> }[],
): RankingScores {
  const scores = runs.map(({ ranked, grades }) => {
    const run = ranked.filter((id) => (grades.get(id) ?? 0) >= 0);
    const relevant = [...grades.values()].filter((grade) => grade > 0);
    const gains = (list: readonly number[]): number =>
      list.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
    const ideal = gains(relevant.sort((a, b) => b - a));
    const first = run.slice(0, 10).findIndex((id) => (grades.get(id) ?? 0) > 0);
    return {
      ndcg10: ideal === 0 ? 0 : gains(run.map((id) => grades.get(id) ?? 0)) / ideal,
      mrr10: first < 0 ? 0 : 1 / (first + 1),
      recall100: relevantOf(run.slice(0, 100), grades) / Math.max(1, relevant.length),
      precision10: relevantOf(run.slice(0, 10), grades) / Math.max(1, Math.min(10, run.length)),
      empty: ranked.length === 0 ? 1 : 0,
    };
  });
  const mean = (of: keyof RankingScores, over = scores): number =>
    over.reduce((sum, score) => sum + score[of], 0) / Math.max(1, over.length);
  const answered = scores.filter(({ empty }) => empty === 0);
  return {
    ndcg10: mean('ndcg10'),
    mrr10: mean('mrr10'),
    recall100: mean('recall100'),
    precision10: mean('precision10', answered),
    empty: mean('empty'),
  };
}

function relevantOf(ids: readonly string[], grades: ReadonlyMap<string, number>): number {
  return ids.filter((id) => (grades.get(id) ?? 0) > 0).length;
}
