/** No reader compares more digits, and each digit costs an agent tokens. */
const significantDigits = 4;

/** A score as results show it, with at most four significant digits. Keeps the order of scores; near ones may become equal. */
export function resultScore(score: number): number {
  return Number(score.toPrecision(significantDigits));
}
