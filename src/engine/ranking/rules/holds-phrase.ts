import type { Occurrences } from '../../../text/occurrences/occurrences.ts';

/** Whether terms stand in the text one right after the other, in this order; CJK terms may overlap. */
export function holdsPhrase(found: Occurrences, phrase: readonly string[]): boolean {
  let at = 0;
  let end = -1;
  for (let index = 0; index < found.length; index++) {
    const { term } = found.formOf(index);
    const isNear = at > 0 && found.startOf(index) <= end + 2;
    const follows = isNear && term === phrase[at];
    at = follows ? at + 1 : term === phrase[0] ? 1 : isNear ? at : 0;
    if (follows || at === 1) end = found.endOf(index);
    if (at === phrase.length) return true;
  }
  return false;
}
