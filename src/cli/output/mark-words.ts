import { createFindMatches, segmentsOfMatches } from '../../engine/excerpt/highlights.ts';

/** Marks the words of a query in a text of that language. */
export type MarkWords = (text: string, lang: string) => string;

/** Marks what the index takes for a word of the query; see `createFindMatches`. */
export function createMarkWords(
  q: string,
  lang: string | undefined,
  mark: (text: string) => string,
): MarkWords {
  const findMatches = createFindMatches(q, lang);
  return (text, textLang) =>
    segmentsOfMatches(text, findMatches(text, textLang))
      .map((segment) => (segment.match ? mark(segment.text) : segment.text))
      .join('');
}
