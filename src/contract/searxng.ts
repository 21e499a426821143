import { z } from 'zod';
import { languageCode, orAbsent, SearchParams } from './search.ts';

/** Where searches are answered in the form of SearXNG, and where the search page for people is. */
export const searchPath = '/search';
/** Results of one page; SearXNG has no parameter for it. They cost one token of fair use. */
export const searxngPageSize = 20;

const optional = <Schema extends z.ZodType>(schema: Schema) => orAbsent(schema.optional());

/** The parameters of SearXNG's search API (docs.searxng.org, dev/search_api) that have a meaning here. */
export const SearxngParams = z.object({
  q: SearchParams.shape.q.describe('What to look for, in the query language of this service.'),
  format: optional(z.enum(['json', 'html'])).describe(
    'json for an answer; html, or none, is the search page for people.',
  ),
  categories: optional(z.string().max(200)).describe(
    'Names with commas between. Web pages are searched for any of them; with images, videos, music, files or map alone there is no result.',
  ),
  language: z
    .preprocess((value) => (value === 'all' || value === 'auto' ? undefined : value), languageCode)
    .describe('Pages in this language rank higher, e.g. en or de-CH; all and auto prefer none.'),
  time_range: optional(z.enum(['day', 'week', 'month', 'year'])).describe(
    'Only pages that were crawled within this time.',
  ),
  pageno: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : value || undefined),
      z.int().min(1).max(9999).default(1),
    )
    .describe(`Which page of ${searxngPageSize} results.`),
  safesearch: optional(z.enum(['0', '1', '2'])).describe('Taken and without effect: pages are not rated.'),
});
export type SearxngParams = z.infer<typeof SearxngParams>;

const names = z.array(z.string());

/** A result as SearXNG writes it (searxng, searx/result_types/_base.py, `MainResult`). */
export const SearxngResult = z.object({
  url: z.string().describe('Page address.'),
  title: z.string().describe('Page title.'),
  content: z.string().describe('Plain text excerpt, one line.'),
  publishedDate: z.string().nullable().describe('When the page was published, ISO 8601 with offset.'),
  thumbnail: z.literal('').describe('Always empty.'),
  engine: z.enum(['gleaner', 'external']).describe('gleaner: the own index. external: another service.'),
  template: z.literal('default.html').describe('The template of SearXNG for web pages.'),
  parsed_url: z
    .array(z.string())
    .length(6)
    .describe('Scheme, host with port, path, parameters (always empty), query, fragment.'),
  img_src: z.literal('').describe('Always empty.'),
  priority: z.literal('').describe('Always empty.'),
  engines: names.describe('The engine, as a list.'),
  positions: z.array(z.int()).describe('The place of the result on its page, from 1, as a list.'),
  score: z.number().describe('Relevance; never rises from one result to the next.'),
  category: z.literal('general').describe('The category of web pages.'),
});
export type SearxngResult = z.infer<typeof SearxngResult>;

/** An answer as SearXNG writes it (searxng, searx/webutils.py, `get_json_response`). */
export const SearxngResponse = z.object({
  query: z.string().describe('q as it was given.'),
  number_of_results: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('How many results match in all.'),
  results: z
    .array(SearxngResult)
    .describe('The best first. Pages that lack words of q follow where a page of results is not full.'),
  answers: names.describe('Always empty.'),
  corrections: names.describe('q as it was probably meant, where few pages match.'),
  infoboxes: names.describe('Always empty.'),
  suggestions: names.describe('The same as corrections: clients read the one or the other.'),
  unresponsive_engines: z
    .array(z.array(z.string()).length(2))
    .describe('Pairs of an external service that could not be asked, and why.'),
});
export type SearxngResponse = z.infer<typeof SearxngResponse>;
