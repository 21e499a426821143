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
  if (found.length === 0 && others.length === 0) return 0;
  const all = others.length === 0 ? found : found.length === 0 ? others : [...found, ...others];
  return all.length <= maxCompared ? sumOfFew(all) : sumOfMany(all);
}

function sumOfFew(found: readonly FoundTerm[]): number {
  let sum = 0;
  for (let index = 0; index < found.length; index++) {
    const { word, weight } = found[index] as FoundTerm;
    if (holds(found, index, word)) continue;
    let best = weight;
    for (let later = index + 1; later < found.length; later++) {
      const other = found[later] as FoundTerm;
      if (other.word === word && other.weight > best) best = other.weight;
    }
    sum += best;
  }
  return sum;
}

/** Whether one of the first `count` occurrences is of a word. */
function holds(found: readonly FoundTerm[], count: number, word: string): boolean {
  for (let index = 0; index < count; index++) if (found[index]?.word === word) return true;
  return false;
}

function sumOfMany(found: readonly FoundTerm[]): number {
  const best = new Map<string, number>();
  for (const { word, weight } of found) best.set(word, Math.max(weight, best.get(word) ?? 0));
  let sum = 0;
  for (const weight of best.values()) sum += weight;
  return sum;
}
