import type { IndexSearch, PageIndex } from '../index/page-index.ts';
import type { Suggester } from '../index/suggest.ts';
import type { Query, WordsQuery } from '../query/query.ts';

export interface DidYouMeanParts {
  readonly index: PageIndex;
  readonly suggester: Suggester;
}

/**
 * For a query without a match: the same query with each word that no page has replaced by one that titles have.
 * Undefined when every word is known, when nothing is like an unknown one, or when the new query has no match either
 * (`search` builds what the index is asked for a query text).
 */
export async function didYouMean(
  { index, suggester }: DidYouMeanParts,
  q: string,
  search: (q: string) => IndexSearch,
): Promise<string | undefined> {
  let meant = q;
  for (const { text, words } of singleWords(search(q).query)) {
    const known = await index.search({ query: { kind: 'words', text, words, quoted: false }, limit: 1 });
    const better = known.total > 0 ? undefined : await suggester.suggest(text);
    if (better !== undefined) meant = replaceWord(meant, text, better);
  }
  if (meant === q) return undefined;
  const { total } = await index.search({ ...search(meant), limit: 1 });
  return total > 0 ? meant : undefined;
}

/** Bare words of one term; what was excluded is not among them. */
function singleWords(query: Query): WordsQuery[] {
  if (query.kind === 'words') return query.words.length === 1 && !query.quoted ? [query] : [];
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(singleWords) : [];
}

/** Replaces a word where it stands alone, however it was written. */
function replaceWord(q: string, word: string, better: string): string {
  return q
    .split(/(\s+)/)
    .map((token) => (token.normalize('NFKC').toLowerCase() === word ? better : token))
    .join('');
}
