import type { SearchAnswer } from '../src/engine/engine.ts';

/** Below this coverage even the best page says little of what was asked. */
const lowCoverage = 0.4;
const maxNamed = 8;

/**
 * What a reader of partial matches should know of them, in one or two sentences: that they are no answers to the whole
 * question, how far they are from it, and which words no page has. Undefined where pages hold all words.
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

/** Said where an answer is empty because the index is. */
export const emptyIndexNotice =
  'The local index is empty: "gleaner crawl https://docs.example.com/" fills it with the pages of a site, "gleaner import" with files.';

/** Words in quotes, the first few of many. */
export function listWords(words: readonly string[]): string {
  const told = words.slice(0, maxNamed).map((word) => `"${word}"`);
  const more = words.length - told.length;
  if (more > 0) return `${told.join(', ')} and ${more} more`;
  return told.length < 2 ? told.join('') : `${told.slice(0, -1).join(', ')} or ${told.at(-1)}`;
}
