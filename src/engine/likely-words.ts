import type { PageIndex, SimilarWord } from '../index/page-index.ts';
import { misspellingCost } from './misspelling-cost.ts';

/** Words from this length on may have been meant for another; below it nearly every word is like every other. */
const minLength = 3;
/** From this length on two mistakes are allowed; in shorter words they leave too little. */
const twoMistakesFrom = 5;
/** Similar words of one distance that are weighed against each other. */
const maxWeighed = 200;

/**
 * A misspelling may stand on a page itself, so in larger indexes one page is not enough for a word to be suggested.
 * By the number of pages from which on it counts.
 */
const minPagesBySize: readonly (readonly [pages: number, minPages: number])[] = [
  [10_000, 3],
  [100, 2],
  [0, 1],
];

/**
 * What a word may have been meant for: the fewest mistakes first, then the likeliest by the kinds of mistakes and by
 * how many pages hold it. `maxDistance` lowers the number of mistakes; `minPages` raises the number of pages.
 */
export async function likelyWords(
  index: PageIndex,
  word: string,
  { limit, maxDistance = 2, minPages = 1 }: { limit: number; maxDistance?: number; minPages?: number },
): Promise<string[]> {
  if (word.length < minLength) return [];
  const size = index.stats().pages;
  const [, least] = minPagesBySize.find(([pages]) => size >= pages) ?? [0, 1];
  const most = Math.min(maxDistance, word.length >= twoMistakesFrom ? 2 : 1);
  let found: SimilarWord[] = [];
  // Two mistakes are looked for when one does not explain the word: that reads far more words.
  for (let distance = 1; distance <= most && found.length < limit; distance++) {
    const asked = { word, maxDistance: distance, minPages: Math.max(least, minPages), limit: maxWeighed };
    found = await index.similarWords(asked);
  }
  const likelihood = ({ term, pages }: SimilarWord): number => Math.log(pages) - misspellingCost(word, term);
  return found
    .map((similar) => ({ term: similar.term, likelihood: likelihood(similar) }))
    .sort((a, b) => b.likelihood - a.likelihood)
    .slice(0, limit)
    .map(({ term }) => term);
}
