import type { SearchParams, SearchResult } from '../contract/search.ts';
import type {
  ExternalAnswer,
  ExternalFailure,
  ExternalQuery,
  ExternalResult,
  FederatedSearch,
} from '../external/federated-search.ts';
import type { IndexSearch, PageIndex } from '../index/page-index.ts';
import type { DomainRules } from '../query/domain-rules.ts';
import type { Log } from '../runtime.ts';
import type { PageSource } from '../store/loadable-pages.ts';
import { pageId } from '../store/page/page-id.ts';
import { addressKey } from '../text/address-key.ts';
import { truncate } from '../text/line/truncate.ts';
import { excerptLine } from './excerpt/excerpt-line.ts';
import type { LocalAnswer } from './local-search.ts';
import { resultScore } from './result-score.ts';
import type { Web } from './web.ts';

/** The outcome of the external search for an answer. */
export interface ExternalReport {
  /** `off`: no provider was queried. */
  readonly state: 'ok' | 'partial' | 'failed' | 'off';
  /** Only with `off`: the reason. */
  readonly reason?: 'enough local results' | 'turned off' | 'budget spent' | 'no provider fits';
  readonly failures: readonly ExternalFailure[];
}

export interface ExternalResults {
  /** All external results, best first. They rank after all local results and score below them. */
  readonly results: readonly SearchResult[];
  readonly report: ExternalReport;
}

export interface ExternalResultsParts {
  readonly pages: PageSource;
  readonly index: PageIndex;
  /** The operator's rules for domains. */
  readonly rules?: DomainRules | undefined;
  readonly web: Pick<Web, 'federatedSearch' | 'homeOf'> | undefined;
  readonly log: Log;
}

export interface ExternalResultsRequest {
  readonly params: SearchParams;
  /** The search of the index for these parameters. */
  readonly search: IndexSearch;
  readonly local: Pick<LocalAnswer, 'total' | 'hits'>;
  readonly signal: AbortSignal | undefined;
  /** Called before providers are queried; false keeps the answer local. */
  readonly mayAskExternal: () => boolean | Promise<boolean>;
  readonly hops: number;
}

export type FindExternalResults = (request: ExternalResultsRequest) => Promise<ExternalResults>;

/** Maximum length of the title and of the snippet of an external result, in UTF-16 units. */
const maxTitleLength = 300;
const maxSnippetLength = 500;

/** The maximum of `offset` + `limit`. With this many local results, no external one can be on a page. */
const maxLocalResults = 1090;

/** External results are preferred by language as local ones are. */
type Preference = NonNullable<IndexSearch['prefer']>;

/**
 * Returns the function that adds external results if the local ones do not fill the requested page. While the external
 * answer is cached, all pages are of the same list, so `total` and the order stay the same from page to page. It rejects
 * only with the signal's reason: without external results, the answer has the local ones.
 */
export function createExternalResults(parts: ExternalResultsParts): FindExternalResults {
  const { pages, index, rules, web, log } = parts;
  let federated: FederatedSearch | undefined;

  const ask = async (request: ExternalResultsRequest): Promise<ExternalAnswer | ExternalReport> => {
    const { params, local, signal, mayAskExternal } = request;
    const isFull = local.total >= params.offset + params.limit;
    if (web?.federatedSearch === undefined) return off('turned off');
    if (!isFull) federated ??= await web.federatedSearch();
    if (federated === undefined || local.total >= maxLocalResults) return off('enough local results');
    const question = questionOf(request);
    const cachedAnswer = federated.peek(question);
    if (cachedAnswer !== undefined) return cachedAnswer;
    if (isFull) return off('enough local results');
    return (await mayAskExternal()) ? federated.search(question, signal) : off('budget spent');
  };

  /**
   * Whether a page is one of the local results, of those that are given: under its address, the one that it has moved to, or
   * as a copy.
   */
  const localTest = async (
    { search, local }: ExternalResultsRequest,
    results: readonly ExternalResult[],
  ): Promise<(page: ExternalResult) => boolean> => {
    const { total } = local;
    const hits =
      local.hits.length >= total ? local.hits : (await index.search({ ...search, limit: total })).hits;
    const ids = new Set(hits.map(({ id }) => id));
    const store = pages.open();
    await store.loadHeads?.([...hits, ...results.map(({ url }) => ({ id: pageId(url) }))]);
    const addresses = new Set([...ids].flatMap((id) => store.head(id)?.url ?? []).map(addressKey));
    return ({ url, key }) => {
      if (addresses.has(key) || addresses.has(web?.homeOf(key) ?? key)) return true;
      const original = store.head(pageId(url))?.copyOf;
      return original !== undefined && ids.has(original);
    };
  };

  const weighed = (result: ExternalResult): ExternalResult =>
    rules ? { ...result, score: result.score * rules.factorOf(result.url) } : result;

  return async (request) => {
    try {
      const answer = await ask(request);
      if (!('results' in answer)) return { results: [], report: answer };
      const { state, failures, retrievedAt } = answer;
      const report = state === 'none' ? off('no provider fits') : { state, failures };
      if (answer.results.length === 0) return { results: [], report };
      const isLocal = await localTest(request, answer.results);
      const newResults = answer.results.filter((page) => !isLocal(page) && !rules?.isBlocked(page.url));
      const results = scored(newResults.map(weighed), request.search.prefer, lowestScore(request.local.hits));
      return { report, results: results.map((result) => asResult(result, retrievedAt, pages.hasLlmsTxt)) };
    } catch (error) {
      request.signal?.throwIfAborted();
      log.error({ err: error }, 'the web could not be asked');
      return { results: [], report: { state: 'failed', failures: [] } };
    }
  };
}

function off(reason: NonNullable<ExternalReport['reason']>): ExternalReport {
  return { state: 'off', reason, failures: [] };
}

function questionOf({
  search: { query, lang },
  params: { time_range },
  hops,
}: ExternalResultsRequest): ExternalQuery {
  return {
    query,
    ...(lang !== undefined && { lang }),
    ...(time_range !== undefined && time_range !== 'all' && { timeRange: time_range }),
    ...(hops > 0 && { hops }),
  };
}

/** The score of the last local result: whenever external results are shown, the hits have all local results. */
function lowestScore(hits: LocalAnswer['hits']): number {
  return Math.min(...hits.map(({ score }) => score), 1);
}

/** Scales the scores to below `ceiling`, so that the whole answer is in descending order of score. */
function scored(
  results: readonly ExternalResult[],
  prefer: Preference | undefined,
  ceiling: number,
): ExternalResult[] {
  const weight = (lang: string) => (prefer?.lang === lang ? prefer.factor : 1);
  const room = ceiling > 0 ? ceiling : 1;
  return results
    .map((result) => ({ ...result, score: result.score * weight(result.lang) }))
    .sort((a, b) => b.score - a.score)
    .map((result) => ({ ...result, score: ceiling - room + (room * result.score) / 2 }));
}

function asResult(
  { url, title, snippet, lang, score, publishedAt }: ExternalResult,
  foundAt: number,
  hasLlmsTxt: (url: string) => boolean,
): SearchResult {
  return {
    id: '',
    url,
    title: excerptOf(title, maxTitleLength) || url,
    snippet: excerptOf(snippet, maxSnippetLength),
    domain: new URL(url).hostname,
    lang,
    score: resultScore(score),
    source: 'external',
    has_llms_txt: hasLlmsTxt(url),
    published_at: publishedAt === null ? null : new Date(publishedAt).toISOString(),
    crawled_at: new Date(foundAt).toISOString(),
  };
}

function excerptOf(text: string, length: number): string {
  const line = excerptLine(text, { start: 0, end: Math.min(text.length, 4 * length) });
  return truncate(line, length);
}
