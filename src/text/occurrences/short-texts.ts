import * as is from '../characters.ts';
import { stemPrefix } from '../stem-prefix.ts';
import { stemMark } from '../stems.ts';

/** Visits the stretches of a text, from one offset to another, that may hold a term. They do not overlap. */
export type VisitStretches = (text: string, visit: (start: number, end: number) => void) => void;

/** A sign within a word that is not in its term: `1,000`, `O'Reilly`, `U.S.A`. */
const signInWord = /[A-Za-z\d][',][A-Za-z\d]|[A-Z]\.[A-Z]/;

/**
 * Returns the function that finds the words of a text of ASCII that may hold one of the terms, or a word with one of the stems.
 * Without signs within its words, all terms of such a text are stretches of it in lower case, and a word with a stem begins
 * with what all such words begin with. For a short text this takes less than to make a prefilter of its own.
 */
export function shortTextVisitor(terms: Iterable<string>, lang: string): VisitStretches {
  const kinds = is.characterKinds();
  const beginnings = Array.from(terms, (term) =>
    term.startsWith(stemMark) ? stemPrefix(term.slice(stemMark.length), lang) : term,
  );
  return (text, visit) => {
    const { length } = text;
    if (signInWord.test(text)) {
      visit(0, length);
      return;
    }
    const lower = text.toLowerCase();
    const isEnd = (offset: number): boolean => kinds[text.charCodeAt(offset)] === is.separator;
    for (let end = 0; end < length; ) {
      const offset = firstOf(beginnings, lower, end);
      if (offset < 0) break;
      let start = offset;
      while (start > end && !isEnd(start - 1)) start--;
      end = offset + 1;
      while (end < length && !isEnd(end)) end++;
      visit(start, end);
    }
  };
}

/** The first offset from `from` on at which one of some strings stands; -1 if there is none. */
function firstOf(strings: readonly string[], text: string, from: number): number {
  let first = -1;
  for (const string of strings) {
    const offset = text.indexOf(string, from);
    if (offset >= 0 && (first < 0 || offset < first)) first = offset;
  }
  return first;
}
