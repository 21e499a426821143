import { stemTerm } from '../text/stems.ts';
import { locateTerms } from '../text/terms.ts';

/** A word of the query where it stands in a text: UTF-16 offsets. */
export interface FoundWord {
  /** The exact form that stands there. */
  readonly term: string;
  /** What all forms of the word share: its stem where it has one, else the form itself. */
  readonly word: string;
  readonly weight: number;
  readonly start: number;
  readonly end: number;
}

/** The terms of `weights` that stand in a text, in reading order. */
export function findWords(text: string, weights: ReadonlyMap<string, number>, lang: string): FoundWord[] {
  const found: FoundWord[] = [];
  for (const { term, start, end } of locateTerms(text)) {
    const stem = stemTerm(term, lang);
    const exact = weights.get(term);
    const byStem = stem === null ? undefined : weights.get(stem);
    if (exact === undefined && byStem === undefined) continue;
    const word = stem !== null && byStem !== undefined ? stem : term;
    found.push({ term, word, weight: (exact ?? 0) + (byStem ?? 0), start, end });
  }
  return found;
}
