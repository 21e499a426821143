import type { FoundTerm } from '../../../text/find-terms.ts';

/** Length of the window, in UTF-16 units: about two sentences. */
const windowLength = 200;

/** The greatest weight of distinct words within any `windowLength` of the text: one pass with two ends. */
export function bestWindowWeight(found: readonly FoundTerm[]): number {
  const [any] = found;
  if (any === undefined) return 0;
  if (found.every((token) => token.word === any.word && token.weight === any.weight)) return any.weight;
  const counts = new Map<string, number>();
  let weight = 0;
  let best = 0;
  let first = 0;
  for (const newest of found) {
    const count = counts.get(newest.word) ?? 0;
    if (count === 0) weight += newest.weight;
    counts.set(newest.word, count + 1);
    for (
      let oldest = found[first];
      oldest && newest.end - oldest.start > windowLength;
      oldest = found[first]
    ) {
      const left = (counts.get(oldest.word) ?? 0) - 1;
      if (left === 0) weight -= oldest.weight;
      counts.set(oldest.word, left);
      first++;
    }
    best = Math.max(best, weight);
  }
  return best;
}
