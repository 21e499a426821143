import MiniSearch from 'minisearch';
import type { Page } from '../../page.ts';
import { fields, type PerField, saturatedFrequency } from '../bm25f.ts';
import { fileTypeFacet, siteFacets } from '../facets.ts';
import type { IndexHit, IndexSearch } from '../page-index.ts';
import { countTerms, type PageTerms } from '../page-terms.ts';
import { facetField, liveTerm, toMiniSearch } from './to-minisearch.ts';

/** The data by which a page is scored and filtered. MiniSearch only decides whether it matches. */
export interface LivePage extends PageTerms {
  readonly id: string;
  readonly lang: string;
  readonly crawledAt: number;
  readonly isCopy: boolean;
  readonly isPrivate: boolean;
}

/** The statistics over all pages that BM25F needs. */
export interface Corpus {
  readonly pages: number;
  readonly averageLengths: PerField;
  documentFrequency(term: string): number;
}

/** Joins the terms of a field for MiniSearch, which takes texts. No term has a line end. */
const separator = '\n';

/** The part of a search that decides which pages match. */
export interface LiveSearch extends Omit<IndexSearch, 'limit' | 'prefer' | 'explain'> {
  /** Whether copies of other hosts' pages match as well, as they do in searches that name a site. */
  readonly copies?: boolean;
}

type LiveDocument = { id: string } & Record<(typeof fields)[number] | typeof facetField, string>;

/** MiniSearch over the newest pages, which are searchable at once. It decides what matches; scores are BM25F. */
export function createLiveTier() {
  const matcher = new MiniSearch<LiveDocument>({
    fields: [...fields, facetField],
    tokenize: (text) => (text === '' ? [] : text.split(separator)),
    processTerm: liveTerm,
    // Vacuuming iterates over the terms in several turns of the event loop, and throws if a page is added in between.
    autoVacuum: false,
    searchOptions: { tokenize: (term) => [term], processTerm: (term) => term },
  });
  const pages = new Map<string, LivePage>();
  const documentFrequencies = new Map<string, number>();
  let used = false;
  const totalLengths: [number, number, number, number] = [0, 0, 0, 0];

  const count = (page: LivePage, sign: 1 | -1): void => {
    for (const term of page.frequencies.keys()) {
      const frequency = (documentFrequencies.get(term) ?? 0) + sign;
      if (frequency === 0) documentFrequencies.delete(term);
      else documentFrequencies.set(term, frequency);
    }
    for (let field = 0; field < fields.length; field++) {
      totalLengths[field] = (totalLengths[field] ?? 0) + sign * (page.lengths[field] ?? 0);
    }
  };

  const remove = (id: string): void => {
    const page = pages.get(id);
    if (!page) return;
    pages.delete(id);
    matcher.discard(id);
    count(page, -1);
  };

  const put = (page: Page): void => {
    remove(page.id);
    const { id, lang, crawledAt, copyOf, isPrivate = false } = page;
    const live = { id, lang, crawledAt, isCopy: copyOf !== undefined, isPrivate, ...countTerms(page) };
    pages.set(page.id, live);
    used = true;
    count(live, 1);
    const [title = '', headings = '', url = '', body = ''] = fields.map((_, field) =>
      termsOf(live, field).join(separator),
    );
    const facets = [...siteFacets(page.url), fileTypeFacet(page.fileType)].join(separator);
    matcher.add({ id: page.id, title, headings, url, body, facets });
  };

  const corpus = (): Corpus => ({
    pages: pages.size,
    averageLengths: totalLengths.map((total) => total / Math.max(1, pages.size)) as unknown as PerField,
    documentFrequency: (term) => documentFrequencies.get(term) ?? 0,
  });

  /** All pages that match the search and its filters, in no particular order. */
  const match = ({ query, lang, crawledSince, copies, publicOnly }: LiveSearch): LivePage[] => {
    const passes = (page: LivePage | undefined): page is LivePage =>
      page !== undefined &&
      (copies || !page.isCopy) &&
      !(publicOnly && page.isPrivate) &&
      (lang === undefined || page.lang === lang) &&
      (crawledSince === undefined || page.crawledAt >= crawledSince);
    // A factor of 0 keeps MiniSearch from building results for pages that the filters reject.
    const boostDocument = (id: string): number => (passes(pages.get(id)) ? 1 : 0);
    return matcher
      .search(toMiniSearch(query), { boostDocument })
      .map(({ id }) => pages.get(id))
      .filter(passes);
  };

  /** What each term adds to the score of a page. */
  const scoreParts = (id: string, weights: ReadonlyMap<string, number>, averageLengths: PerField) => {
    const parts = new Map<string, number>();
    const page = pages.get(id);
    if (page) liveScore(page, weights, averageLengths, parts);
    return parts;
  };

  return {
    put,
    remove,
    match,
    corpus,
    scoreParts,
    has: (id: string) => pages.has(id),
    ids: () => [...pages.keys()],
    /** All terms of its pages, with stems. */
    terms: (): Iterable<string> => documentFrequencies.keys(),
    size: () => pages.size,
    /** Whether a page was ever added: if so, it has memory that only dropping the tier frees. */
    isUsed: () => used,
  };
}

/** BM25F of one page for terms with these weights. If `parts` is given, it gets what each term adds. */
export function liveScore(
  page: LivePage,
  weights: ReadonlyMap<string, number>,
  averageLengths: PerField,
  parts?: Map<string, number>,
): number {
  let score = 0;
  for (const [term, weight] of weights) {
    const frequencies = page.frequencies.get(term);
    if (!frequencies) continue;
    const part = weight * saturatedFrequency(frequencies, page.lengths, averageLengths);
    parts?.set(term, part);
    score += part;
  }
  return score;
}

/** A page as a hit: its score is its BM25F, times the preference. */
export function liveHit(
  page: LivePage,
  weights: ReadonlyMap<string, number>,
  averageLengths: PerField,
  prefer: IndexSearch['prefer'],
): IndexHit {
  const factor = prefer?.lang === page.lang ? prefer.factor : 1;
  const score = liveScore(page, weights, averageLengths) * factor;
  return { id: page.id, crawledAt: page.crawledAt, score };
}

/** The distinct terms of a field, with stems, for MiniSearch to match. */
function termsOf({ frequencies }: PageTerms, field: number): string[] {
  return [...frequencies].filter(([, counts]) => (counts[field] ?? 0) > 0).map(([term]) => term);
}
