import { z } from 'zod';
import { maxLimit, SearchParams } from './search.ts';

/** Addresses of one request; Open WebUI sends 20 (open-webui, retrieval/loaders/external_web.py, `batch_size`). */
const maxUrlsAtOnce = 20;
/** A longer address is not one of a page. */
const maxUrlLength = 2048;

/** What Open WebUI sends to an external search engine (open-webui, retrieval/web/external.py). */
export const OpenWebUiQuery = z.object({
  query: SearchParams.shape.q.describe('What to look for, in the query language of this service.'),
  count: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .default(10)
    .transform((count) => Math.min(count, maxLimit))
    .describe(`How many results to return; more than ${maxLimit} count as ${maxLimit}.`),
});
export type OpenWebUiQuery = z.infer<typeof OpenWebUiQuery>;

/** What it expects as an answer. */
export const OpenWebUiResults = z.array(
  z.object({
    link: z.string().describe('Page address.'),
    title: z.string().describe('Page title.'),
    snippet: z.string().describe('Plain text excerpt, one line.'),
  }),
);
export type OpenWebUiResults = z.infer<typeof OpenWebUiResults>;

/** What Open WebUI sends to an external web loader (the file above). */
export const OpenWebUiUrls = z.object({
  urls: z
    .array(z.string().max(maxUrlLength))
    .min(1)
    .max(maxUrlsAtOnce)
    .describe('Addresses of pages, as results give them.'),
});
export type OpenWebUiUrls = z.infer<typeof OpenWebUiUrls>;

/** What it expects as an answer: documents in the form of LangChain. */
export const OpenWebUiDocuments = z.array(
  z.object({
    page_content: z.string().describe('The whole text of the page, without invisible characters.'),
    metadata: z
      .object({
        source: z.string().describe('The address that was asked for.'),
        title: z.string().describe('Page title.'),
        language: z.string().describe('Language code; und if it is unknown.'),
        author: z.string().optional().describe('Author, when known.'),
        published_at: z.string().optional().describe('When the page was published, ISO 8601, when known.'),
        crawled_at: z.string().describe('When the page was crawled, ISO 8601.'),
        notice: z.string().optional().describe('Why this is an older copy, where it is one.'),
      })
      .describe('About the page.'),
  }),
);
export type OpenWebUiDocuments = z.infer<typeof OpenWebUiDocuments>;
