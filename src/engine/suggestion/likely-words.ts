import type { PageIndex, SimilarWord } from '../../index/page-index.ts';
import { isEasilyMeantFor, misspellingCost } from './misspelling-cost.ts';

/** Words from this length on may have been meant for another; below it nearly every word is like every other. */
const minLength = 3;
/** From this length on two mistakes are allowed; in shorter words they leave too little. */
const twoMistakesFrom = 5;
/** Similar words of one distance that are weighed against each other. */
const maxWeighed = 200;

/**
 * A misspelling may stand on a page itself, so in larger indexes one page is not enough for a word to be frequent.
 * By the number of pages from which on it counts.
 */
const frequentBySize: readonly (readonly [pages: number, minPages: number])[] = [
  [10_000, 3],
  [100, 2],
  [0, 1],
];
/** From this length on a word is near enough to a rare one to be meant for it: most names stand on one page. */
const rareWordsFrom = 5;

/**
 * What a word may have been meant for: the fewest mistakes first, then the likeliest by the kinds of mistakes and by
 * how many pages hold it. Words on few pages count where no frequent one is a mistake away, unless they look like
 * misspellings themselves. `maxDistance` lowers the number of mistakes; `minPages` raises the number of pages.
 */
export async function likelyWords(
  index: PageIndex,
  word: string,
  { limit, maxDistance = 2, minPages = 1 }: { limit: number; maxDistance?: number; minPages?: number },
): Promise<string[]> {
  if (word.length < minLength) return [];
  const size = index.stats().pages;
  const [, least] = frequentBySize.find(([pages]) => size >= pages) ?? [0, 1];
  const frequentFrom = Math.max(least, minPages);
  const lookedFrom = word.length >= rareWordsFrom ? minPages : frequentFrom;
  const most = Math.min(maxDistance, word.length >= twoMistakesFrom ? 2 : 1);
  let similar: SimilarWord[] = [];
  let frequent: SimilarWord[] = [];
  // Two mistakes are looked for when one does not explain the word: that reads far more words.
  for (let distance = 1; distance <= most && frequent.length < limit; distance++) {
    const asked = { word, maxDistance: distance, minPages: lookedFrom, limit: maxWeighed };
    similar = await index.similarWords(asked);
    frequent = similar.filter(({ pages }) => pages >= frequentFrom);
  }
  const isExplained = frequent.some(({ distance }) => distance === 1);
  const rare = isExplained ? [] : similar.filter(({ distance }) => distance === 1);
  const meant = rare.filter(({ term }) => !frequent.some((other) => isEasilyMeantFor(term, other.term)));
  const likelihood = ({ term, pages }: SimilarWord): number => Math.log(pages) - misspellingCost(word, term);
  return [...frequent, ...meant]
    .map((candidate) => ({ term: candidate.term, likelihood: likelihood(candidate) }))
    .sort((a, b) => b.likelihood - a.likelihood)
    .slice(0, limit)
    .map(({ term }) => term);
}
