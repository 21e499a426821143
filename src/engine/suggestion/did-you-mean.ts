import type { IndexSearch, PageIndex } from '../../index/page-index.ts';
import { parseQuery } from '../../query/parser.ts';
import { replaceableWords, replaceWords } from '../../query/replaceable-words.ts';
import { guessLanguage } from '../../text/language/function-words.ts';
import { fewResults } from './few-results.ts';
import { likelyWords } from './likely-words.ts';

/** A word of the index counts as misspelt if a similar word is on this many times more pages. */
const rareFactor = 50;
/** Number of words that are tried for each misspelt one: the likeliest may not occur together with the rest of the query. */
const triedPerWord = 3;
/** Maximum number of distinct words of a query that are looked up. */
const maxWords = 16;

/**
 * For a query with few results or none: the same query with its misspelt words replaced by words of the index. Operators,
 * phrases and exclusions stay. Words that no page contains are replaced; if there are none, words that are rare compared
 * with a word one mistake away. Undefined if there is no similar word, or no such query with more results. `search` makes
 * the search of a query text.
 */
export async function didYouMean(
  index: PageIndex,
  q: string,
  search: (q: string) => Promise<IndexSearch>,
): Promise<string | undefined> {
  const totalOf = async (text: string): Promise<number> =>
    (await index.search({ ...(await search(text)), limit: 1 })).total;
  const total = await totalOf(q);
  if (total >= fewResults) return undefined;

  const query = replaceableWords(q, guessLanguage(q.split(/\s+/)));
  const terms = [...new Set(query.words.map(({ term }) => term))].slice(0, maxWords);
  /** By exact form: a misspelt word may have the stem of another word. */
  const pagesOf = new Map<string, number>();
  for (const term of terms) {
    const answer = await index.search({ query: parseQuery(`"${term}"`), limit: 1 });
    pagesOf.set(term, answer.total);
  }
  const unknown = terms.filter((term) => pagesOf.get(term) === 0);
  const likely = new Map<string, string[]>();
  for (const term of unknown.length > 0 ? unknown : terms) {
    const pages = pagesOf.get(term) ?? 0;
    const rules = pages === 0 ? {} : { maxDistance: 1, minPages: pages * rareFactor };
    const words = await likelyWords(index, term, { limit: triedPerWord, ...rules });
    if (words.length > 0) likely.set(term, words);
  }
  for (const replacements of attempts(likely)) {
    const meant = replaceWords(query, replacements);
    if ((await totalOf(meant)) > total) return meant;
  }
  return undefined;
}

/** First the likeliest replacement of every word, then the others, one word at a time. */
function* attempts(likely: ReadonlyMap<string, readonly string[]>): Generator<Map<string, string>> {
  const first = new Map([...likely].map(([term, words]) => [term, words[0] as string]));
  if (first.size === 0) return;
  yield first;
  for (const [term, words] of likely) {
    for (const word of words.slice(1)) yield new Map(first).set(term, word);
  }
}
