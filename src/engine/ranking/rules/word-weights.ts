import type { Occurrences, WordForm } from '../../../text/occurrences/occurrences.ts';

/** Above the rounding errors of sums and products in another order: a factor for upper bounds. */
export const rounding = 1 + 1e-9;

/** A part of a whole, 0 to 1; 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, part / whole);
}

/** Occurrences of a list from one index to another. */
export interface OccurrenceRange {
  readonly list: Occurrences;
  readonly from: number;
  readonly to: number;
}

/** All occurrences of a list. */
export function wholeRange(list: Occurrences): OccurrenceRange {
  return { list, from: 0, to: list.length };
}

/** The greatest weight of each word by its number; 0 between two calls. */
const greatest: number[] = [];

/** The weight of all words of a range and of another list, each counted once: that of its best form. */
export function distinctWeight({ list, from, to }: OccurrenceRange, others?: Occurrences): number {
  noteGreatest(list, from, to);
  if (others) noteGreatest(others, 0, others.length);
  const sum = takeGreatest(list, from, to, 0);
  return others ? takeGreatest(others, 0, others.length, sum) : sum;
}

function noteGreatest({ forms }: Occurrences, from: number, to: number): void {
  for (let index = from; index < to; index++) {
    const { number, weight } = forms[index] as WordForm;
    while (greatest.length <= number) greatest.push(0);
    if (weight > (greatest[number] as number)) greatest[number] = weight;
  }
}

/** Adds the noted weights to a sum, in the order in which the words appear. */
function takeGreatest({ forms }: Occurrences, from: number, to: number, sum: number): number {
  let total = sum;
  for (let index = from; index < to; index++) {
    const { number } = forms[index] as WordForm;
    total += greatest[number] as number;
    greatest[number] = 0;
  }
  return total;
}
