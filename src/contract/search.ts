import { z } from 'zod';
import { Highlights } from './highlights.ts';
import { knownTimeRange, timeRanges } from './time-range.ts';

/** Reads an empty value as one that was not given: forms and query strings send it for both. */
export const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

/** Accepts up to `maxDigits` digits as text, from a query string or from a model; nothing else is coerced. */
export const integer = (min: number, max: number, fallback: number, maxDigits = 4) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' && /^\d+$/.test(value) && value.length <= maxDigits ? Number(value) : value,
    z.int().min(min).max(max).default(fallback),
  );

/** The syntax of BCP 47, with `_` allowed for `-`. A name such as `english` would match nothing and is refused. */
export const languageCode = orAbsent(
  z
    .string()
    .max(35)
    .trim()
    .regex(/^\s*([A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*)?\s*$/, 'must be a language code, e.g. en or zh')
    .optional(),
);

/** A character of a host name: letter, digit, hyphen, underscore or non-ASCII. `hostLetter` excludes digits. */
const hostCharacter = '[^\\s\\x00-,./:-@\\[-\\^`{-\\x7f]';
const hostLetter = '[^\\s\\x00-,.-@\\[-\\^`{-\\x7f]';
const hostName = `(?:${hostCharacter}+\\.)*[0-9]*${hostLetter}${hostCharacter}*`;
const octet = '(?:25[0-5]|2[0-4][0-9]|1?[1-9]?[0-9])';
const ipv4 = `(?:${octet}\\.){3}${octet}`;
const ipv6 = '\\[[0-9A-Fa-f:.]+\\]';

const siteHost = `(?:(?:[A-Za-z][A-Za-z0-9+.-]*:)?//)?(?:[^/?#\\s,]*@)?[*.]*(?:(?:${hostName}|${ipv4})\\.?|${ipv6})(?::[0-9]{1,5})?`;

/**
 * The syntax of `site`: a host in any form in which people copy it, or several with spaces or commas between, the last one
 * with an optional path, in which more may follow. A name whose last label is a number is invalid (WHATWG URL, host parsing).
 * Names that IDNA refuses cannot be excluded by a pattern. No two parts can match the same character, so that matching takes
 * linear time.
 */
const site = new RegExp(`^\\s*(?:${siteHost}(?:[\\s,]+${siteHost})*(?:[/?#][\\s\\S]*)?)?\\s*$`);

const siteParameter = orAbsent(
  z.string().trim().max(2048).regex(site, 'must be a domain, e.g. example.com').optional(),
);

/** Maximum of `offset`. */
export const maxOffset = 990;
export const maxQueryCodePoints = 2048;
/** Maximum results per page. */
export const maxLimit = 100;

/** The parameters of a search, v1. HTTP and MCP parse with this same object. */
export const SearchParams = z.object({
  q: z
    .string()
    .refine((q) => q.trim() !== '', 'must hold at least one word')
    .refine((q) => [...q].length <= maxQueryCodePoints, `must be at most ${maxQueryCodePoints} characters`)
    .meta({ minLength: 1, maxLength: maxQueryCodePoints })
    .describe(
      'What to look for. All words must match. Operators: "exact phrase", -word, A OR B, site:example.com, intitle:word, filetype:pdf|doc|ppt|xls.',
    ),
  limit: integer(1, maxLimit, 10).describe('How many results to return.'),
  offset: integer(0, maxOffset, 0).describe('How many results to skip, for the next page of results.'),
  lang: languageCode.describe('Only pages in this language, e.g. zh or en.'),
  time_range: z
    .preprocess((value) => (value === '' ? undefined : knownTimeRange(value)), z.enum(timeRanges).optional())
    .describe(
      'Only pages that were crawled within this time; other services are asked with their nearest filter.',
    ),
  site: siteParameter.describe(
    'Only pages of this domain and its subdomains, e.g. docs.python.org; of any of several with commas between.',
  ),
  lang_priority: languageCode.describe(
    'Rank pages in this language higher, without hiding the others, e.g. zh.',
  ),
});
export type SearchParams = z.infer<typeof SearchParams>;

/** ISO 8601 in UTC. The format is declared but not validated: the times are our own. */
export const isoTimestamp = z.string().meta({ format: 'date-time' });

/** One search result. */
export const SearchResult = z.object({
  id: z.string().describe('Page id, by which the full text is read; empty for external results.'),
  url: z.string().describe('Page address.'),
  title: z.string().describe('Page title.'),
  snippet: z.string().describe('Plain text excerpt, one line.'),
  domain: z.string().describe('Domain of the page.'),
  site_name: z.string().optional().describe('Display name of the site, when known.'),
  lang: z.string().describe('Language code, e.g. zh or en; und if it is unknown.'),
  score: z.number().describe('Relevance, in four digits; comparable within one answer.'),
  source: z.enum(['local', 'external']).describe('local: from our own index. external: from the web.'),
  has_llms_txt: z.boolean().describe('Whether the site is known to provide an llms.txt.'),
  published_at: isoTimestamp.nullable().optional().describe('When the page was published, ISO 8601, UTC.'),
  crawled_at: isoTimestamp.describe('When the page was crawled, ISO 8601, UTC.'),
});
export type SearchResult = z.infer<typeof SearchResult>;

/** A page that lacks some words of the query. */
export const PartialMatch = SearchResult.extend({
  missing_words: z
    .array(z.string())
    .describe('The words of q that the page does not hold, as they were typed.'),
});
export type PartialMatch = z.infer<typeof PartialMatch>;

/** The answer to a search. */
export const SearchResponse = z.object({
  total: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('How many results match in all.'),
  took_ms: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('Milliseconds that the search took.'),
  results: z.array(SearchResult).describe('At most limit of them, the best first.'),
});
export type SearchResponse = z.infer<typeof SearchResponse>;

/** The parameters of a search over HTTP: those of v1, `partial` and `highlights`. */
export const HttpSearchParams = SearchParams.extend({
  partial: orAbsent(z.enum(['true', 'false']).optional()).describe(
    'With true, pages that hold most words of q come in partial_matches, for what results leave free.',
  ),
  highlights: orAbsent(z.enum(['true', 'false']).optional()).describe(
    'With true, each result says where it matches, in highlights.',
  ),
});

const highlights = Highlights.optional().describe(
  'Only with highlights=true: title and snippet in segments, with those that match.',
);

/** A result over HTTP; it has highlights only on request. */
export const HttpSearchResult = SearchResult.extend({ highlights });
export type HttpSearchResult = z.infer<typeof HttpSearchResult>;

/** A partial match over HTTP; it has highlights only on request. */
export const HttpPartialMatch = PartialMatch.extend({ highlights });
export type HttpPartialMatch = z.infer<typeof HttpPartialMatch>;

/** The answer over HTTP; it has partial matches and highlights only on request. */
export const HttpSearchResponse = SearchResponse.extend({
  results: z.array(HttpSearchResult).describe('At most limit of them, the best first.'),
  partial_matches: z
    .array(HttpPartialMatch)
    .optional()
    .describe(
      'Only with partial=true: local pages that lack some words of q, those that hold most first. They are not counted in total.',
    ),
  did_you_mean: z
    .string()
    .optional()
    .describe('Only with partial=true, and with few results: q as it was probably meant.'),
});
export type HttpSearchResponse = z.infer<typeof HttpSearchResponse>;
