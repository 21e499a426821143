import type { Query, Word } from '../../query/query.ts';
import type { TermCounts } from '../term-weights.ts';

/**
 * About how many postings a search reads to find its matches: an OR reads those of all its parts, an AND jumps by those of
 * its rarest part. 0 for a query without words.
 */
export function postingsToRead(query: Query, counts: TermCounts): number {
  switch (query.kind) {
    case 'words':
    case 'title':
      return fewest(query.words.map((word) => postingsOf(word, counts)));
    case 'all':
      return fewest(query.of.map((part) => postingsToRead(part, counts)));
    case 'any':
      return query.of.reduce((sum, part) => sum + postingsToRead(part, counts), 0);
    default:
      return 0;
  }
}

function postingsOf({ term, stem }: Word, counts: TermCounts): number {
  return counts.documentFrequency(term) + (stem === null ? 0 : counts.documentFrequency(stem));
}

/** The smallest number that is not 0: parts without words, such as a site, only restrict the others. */
function fewest(numbers: readonly number[]): number {
  const known = numbers.filter((count) => count > 0);
  return known.length === 0 ? 0 : Math.min(...known);
}
