/**
 * How unlikely each mistake is, as a natural logarithm: a word on `Math.exp(cost)` times more pages compensates for it. See
 * docs/relevance.md for how they were chosen.
 */
const costs = {
  swapped: 0,
  leftOut: 0,
  /** The letter before is repeated. */
  doubled: 0,
  added: 4,
  replaced: 4,
  /** Added for the first letter, which is rarely wrong. */
  first: 2,
};

/** Added for each mistake: no number of pages compensates for one more mistake. */
const perMistake = 100;

/**
 * How unlikely it is that `typed` was written for `meant`: the sum of its mistakes, by the cheapest way from one to the
 * other. The noisy channel of Kernighan, Church and Gale (1990), with one number for each kind of mistake.
 */
export function misspellingCost(typed: string, meant: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  const mistake = (cost: number, place: number): number =>
    perMistake + cost + (place === 1 ? costs.first : 0);

  /** The lowest cost from the first `j` letters of `meant` to the first `i` of `typed`. */
  function cheapest(i: number, j: number): number {
    if (i === 0 && j === 0) return 0;
    const isSame = i > 0 && j > 0 && typed[i - 1] === meant[j - 1];
    const isSwap = i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1];
    const isDoubled = i > 1 && typed[i - 1] === typed[i - 2];
    return Math.min(
      at(i, j - 1) + mistake(costs.leftOut, j),
      at(i - 1, j) + mistake(isDoubled ? costs.doubled : costs.added, i),
      at(i - 1, j - 1) + (isSame ? 0 : mistake(costs.replaced, j)),
      isSwap ? at(i - 2, j - 2) + mistake(costs.swapped, j - 1) : Number.POSITIVE_INFINITY,
    );
  }

  for (let i = 0; i <= typed.length; i++) {
    rows.push([]);
    for (let j = 0; j <= meant.length; j++) rows[i]?.push(cheapest(i, j));
  }
  return at(typed.length, meant.length);
}

/** Whether a word is another one with a single mistake of the most frequent kinds. Pages may contain such misspellings. */
export function isEasilyMeantFor(word: string, other: string): boolean {
  return misspellingCost(word, other) <= perMistake;
}
