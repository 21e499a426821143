import type { FileType } from '../page.ts';
import { fileTypesOf } from '../query/file-types.ts';
import type { Query, Word } from '../query/query.ts';
import { siteMatches } from '../query/site.ts';
import { guessLanguage } from '../text/language/function-words.ts';
import { stemTerm } from '../text/stems.ts';
import { indexTerms } from '../text/terms.ts';
import type { ProviderRequest, ProviderResult, TimeRange } from './search-provider.ts';

/** `unknown`: the page would have to be read to tell. */
type Verdict = 'yes' | 'no' | 'unknown';

const day = 24 * 60 * 60 * 1000;
/** The longest that each range reaches back. */
export const rangeMs: Readonly<Record<TimeRange, number>> = {
  '1d': day,
  '7d': 7 * day,
  '30d': 30 * day,
  '1y': 365 * day,
};
/** Dates without a time stand for a whole day somewhere on earth. */
const dateSlackMs = 2 * day;

export interface FilterOptions {
  readonly now: number;
  /** Whether the provider was told the type: then an address without an ending may well be one. */
  readonly knowsFileType: boolean;
  /** Whether the provider was told the time range: it may go by another date than the one that it shows. */
  readonly knowsTime: boolean;
}

/**
 * Leaves out what is known to break the query or a filter: another site, another file type, an excluded word in title,
 * snippet or address, a title without a word that must be in it, an older date, another language that the provider
 * names. A word that is missing proves nothing, since a snippet is not the page; such results stay.
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

/** A result with what is asked of it more than once, made when it is first needed. */
interface InspectedResult {
  readonly url: string;
  readonly knowsFileType: boolean;
  title(): Terms;
  all(): Terms;
}

interface Terms {
  readonly terms: ReadonlySet<string>;
  /** Whether the text goes on where we do not see it. */
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
 * Kleene's three-valued logic over the tree. Words that are wanted are not looked for: found or not, the result stays,
 * and cutting every snippet into words takes most of the time.
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

/** By the ending of the address, all that a result shows of its type. */
function judgeType(types: readonly FileType[], { url, knowsFileType }: InspectedResult): Verdict {
  const ending = /\.([a-z]{3,4})$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase();
  if (types.length === 0) return 'no';
  if (types.some((type) => type === ending)) return 'yes';
  if (documentTypes.some((type) => type === ending)) return 'no';
  return knowsFileType ? 'unknown' : 'no';
}
