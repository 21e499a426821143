import type { FoundTerm } from '../../../text/find-terms.ts';

/** Above the rounding errors of sums and products in another order: a factor for upper bounds. */
export const rounding = 1 + 1e-9;

/** A part of a whole, 0 to 1; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

/** Maximum number of occurrences that are compared in pairs. For so few, pairs are faster than a map. */
const maxCompared = 24;

/** The weight of all words in both lists, each counted once: that of its best form. */
export function distinctWeight(found: readonly FoundTerm[], others: readonly FoundTerm[] = []): number {
  const count = found.length + others.length;
  if (count > maxCompared) return sumOfMany(found, others);
  const at = (index: number): FoundTerm => (found[index] ?? others[index - found.length]) as FoundTerm;
  let sum = 0;
  for (let index = 0; index < count; index++) {
    const { word, weight } = at(index);
    let earlier = 0;
    while (earlier < index && at(earlier).word !== word) earlier++;
    if (earlier < index) continue;
    let best = weight;
    for (let later = index + 1; later < count; later++) {
      const other = at(later);
      if (other.word === word && other.weight > best) best = other.weight;
    }
    sum += best;
  }
  return sum;
}

function sumOfMany(...lists: readonly (readonly FoundTerm[])[]): number {
  const best = new Map<string, number>();
  for (const found of lists)
    for (const { word, weight } of found) best.set(word, Math.max(weight, best.get(word) ?? 0));
  let sum = 0;
  for (const weight of best.values()) sum += weight;
  return sum;
}
