import type { ContentRecord } from '../contract/content.ts';
import { invalidParameters, ServiceError } from '../contract/errors.ts';
import type { SearchParams, SearchResponse } from '../contract/search.ts';
import { rangeMs } from '../contract/time-range.ts';
import type { IndexSearch, PageIndex } from '../index/page-index.ts';
import { maxPartialMatches } from '../index/partial-matches.ts';
import type { Page, PageHead } from '../page.ts';
import type { DomainRules } from '../query/domain-rules.ts';
import { isEmpty, parseQuery } from '../query/parser.ts';
import type { Query } from '../query/query.ts';
import { type Rarities, reduceQuery } from '../query/reduce-query.ts';
import { parseSites } from '../query/site.ts';
import type { Clock, Log } from '../runtime.ts';
import type { PageSource } from '../store/loadable-pages.ts';
import { primarySubtag } from '../text/language/language.ts';
import type { TextStructure } from '../text/structure/marks.ts';
import { contentRecord } from './content-record.ts';
import { createExternalResults, type ExternalReport } from './external-results.ts';
import { createLocalSearch } from './local-search.ts';
import {
  createPartialSearch,
  minPartialMatches,
  type PartialMatches,
  type PartialRange,
  rankPartialMatches,
} from './partial-matches.ts';
import { type OnPhase, startPhaseTimer } from './phase-timer.ts';
import { type RankedPage, rank } from './ranking/two-phase-ranking.ts';
import { createRuledIndex } from './ruled-index.ts';
import { createSearchBudget } from './search-budget.ts';
import type { CrawlSite } from './site-crawl.ts';
import { didYouMean } from './suggestion/did-you-mean.ts';
import type { Web } from './web.ts';

export interface AbortOptions {
  /** Aborting it ends the work and rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface SearchOptions extends AbortOptions {
  /**
   * Called when the local results do not fill the page and no cached external answer exists; false keeps the answer
   * local. It lets the caller limit the external searches of each client.
   */
  readonly mayAskExternal?: () => boolean | Promise<boolean>;
  /** Whether pages that lack some of the words are wanted as well. */
  readonly partial?: boolean;
  /** The number of Gleaner instances that have forwarded the query. */
  readonly hops?: number;
}

export interface SearchAnswer extends SearchResponse {
  /** The outcome of the external search, which distinguishes "no results" from "no provider could be queried". */
  readonly external: ExternalReport;
  /** Pages that lack some words, if requested and if there is room on the page. `total` does not count them. */
  readonly partial?: PartialMatches & {
    /** Whether any local page has all words. */
    readonly hasFullMatches: boolean;
  };
}

export interface EngineStatus {
  readonly pages: number;
  /** Searchable pages; fewer than `pages` while the index catches up after the start. */
  readonly searchable: number;
}

/** Why a result has its rank. */
export interface Explanation {
  readonly url: string;
  readonly score: number;
  /** What each term added to the score of the first phase. Stems begin with `~`. */
  readonly terms: Readonly<Record<string, number>>;
  /** The factor of each rule of the second phase. */
  readonly factors: Readonly<Record<string, number>>;
  /** For a partial match: the words that it lacks, as they were typed. */
  readonly missingWords?: readonly string[];
}

export interface ReadingOptions extends AbortOptions {
  /** Whether the structure of the text is wanted as well. */
  readonly structure?: boolean;
}

/** A page as it was found by its id. */
export interface FoundRecord extends ContentRecord {
  /** If wanted and known. */
  readonly structure?: TextStructure;
}

/** A page that was read by its URL. */
export interface ReadRecord extends FoundRecord {
  /** Only if the page could not be visited now: the time of the stored copy, and the reason. */
  readonly notice?: string;
}

/** Search and page content for all interfaces: HTTP, MCP and the command line. */
export interface Engine {
  /** Throws `ServiceError` `invalid_parameters` if `q` has no word to search for. */
  search(params: SearchParams, options?: SearchOptions): Promise<SearchAnswer>;
  /** For a search with few or no results: a corrected query with more results; undefined if there is none. */
  didYouMean(params: SearchParams): Promise<string | undefined>;
  /** The scores of the same results, then of the same partial matches, by their parts: for tuning the ranking. */
  explain(params: SearchParams): Promise<Explanation[]>;
  /** Takes an id in any case. Throws `ServiceError` `not_found` if no page has it. */
  content(id: string, options?: ReadingOptions): Promise<FoundRecord>;
  /** Visits the page at a URL now and returns its content, if this service visits pages. Throws as `OnDemandFetch`. */
  read(url: string, options?: ReadingOptions): Promise<ReadRecord>;
  /** Whether `read` visits pages; otherwise it knows those of the index alone. */
  readonly visitsPages: boolean;
  /** Crawls a part of a site; undefined where this service has no crawler. */
  readonly crawlSite?: CrawlSite | undefined;
  /** Whether a stored page may be shown. */
  mayShow(head: PageHead): boolean;
  status(): EngineStatus;
}

export interface EngineParts {
  readonly pages: PageSource;
  readonly index: PageIndex;
  readonly now: Clock;
  readonly log: Log;
  /** Without it all answers are local, and no page can be read by its URL. */
  readonly web?: Web | undefined;
  /** The operator's rules for domains. */
  readonly rules?: DomainRules | undefined;
  /** Leaves out pages that were read with credentials, and visits pages without any; default false. */
  readonly publicOnly?: boolean;
  readonly onPhase?: OnPhase | undefined;
}

/** The same for a page that is private and for one of a blocked domain. */
const notForEverybody = 'this page is not shown here: look for another one with web_search';

function withoutCredentials(crawlSite: CrawlSite | undefined): CrawlSite | undefined {
  return crawlSite && ((request, options) => crawlSite({ ...request, isAnonymous: true }, options));
}

/** Factor of `lang_priority`: enough to lift an equally good page, too little to bury a much better one. */
const preferenceFactor = 1.5;

export function createEngine(parts: EngineParts): Engine {
  const { pages, rules, publicOnly = false, now, log, web, onPhase } = parts;
  const index =
    rules || publicOnly ? createRuledIndex({ index: parts.index, pages, rules, publicOnly }) : parts.index;
  const { hasLlmsTxt } = pages;

  const structureOf = (page: Page) => {
    const structure = pages.structureOf(page);
    return structure && { structure };
  };

  /** Whether the page must not be shown to those who ask here. */
  const isKeptBack = ({ url, isPrivate = false }: PageHead): boolean =>
    (publicOnly && isPrivate) || (rules?.isBlocked(url) ?? false);

  const indexSearch = (params: SearchParams): Promise<IndexSearch> =>
    toIndexSearch(params, now(), index.rarities);
  const searchLocally = createLocalSearch({ pages, index, now, onPhase });
  const findPartialMatches = createPartialSearch({ pages, index, now });
  const findExternalResults = createExternalResults({ pages, index, rules, web, log });

  return {
    search: async (params, { signal, mayAskExternal = () => true, hops = 0, partial = false } = {}) => {
      const startedAt = performance.now();
      const { offset, limit } = params;
      const search = await indexSearch(params);
      const budget = createSearchBudget();
      const local = await searchLocally(params, search, { signal, budget });
      const endPhase = startPhaseTimer(onPhase);
      const external = await findExternalResults({ params, search, local, signal, mayAskExternal, hops });
      endPhase('web');
      const allResults = [...local.results, ...external.results.slice(Math.max(0, offset - local.total))];
      const results = allResults.slice(0, limit);
      web?.onShown(results.flatMap(({ source, url }) => (source === 'external' ? [url] : [])));
      const total = local.total + external.results.length;
      const range = partialRange({
        offset,
        limit,
        total,
        resultCount: results.length,
        localTotal: local.total,
      });
      const partialMatches =
        partial && range.end > range.start
          ? await findPartialMatches(params, search, range, { signal, budget })
          : undefined;
      return {
        total,
        took_ms: Math.round(performance.now() - startedAt),
        results,
        external: external.report,
        ...(partialMatches && { partial: { ...partialMatches, hasFullMatches: local.total > 0 } }),
      };
    },
    didYouMean: (params) => didYouMean(index, params.q, (q) => indexSearch({ ...params, q })),
    explain: async (params) => {
      const { offset, limit } = params;
      const search = { ...(await indexSearch(params)), explain: true };
      const store = pages.open();
      const explained = ({ id, score, parts: terms, factors }: RankedPage): Explanation => {
        return {
          url: store.head(id)?.url ?? '',
          score,
          terms: Object.fromEntries(terms),
          factors: factors(),
        };
      };
      const { total, hits } = await rank({ index, store, now }, search);
      const strict = hits.slice(offset, offset + limit).map(explained);
      const range = partialRange({ offset, limit, total, resultCount: strict.length, localTotal: total });
      if (range.end <= range.start) return strict;
      const partly = await rankPartialMatches({ index, store, now }, { ...search, limit: range.end });
      const lacking = partly?.hits.slice(range.start).map((hit) => {
        return { ...explained(hit), missingWords: partly.missingWords(hit.id) };
      });
      return [...strict, ...(lacking ?? [])];
    },
    content: async (typedId, { signal, structure = false } = {}) => {
      signal?.throwIfAborted();
      const id = typedId.toLowerCase();
      const store = pages.open();
      await store.loadPage?.(id);
      const found = store.page(id);
      const page = found && !isKeptBack(found) ? found : undefined;
      const damage = found ? undefined : store.damageOf(id);
      if (damage !== undefined) {
        throw new ServiceError(
          'damaged',
          `the stored page ${id} is damaged: ${damage}; fetch it by its URL, or have "gleaner verify --repair" run`,
        );
      }
      if (!page) {
        throw new ServiceError(
          'not_found',
          'no page has this id: use the id of a search result whose source is local',
        );
      }
      return { ...contentRecord(page, hasLlmsTxt(page.url)), ...(structure && structureOf(page)) };
    },
    read: async (url, { signal, structure = false } = {}) => {
      if (web === undefined)
        throw new ServiceError('not_found', 'this service reads pages by their id alone');
      const read = await web.reader();
      const { page, isStored, notVisited } = await read(url, { signal, isAnonymous: publicOnly });
      if (isKeptBack(page)) throw new ServiceError('not_found', notForEverybody);
      // The id of a page that is not stored would be of no use.
      const record = {
        ...contentRecord(isStored ? page : { ...page, id: '' }, hasLlmsTxt(page.url)),
        ...(structure && structureOf(page)),
      };
      if (notVisited === undefined) return record;
      const notice = `This is the stored copy of ${record.crawled_at}: the page could not be visited now (${notVisited}).`;
      return { ...record, notice };
    },
    visitsPages: web?.visitsPages ?? false,
    crawlSite: publicOnly ? withoutCredentials(web?.crawlSite) : web?.crawlSite,
    mayShow: (head) => !isKeptBack(head),
    status: () => {
      const count = pages.pageCount() - (publicOnly ? pages.privatePageCount() : 0);
      const searchable = index.stats().pages;
      return { pages: count, searchable: publicOnly ? Math.min(count, searchable) : searchable };
    },
  };
}

/**
 * The range of partial matches on a page: they follow the last result. If no local page has all words, the first page has
 * at least `minPartialMatches` of them, regardless of the number of external results.
 */
function partialRange(answer: {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  /** The number of results on this page. */
  readonly resultCount: number;
  readonly localTotal: number;
}): PartialRange {
  const { offset, limit, total, localTotal } = answer;
  const minCount = localTotal === 0 && offset === 0 ? minPartialMatches : 0;
  const start = Math.max(0, offset - total);
  return { start, end: Math.min(maxPartialMatches, start + Math.max(limit - answer.resultCount, minCount)) };
}

/** Translates parsed parameters. Throws `invalid_parameters` for errors that only the query parser detects. */
async function toIndexSearch(params: SearchParams, now: number, rarities: Rarities): Promise<IndexSearch> {
  const { q, lang, lang_priority, site, time_range = 'all', limit, offset } = params;
  const query = parseQuery(q, lang ? { lang: primarySubtag(lang) } : {});
  const wrong = [];
  if (isEmpty(query)) wrong.push({ parameter: 'q', message: 'must hold at least one word to look for' });
  const parts: Query[] = [await reduceQuery(query, rarities)];
  if (site) {
    const parsed = parseSites(site);
    if (parsed) parts.push(parsed);
    else wrong.push({ parameter: 'site', message: 'must be a domain, e.g. example.com' });
  }
  if (wrong.length > 0) throw invalidParameters(wrong);
  return {
    query: { kind: 'all', of: parts },
    limit: offset + limit,
    ...(lang && { lang: primarySubtag(lang) }),
    ...(time_range !== 'all' && { crawledSince: now - rangeMs[time_range] }),
    ...(lang_priority && { prefer: { lang: primarySubtag(lang_priority), factor: preferenceFactor } }),
  };
}
