import type { PageIndex, SimilarWord } from '../../index/page-index.ts';
import { isEasilyMeantFor, misspellingCost } from './misspelling-cost.ts';

/** Minimum length of a word that is corrected: shorter words are similar to nearly every other one. */
const minLength = 3;
/** Minimum length of a word with two mistakes: too little of a shorter one would be left. */
const twoMistakesFrom = 5;
/** Maximum number of similar words of one distance that are compared. */
const maxWeighed = 200;

/**
 * Minimum number of pages of a frequent word, by the size of the index. A page may contain a misspelling, so in larger
 * indexes one page is not enough.
 */
const frequentBySize: readonly (readonly [pages: number, minPages: number])[] = [
  [10_000, 3],
  [100, 2],
  [0, 1],
];
/** Minimum length of a word that a rare word may replace. Most names are on a single page. */
const rareWordsFrom = 5;

/**
 * The words that a misspelt word may stand for: those with the fewest mistakes first, then by likelihood, from the kinds of
 * mistakes and the number of pages. Words on few pages count only if no frequent word is one mistake away and they do
 * not look like misspellings themselves. `maxDistance` lowers the number of mistakes; `minPages` raises the number of
 * pages.
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
  // Two mistakes only if one does not explain the word, because far more words are read for them.
  for (let distance = 1; distance <= most && frequent.length < limit; distance++) {
    const request = { word, maxDistance: distance, minPages: lookedFrom, limit: maxWeighed };
    similar = await index.similarWords(request);
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
