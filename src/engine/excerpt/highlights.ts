import type { HighlightSegment, Highlights } from '../../contract/highlights.ts';
import { parseQuery } from '../../query/parser.ts';
import type { Query, Word } from '../../query/query.ts';
import { primarySubtag } from '../../text/language/language.ts';
import { findTerms } from '../../text/occurrences/find-terms.ts';
import type { Stretch } from '../../text/passages/sentences.ts';

/** Where a text in a language matches a query: stretches in order, none touching another. Offsets are UTF-16 units. */
export type FindMatches = (text: string, lang: string) => Stretch[];

/**
 * Finds what the index takes for a word of the query, including other endings and words in Chinese text. Optional
 * function words and excluded words are no matches. `lang` is the language of the words, as in a search.
 */
export function createFindMatches(q: string, lang?: string): FindMatches {
  const query = parseQuery(q, lang === undefined ? {} : { lang: primarySubtag(lang) });
  const words = wordsOf(query).filter(({ required }) => required);
  const terms = new Map(
    words.flatMap(({ term, stem }) => (stem === null ? [term] : [term, stem])).map((term) => [term, 1]),
  );
  if (terms.size === 0) return () => [];
  return (text, textLang) => joined(findTerms(text, terms, primarySubtag(textLang)));
}

/** A text as segments that match and segments that do not; joined they are the text. */
export function segmentsOfMatches(text: string, matches: readonly Stretch[]): HighlightSegment[] {
  const segments: HighlightSegment[] = [];
  let offset = 0;
  const addUpTo = (end: number, match: boolean): void => {
    if (end > offset) segments.push({ text: text.slice(offset, end), match });
    offset = end;
  };
  for (const { start, end } of matches) {
    addUpTo(start, false);
    addUpTo(end, true);
  }
  addUpTo(text.length, false);
  return segments;
}

/** The matches in what a result shows. */
export function highlightsOf(
  { title, snippet, lang }: { readonly title: string; readonly snippet: string; readonly lang: string },
  findMatches: FindMatches,
): Highlights {
  const segments = (text: string) => segmentsOfMatches(text, findMatches(text, lang));
  return { title: segments(title), snippet: segments(snippet) };
}

function wordsOf(query: Query): readonly Word[] {
  if (query.kind === 'words' || query.kind === 'title') return query.words;
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(wordsOf) : [];
}

/** Joins overlapping stretches: Chinese terms overlap, and so do a compound and its parts. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const whole: Stretch[] = [];
  for (const { start, end } of stretches.toSorted((a, b) => a.start - b.start)) {
    const last = whole.at(-1);
    if (last !== undefined && start <= last.end && start !== end)
      whole[whole.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else whole.push({ start, end });
  }
  return whole;
}
