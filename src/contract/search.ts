import { z } from 'zod';

/** Digits from a query string or from a model that sends numbers as text; nothing else is coerced. */
const integer = (min: number, max: number, fallback: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max).default(fallback),
  );

/** `lang=` with nothing after it means that it was not given. */
const optionalWord = (maxLength: number) =>
  z.preprocess((value) => (value === '' ? undefined : value), z.string().trim().max(maxLength).optional());

export const maxQueryCodePoints = 512;

export const timeRanges = ['1d', '7d', '30d', '1y', 'all'] as const;

/** The parameters of a search, v1 (spec section 4.1). HTTP and MCP parse with this very object. */
export const SearchParams = z.object({
  q: z
    .string()
    .refine((q) => q.trim() !== '', 'must hold at least one word')
    .refine((q) => [...q].length <= maxQueryCodePoints, `must be at most ${maxQueryCodePoints} characters`)
    .describe(
      'What to look for. All words must match. Operators: "exact phrase", -word, A OR B, site:example.com, intitle:word, filetype:pdf|doc|ppt|xls.',
    ),
  limit: integer(1, 100, 10).describe('How many results to return.'),
  offset: integer(0, 990, 0).describe('How many results to skip, for the next page of results.'),
  lang: optionalWord(35).describe('Only pages in this language, e.g. zh or en.'),
  time_range: z
    .preprocess((value) => (value === '' ? undefined : value), z.enum(timeRanges).optional())
    .describe('Only pages that were crawled within this time.'),
  site: optionalWord(2048).describe('Only pages of this domain and its subdomains, e.g. docs.python.org.'),
  lang_priority: optionalWord(35).describe(
    'Rank pages in this language higher, without hiding the others, e.g. zh.',
  ),
});
export type SearchParams = z.infer<typeof SearchParams>;

const timestamp = (text: string) => z.string().describe(`${text} ISO 8601, UTC.`);

/** One search result (spec section 2.2). */
export const SearchResult = z.object({
  id: z.string().describe('Page id for fetch_content; empty for external results.'),
  url: z.string(),
  title: z.string(),
  snippet: z.string().describe('Plain text excerpt, one line.'),
  domain: z.string(),
  site_name: z.string().optional(),
  lang: z.string(),
  score: z.number(),
  source: z.enum(['local', 'external']).describe('local: from our own index. external: from the web.'),
  has_llms_txt: z.boolean(),
  published_at: z.string().nullable().optional().describe('ISO 8601, UTC.'),
  crawled_at: timestamp('When the page was crawled.'),
});
export type SearchResult = z.infer<typeof SearchResult>;

/** The answer to a search (spec section 2.1). */
export const SearchResponse = z.object({
  total: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('How many results match in all.'),
  took_ms: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  results: z.array(SearchResult),
});
export type SearchResponse = z.infer<typeof SearchResponse>;
