import type { FoundTerm } from '../../../text/find-terms.ts';

/** Above the rounding errors of sums and products in another order: a factor for upper bounds. */
export const rounding = 1 + 1e-9;

/** A part of a whole, 0 to 1; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

/** The weight of all words in the lists, each counted once. */
export function distinctWeight(...lists: readonly (readonly FoundTerm[])[]): number {
  const best = new Map<string, number>();
  for (const found of lists)
    for (const { word, weight } of found) best.set(word, Math.max(weight, best.get(word) ?? 0));
  let sum = 0;
  for (const weight of best.values()) sum += weight;
  return sum;
}
