/** The kinds of work on page bodies that a search has a budget for, over all its results. */
export type SearchWork = 'readCharacters' | 'scannedCharacters' | 'matches';

/** Amounts for each kind of work. Characters are UTF-16 units. */
export type SearchLimits = Readonly<Record<SearchWork, number>>;

/**
 * The maximum work of one search, regardless of the pages and the number of results. The measurements are CPU times of
 * `npm run bench -- dear-searches` on a busy machine.
 */
export const searchLimits: SearchLimits = {
  /**
   * Unpacked from the store: 1 to 7 ms a million. A hundred beginnings of long pages are 5 million; a search of a
   * hundred results of reference pages reads less than 2 million.
   */
  readCharacters: 6_000_000,
  /** Scanned for words: some 12 ms a million. Enough for a hundred results of 40,000 each and the ranking's 30 of 20,000. */
  scannedCharacters: 5_000_000,
  /** Word occurrences for which passages are scored: some 5 ms a thousand. A hundred results have 150 each. */
  matches: 16_000,
};

/**
 * The maximum of one body that is read in one step, or scanned for one snippet, in UTF-16 units. Together that takes
 * 20 ms, in which the process answers nothing else.
 */
export const maxTextLength = 1_000_000;

/** The share of one piece of work, as a multiple of an even share among one piece more. */
const shareFactor = 2;

/** The remaining budget of a search. It never grows: what one result spends is missing for the results after it. */
export interface SearchBudget {
  /**
   * The maximum for the next of `pieces` remaining pieces of work: nearly twice an even share of the remaining budget, and
   * all of it for the last piece. So the best results, which come first, get the most, and the last ones still get something.
   */
  share(work: SearchWork, pieces: number): number;
  spend(work: SearchWork, amount: number): void;
  remaining(work: SearchWork): number;
}

export function createSearchBudget(limits: SearchLimits = searchLimits): SearchBudget {
  const remaining: Record<SearchWork, number> = { ...limits };
  return {
    share: (work, pieces) =>
      Math.min(remaining[work], Math.ceil((shareFactor * remaining[work]) / (Math.max(1, pieces) + 1))),
    spend: (work, amount) => {
      remaining[work] = Math.max(0, remaining[work] - amount);
    },
    remaining: (work) => remaining[work],
  };
}
