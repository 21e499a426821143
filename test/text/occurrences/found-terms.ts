import type { FoundTerm } from '../../../src/text/occurrences/find-terms.ts';
import { Occurrences } from '../../../src/text/occurrences/occurrences.ts';

/** The occurrences of a list, as `findTerms` returns them. */
export function foundTerms(list: Occurrences): FoundTerm[] {
  return Array.from({ length: list.length }, (_, index) => {
    const { term, word, number, weight } = list.formOf(index);
    return { term, word, number, weight, start: list.startOf(index), end: list.endOf(index) };
  });
}

/** The list that a function fills. */
export function filled(fill: (into: Occurrences) => void): FoundTerm[] {
  const list = new Occurrences();
  fill(list);
  return foundTerms(list);
}

/** A list of these occurrences. */
export function listOf(found: readonly FoundTerm[]): Occurrences {
  const list = new Occurrences();
  for (const token of found) list.add(token.start, token.end, token);
  return list;
}
