import { z } from 'zod';
import { integer, SearchParams, SearchResponse, SearchResult } from '../src/contract/search.ts';
import { queryNotices } from '../src/engine/query-notices.ts';
import { searchTokens } from '../src/engine/search-tokens.ts';
import { fewResults } from '../src/engine/suggestion/few-results.ts';
import { oneLine } from '../src/text/line/one-line.ts';
import { externalNotice } from './external-notice.ts';
import { fitResults } from './fit-results.ts';
import { ignoredNotice } from './ignored-notice.ts';
import { emptyIndexNotice, partialNotice } from './partial-notice.ts';
import { maxPassagesOfResult, passagesOfResults } from './passages/result-passages.ts';
import type { Tool } from './tool.ts';
import { untrusted } from './untrusted.ts';
import { describeWebSearch } from './web-search-text.ts';

const WebSearchParams = SearchParams.extend({
  q: SearchParams.shape.q.describe('What to look for.'),
  time_range: SearchParams.shape.time_range.describe('Only pages crawled within this time.'),
  site: SearchParams.shape.site.describe('Only these domains and subdomains, with commas between.'),
  lang: SearchParams.shape.lang.describe('Only pages in this language, e.g. zh.'),
  lang_priority: SearchParams.shape.lang_priority.describe('Rank this language higher, hide none.'),
  limit: SearchParams.shape.limit.describe('Results.'),
  offset: SearchParams.shape.offset.describe('Results to skip.'),
  passages: integer(0, maxPassagesOfResult, 0, 1).describe('Passages of each local result.'),
});

const whose = untrusted('title, snippet, site_name, passages');

const WebSearchAnswer = z.object({
  untrusted: whose,
  ...SearchResponse.shape,
  results: z.array(
    SearchResult.extend({
      passages: z.array(z.object({ start: z.int().min(0), text: z.string() })).optional(),
    }),
  ),
  partial_matches: z
    // Loose, because repeating the fields of a result would cost every conversation about 300 tokens.
    .array(z.looseObject({ missing_words: z.array(z.string()) }).meta({ additionalProperties: true }))
    .optional()
    .describe('Like results: local pages that lack words of q, the nearest first; not in total.'),
  did_you_mean: z
    .string()
    .optional()
    .describe(
      'Only with few results or none: a query like yours that has more; search for it if it is what you meant.',
    ),
  notice: z
    .string()
    .optional()
    .describe(
      'Who could not be asked, so that no result is no proof that there is none; or which results were left out to keep the answer short; and what to do about it.',
    ),
});

/** `web_search`: the v1 search, with titles and snippets of one line each, and short enough for an agent's context. */
export const webSearch: Tool<typeof WebSearchParams, typeof WebSearchAnswer> = {
  name: 'web_search',
  title: 'Search the web',
  describe: describeWebSearch,
  input: WebSearchParams,
  otherNames: {
    query: 'q',
    search_query: 'q',
    question: 'q',
    prompt: 'q',
    keywords: 'q',
    max_results: 'limit',
    num_results: 'limit',
    count: 'limit',
    chunks: 'passages',
    snippets: 'passages',
    top_k: 'limit',
    language: 'lang',
    freshness: 'time_range',
    domain: 'site',
    sites: 'site',
    include_domains: 'site',
    allowed_domains: 'site',
  },
  understand: ({ exclude_domains: excluded, blocked_domains: blocked = excluded, ...args }) => {
    if (typeof blocked !== 'string' || typeof args.q !== 'string') return args;
    const domains = blocked.split(/[\s,]+/).filter((domain) => domain !== '');
    return { ...args, q: [args.q, ...domains.map((domain) => `-site:${domain}`)].join(' ') };
  },
  output: WebSearchAnswer,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  countsAs: 'search',
  // Each text that is read for passages costs what a tenth of a page of results does.
  tokens: (params) => searchTokens(params) + (params.passages > 0 ? Math.ceil(params.limit / 10) : 0),

  async handle(engine, { passages, ...params }, options) {
    const { mayAskExternal = () => true, onProgress = () => {}, ignored = [] } = options;
    onProgress('Searching the index');
    const { external, partial, ...response } = await engine.search(params, {
      ...options,
      partial: true,
      mayAskExternal: async () => {
        const isAllowed = await mayAskExternal();
        if (isAllowed) onProgress('Asking other search services');
        return isAllowed;
      },
    });
    const { total, results } = response;
    const partialMatches = partial?.matches ?? [];
    const notices = [
      externalNotice(external, total),
      total === 0 && engine.status().pages === 0 ? emptyIndexNotice : partialNotice(partial),
      ...queryNotices(params.q),
      ignoredNotice(ignored, WebSearchParams),
    ];
    const suggestion = total < fewResults ? await engine.didYouMean(params) : undefined;
    const around = {
      untrusted: whose.value,
      ...response,
      ...(suggestion !== undefined && { did_you_mean: oneLine(suggestion) }),
    };
    const frame = { ...around, notice: notices.join(' '), results: [], partial_matches: [] };
    const frameChars = JSON.stringify(frame).length;
    const both = [...results, ...partialMatches];
    const { results: fitted, leftOut } = fitResults(both, frameChars, params.limit);
    const leftOutNotice = leftOut > 0 ? tooLong(fitted.length, leftOut, params.offset) : undefined;
    const notice = [...notices, leftOutNotice].filter((each) => each !== undefined).join(' ');
    const partialFitted = fitted
      .slice(results.length)
      .map(({ missing_words = [], ...match }) => ({ ...match, missing_words }));
    const answer = {
      ...around,
      ...(notice !== '' && { notice }),
      results: fitted.slice(0, results.length),
      ...(partialFitted.length > 0 && { partial_matches: partialFitted }),
    };
    if (passages === 0) return answer;
    const ids = answer.results.flatMap(({ id, source }) => (source === 'local' ? [id] : []));
    const found = await passagesOfResults(engine, ids, {
      q: params.q,
      count: passages,
      answer: JSON.stringify(answer),
      signal: options.signal,
    });
    const withPassages = answer.results.map((result) => {
      const own = found.get(result.id);
      return own ? { ...result, passages: own } : result;
    });
    return { ...answer, results: withPassages };
  },
};

function tooLong(shown: number, leftOut: number, offset: number): string {
  return `Of this page's ${shown + leftOut} results the last ${leftOut} are left out, to keep the answer short: search again with offset ${offset + shown} for them.`;
}
