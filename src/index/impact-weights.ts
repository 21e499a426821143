import { k1 } from './bm25f.ts';

/** The highest impact of a term in a page. */
export const maxImpact = 255;

/** The impact of a term-frequency part of a score (0 to `k1 + 1`): one byte, 1 to 255. */
export function impactOf(saturated: number): number {
  return Math.max(1, Math.round((saturated / (k1 + 1)) * maxImpact));
}

/** One step of an impact in the term-frequency part of a score, whose maximum is `k1 + 1`. */
export const impactStep = (k1 + 1) / maxImpact;

/** No score exceeds this many units by more than the rounding of its weights. */
const maxScoreUnits = 2 ** 22;

/**
 * What each step of a term's impact adds to the score of a page: its weight times `impactStep`, rounded to a multiple of a
 * power of two. That unit is such that a page with the highest impact of every term has some 2^22 of them. So all sums,
 * also times a preference of 1.5, are exact in single precision, in whatever order they are made: every
 * back end gives the same scores. The rounding is far below that of the impacts.
 */
export function impactWeights(weights: ReadonlyMap<string, number>): Map<string, number> {
  const sum = [...weights.values()].reduce((all, weight) => all + weight, 0);
  const unit = sum === 0 ? 1 : 2 ** Math.ceil(Math.log2((sum * impactStep * maxImpact) / maxScoreUnits));
  return new Map(
    Array.from(weights, ([term, weight]) => [term, Math.round((weight * impactStep) / unit) * unit]),
  );
}
