/** What a search spends on bodies, over all its results together. */
export type SearchWork = 'readCharacters' | 'scannedCharacters' | 'matches';

/** Amounts of each kind of work; characters are UTF-16 units. */
export type SearchLimits = Readonly<Record<SearchWork, number>>;

/**
 * The most that one search does, whatever the pages are and however many results it asks for. The measurements are
 * those of `npm run bench -- dear-searches`, with CPU on a machine that was busy.
 */
export const searchLimits: SearchLimits = {
  /**
   * Unpacked from the store: 1 to 7 ms a million. A hundred beginnings of long pages are 5 million; a search of a
   * hundred results of reference pages reads less than 2 million.
   */
  readCharacters: 6_000_000,
  /** Looked through for words: some 12 ms a million. A hundred results of 40,000 each, and the ranking's 30 of 20,000. */
  scannedCharacters: 5_000_000,
  /** Places of words that passages are weighed at: some 5 ms a thousand. A hundred results have 150 each. */
  matches: 16_000,
};

/**
 * The most characters of one body that are read in one go or looked through for one snippet, since meanwhile nothing
 * else is answered: 20 ms together.
 */
export const maxTextLength = 1_000_000;

/** How much more than an even share a piece of work may take of what is left. */
const shareFactor = 2;

/** Keeps count of what a search may still do. It never grows, and what is spent is spent for the results that follow. */
export interface SearchBudget {
  /**
   * How much the next of `pieces` pieces of work that are still to come may take: twice its even share of what is
   * left. So the best results, which come first, get most, the last ones something, and all together never more.
   */
  share(work: SearchWork, pieces: number): number;
  spend(work: SearchWork, amount: number): void;
  remaining(work: SearchWork): number;
}

export function createSearchBudget(limits: SearchLimits = searchLimits): SearchBudget {
  const remaining: Record<SearchWork, number> = { ...limits };
  return {
    share: (work, pieces) =>
      Math.min(remaining[work], Math.ceil((shareFactor * remaining[work]) / Math.max(1, pieces))),
    spend: (work, amount) => {
      remaining[work] = Math.max(0, remaining[work] - amount);
    },
    remaining: (work) => remaining[work],
  };
}
