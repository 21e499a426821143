import { rangeMs } from '../contract/time-range.ts';
import type { FileType } from '../page.ts';
import { fileTypesOf } from '../query/file-types.ts';
import type { Query, Word } from '../query/query.ts';
import { siteMatches } from '../query/site.ts';
import { guessLanguage } from '../text/language/function-words.ts';
import { stemTerm } from '../text/stems.ts';
import { indexTerms } from '../text/terms.ts';
import type { ProviderRequest, ProviderResult } from './search-provider.ts';

/** `unknown`: only the page itself could tell. */
type Verdict = 'yes' | 'no' | 'unknown';

/** A date without a time may be that day in any time zone. */
const dateSlackMs = 2 * rangeMs['1d'];

export interface FilterOptions {
  readonly now: number;
  /** Whether the provider filters by file type: then a URL without an extension may be of that type. */
  readonly knowsFileType: boolean;
  /** Whether the provider filters by time: it may use another date than the one that it shows. */
  readonly knowsTime: boolean;
}

/**
 * Drops results that certainly break the query or a filter: another site or file type, an excluded word in title,
 * snippet or URL, a title without a required title word, an older date, another language named by the provider. A
 * missing word proves nothing, because a snippet is not the whole page; such results are kept.
 */
export function filterResults(
  results: readonly ProviderResult[],
  { query, lang, timeRange }: Pick<ProviderRequest, 'query' | 'lang' | 'timeRange'>,
  { now, knowsFileType, knowsTime }: FilterOptions,
): ProviderResult[] {
  const since = timeRange && !knowsTime ? now - rangeMs[timeRange] - dateSlackMs : 0;
  return results.filter((result) => {
    if (result.publishedAt !== null && result.publishedAt < since) return false;
    if (lang && result.lang !== null && result.lang !== lang) return false;
    return judge(query, inspect(result, knowsFileType), false) !== 'no';
  });
}

/** A result with its terms, which are computed on first use. */
interface InspectedResult {
  readonly url: string;
  readonly knowsFileType: boolean;
  title(): Terms;
  all(): Terms;
}

interface Terms {
  readonly terms: ReadonlySet<string>;
  /** Whether the text continues beyond what the provider shows. */
  readonly isTruncated: boolean;
}

function inspect({ url, title, snippet }: ProviderResult, knowsFileType: boolean): InspectedResult {
  let ofTitle: Terms | undefined;
  let ofAll: Terms | undefined;
  return {
    url,
    knowsFileType,
    title: () => {
      ofTitle ??= { terms: termsOf(title), isTruncated: title === '' || /(?:…|\.\.\.)\s*$/.test(title) };
      return ofTitle;
    },
    all: () => {
      const { hostname, pathname } = new URL(url);
      ofAll ??= { terms: termsOf(`${title}\n${snippet}\n${hostname} ${pathname}`), isTruncated: true };
      return ofAll;
    },
  };
}

function termsOf(text: string): ReadonlySet<string> {
  const exact = indexTerms(text);
  const lang = guessLanguage(text.split(/\s+/));
  return new Set([...exact, ...exact.map((term) => stemTerm(term, lang)).filter((stem) => stem !== null)]);
}

/**
 * Evaluates the tree in Kleene's three-valued logic. Wanted words are not looked up: the result stays in both cases, and
 * tokenizing every snippet would take most of the time.
 */
function judge(query: Query, seen: InspectedResult, isExcluded: boolean): Verdict {
  switch (query.kind) {
    case 'all':
      return every(query.of.map((part) => judge(part, seen, isExcluded)));
    case 'any':
      return opposite(every(query.of.map((part) => opposite(judge(part, seen, isExcluded)))));
    case 'not':
      return opposite(judge(query.of, seen, !isExcluded));
    case 'words':
      return isExcluded ? holds(query.words, seen.all()) : 'unknown';
    case 'title':
      return holds(query.words, seen.title());
    case 'site':
      return siteMatches(query, seen.url) ? 'yes' : 'no';
    case 'filetype':
      return judgeType(query.types, seen);
  }
}

function every(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes('no')) return 'no';
  return verdicts.includes('unknown') ? 'unknown' : 'yes';
}

function opposite(verdict: Verdict): Verdict {
  if (verdict === 'unknown') return verdict;
  return verdict === 'yes' ? 'no' : 'yes';
}

function holds(words: readonly Word[], { terms, isTruncated }: Terms): Verdict {
  const missing = words.some(
    ({ required, term, stem }) => required && !terms.has(term) && !(stem !== null && terms.has(stem)),
  );
  if (!missing) return 'yes';
  return isTruncated ? 'unknown' : 'no';
}

const documentTypes = ['pdf', 'doc', 'ppt', 'xls'].flatMap(fileTypesOf);

/** Judges by the extension in the URL, the only sign of its type that a result has. */
function judgeType(types: readonly FileType[], { url, knowsFileType }: InspectedResult): Verdict {
  const extension = /\.([a-z]{3,4})$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase();
  if (types.length === 0) return 'no';
  if (types.some((type) => type === extension)) return 'yes';
  if (documentTypes.some((type) => type === extension)) return 'no';
  return knowsFileType ? 'unknown' : 'no';
}
