import type { Occurrences } from '../../../text/occurrences/occurrences.ts';

/** Length of the window, in UTF-16 units: about two sentences. */
const windowLength = 200;

/** How often each word is in the window, by its number; 0 between two calls. */
const counts: number[] = [];

/** The greatest weight of distinct words within any `windowLength` of the text: one pass with two ends. */
export function bestWindowWeight(found: Occurrences): number {
  const { length } = found;
  if (length === 0) return 0;
  const only = found.formOf(0);
  if (holdsOnly(found, only)) return only.weight;
  let weight = 0;
  let best = 0;
  let first = 0;
  for (let newest = 0; newest < length; newest++) {
    const form = found.formOf(newest);
    while (counts.length <= form.number) counts.push(0);
    const count = counts[form.number] as number;
    if (count === 0) weight += form.weight;
    counts[form.number] = count + 1;
    const end = found.endOf(newest);
    for (; first < length && end - found.startOf(first) > windowLength; first++)
      weight -= leave(found, first);
    if (weight > best) best = weight;
  }
  for (let index = 0; index < length; index++) counts[found.formOf(index).number] = 0;
  return best;
}

/** Takes an occurrence out of the window, and returns the weight that leaves with it. */
function leave(found: Occurrences, index: number): number {
  const { number, weight } = found.formOf(index);
  const left = (counts[number] ?? 0) - 1;
  counts[number] = left;
  return left === 0 ? weight : 0;
}

/** Whether all are of a word and weigh the same. */
function holdsOnly(found: Occurrences, { number, weight }: { number: number; weight: number }): boolean {
  for (let index = 1; index < found.length; index++) {
    const form = found.formOf(index);
    if (form.number !== number || form.weight !== weight) return false;
  }
  return true;
}
