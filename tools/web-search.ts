import { z } from 'zod';
import { integer, SearchParams, SearchResponse, SearchResult } from '../src/contract/search.ts';
import { searchTokens } from '../src/engine/search-tokens.ts';
import type { Tool } from './tool.ts';
import { untrusted } from './untrusted.ts';
import { describeWebSearch } from './web-search-text.ts';

/** The most passages of one result. */
const maxPassagesOfResult = 5;

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

  async handle(engine, params, options) {
    // Loaded by the first call: clients wait for the start.
    const { answerSearch } = await import('./answers/search-answer.ts');
    return answerSearch(engine, params, { ...options, untrusted: whose.value, schema: WebSearchParams });
  },
};
