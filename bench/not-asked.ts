let asked = 0;

/**
 * The same question in words that were never used: without pages that hold a word that none has. It finds and costs
 * the same (a look into the dictionary more), and no cache has its answer.
 */
export function notAskedBefore(q: string): string {
  asked += 1;
  return `${q} -unheardof${asked}`;
}
