import type { FoundTerm } from '../../../text/find-terms.ts';

/** Whether terms stand in the text one right after the other, in this order; CJK terms may overlap. */
export function holdsPhrase(found: readonly FoundTerm[], phrase: readonly string[]): boolean {
  let at = 0;
  let end = -1;
  for (const { term, start, end: ends } of found) {
    const follows = at > 0 && term === phrase[at] && start <= end + 2;
    at = follows ? at + 1 : term === phrase[0] ? 1 : at > 0 && start <= end + 2 ? at : 0;
    if (follows || at === 1) end = ends;
    if (at === phrase.length) return true;
  }
  return false;
}
