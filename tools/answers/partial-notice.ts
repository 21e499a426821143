import type { SearchAnswer } from '../../src/engine/engine.ts';

/** Below this coverage even the best page has little of the query. */
const lowCoverage = 0.4;
const maxNamed = 8;

/**
 * What a reader of partial matches should know, in one to three sentences: that they do not match the whole query, how far
 * they are from it, and which words no page has. Undefined when some pages have all words.
 */
export function partialNotice(partial: SearchAnswer['partial'] | undefined): string | undefined {
  if (partial === undefined || partial.hasFullMatches) return undefined;
  const { matches, coverage, unknownWords } = partial;
  const sentences: string[] = [];
  if (matches.length > 0)
    sentences.push('No page holds all words; partial_matches lack those in missing_words.');
  if (matches.length > 0 && coverage < lowCoverage)
    sentences.push('Even the best of them holds little of the question: search for fewer or other words.');
  if (unknownWords.length > 0) sentences.push(`No page at all has ${listWords(unknownWords)}.`);
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

/** The notice of an empty answer from an empty index. */
export const emptyIndexNotice =
  'The local index is empty: "gleaner crawl https://docs.example.com/" fills it with the pages of a site, "gleaner import" with files.';

/** Words in quotes, the first few of many. */
export function listWords(words: readonly string[]): string {
  const quoted = words.slice(0, maxNamed).map((word) => `"${word}"`);
  const more = words.length - quoted.length;
  if (more > 0) return `${quoted.join(', ')} and ${more} more`;
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
