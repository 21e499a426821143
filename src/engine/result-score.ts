/** More digits than any reader compares, and every agent pays for each of them. */
const significantDigits = 4;

/** A score as results show it, with at most four significant digits. Keeps the order of scores; near ones may become equal. */
export function resultScore(score: number): number {
  return Number(score.toPrecision(significantDigits));
}
