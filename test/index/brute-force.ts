import {
  exactShare,
  inverseDocumentFrequency,
  type PerField,
  saturatedFrequency,
} from '../../src/index/bm25f.ts';
import type { IndexSearch } from '../../src/index/page-index.ts';
import type { Page } from '../../src/page.ts';
import type { Query, Word } from '../../src/query/query.ts';
import { siteMatches } from '../../src/query/site.ts';
import { stemTerm } from '../../src/text/stems.ts';
import { indexTerms } from '../../src/text/terms.ts';

/** The numbers over all pages that scores are made of. */
export interface CorpusNumbers {
  readonly averageLengths: PerField;
  /** How much each term of the query counts. */
  readonly weights: ReadonlyMap<string, number>;
}

/** The slow, obvious reading of a search: every page is looked at, every field counted anew. */
export function bruteForce(
  pages: readonly Page[],
  search: IndexSearch,
  { averageLengths, weights }: CorpusNumbers = corpusNumbers(pages, search.query),
): { id: string; score: number }[] {
  return pages
    .map(countedPage)
    .filter(({ page, terms }) => matches(search.query, page, terms) && passes(search, page))
    .map(({ page, terms, lengths }) => {
      const score = [...weights].reduce((sum, [term, weight]) => {
        const frequencies = terms.map(
          (field) => field.filter((t) => t === term).length,
        ) as unknown as PerField;
        return sum + weight * saturatedFrequency(frequencies, lengths, averageLengths);
      }, 0);
      return { page, score: score * (search.prefer?.lang === page.lang ? search.prefer.factor : 1) };
    })
    .sort(
      (a, b) => b.score - a.score || b.page.crawledAt - a.page.crawledAt || (a.page.id < b.page.id ? -1 : 1),
    )
    .map(({ page, score }) => ({ id: page.id, score }));
}

export function corpusNumbers(pages: readonly Page[], query: Query): CorpusNumbers {
  const counted = pages.map(countedPage);
  const averageLengths = [0, 1, 2, 3].map(
    (field) =>
      counted.reduce((sum, { lengths }) => sum + (lengths[field] ?? 0), 0) / Math.max(1, pages.length),
  ) as unknown as PerField;
  const weights = wantedTerms(query).map(([term, share]): [string, number] => {
    const frequency = counted.filter(({ terms }) => terms.some((field) => field.includes(term))).length;
    return [term, share * inverseDocumentFrequency(frequency, pages.length)];
  });
  return { averageLengths, weights: new Map(weights) };
}

/** A page with the terms of each field, stems after the exact ones, and the fields' lengths without stems. */
interface CountedPage {
  readonly page: Page;
  readonly terms: string[][];
  readonly lengths: PerField;
}

const countedPages = new WeakMap<Page, CountedPage>();

function countedPage(page: Page): CountedPage {
  const known = countedPages.get(page);
  if (known) return known;
  const exact = fieldTerms(page);
  const terms = exact.map((field) => [...field, ...stemsOf(field, page.lang)]);
  const counted = { page, terms, lengths: exact.map((field) => field.length) as unknown as PerField };
  countedPages.set(page, counted);
  return counted;
}

function fieldTerms(page: Page): string[][] {
  const { host, pathname } = new URL(page.url);
  return [page.title, page.headings, `${host} ${pathname}`, page.body].map(indexTerms);
}

function passes({ query, lang, crawledSince, publicOnly }: IndexSearch, page: Page): boolean {
  if (publicOnly && page.isPrivate) return false;
  // Whatever the parser made of it: a query about a site has a node that says so.
  if (page.copyOf !== undefined && !JSON.stringify(query).includes('"kind":"site"')) return false;
  return (lang ?? page.lang) === page.lang && page.crawledAt >= (crawledSince ?? 0);
}

function matches(query: Query, page: Page, terms: string[][]): boolean {
  switch (query.kind) {
    case 'all':
      return query.of.every((part) => matches(part, page, terms));
    case 'any':
      return query.of.some((part) => matches(part, page, terms));
    case 'not':
      return !matches(query.of, page, terms);
    case 'words':
      return holds(query.words, terms);
    case 'title':
      return holds(query.words, terms.slice(0, 1));
    case 'site':
      return siteMatches(query, page.url);
    case 'filetype':
      return query.types.includes(page.fileType);
  }
}

function holds(words: readonly Word[], terms: string[][]): boolean {
  return words
    .filter((word) => word.required)
    .every(({ term, stem }) =>
      terms.some((field) => field.includes(term) || (stem !== null && field.includes(stem))),
    );
}

/** Every term that scores, with the largest share that any word of the query gives it: twice if it was typed twice. */
function wantedTerms(query: Query): [string, number][] {
  const shares = new Map<string, number>();
  const add = (term: string, share: number) => shares.set(term, Math.max(share, shares.get(term) ?? 0));
  for (const { term, stem, weight: once } of wantedWords(query)) {
    const weight = isTypedTwice(term, query) ? 2 * once : once;
    add(term, stem === null ? weight : weight * exactShare);
    if (stem !== null) add(stem, weight * (1 - exactShare));
  }
  return [...shares];
}

function isTypedTwice(term: string, query: Query): boolean {
  const typed = (query.kind === 'all' ? query.of : [query]).flatMap((part) =>
    part.kind === 'words' && !part.quoted ? part.words : [],
  );
  return typed.filter((word) => word.required && word.term === term).length > 1;
}

function wantedWords(query: Query): readonly Word[] {
  if (query.kind === 'words' || query.kind === 'title') return query.words;
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(wantedWords) : [];
}

function stemsOf(terms: readonly string[], lang: string): string[] {
  return terms.map((term) => stemTerm(term, lang)).filter((stem) => stem !== null);
}
