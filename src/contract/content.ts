import { z } from 'zod';
import { isoTimestamp } from './search.ts';

/** The full text of a page with its metadata. */
export const ContentRecord = z.object({
  id: z.string().describe('Page id.'),
  url: z.string().describe('Page address.'),
  title: z.string().describe('Page title.'),
  body_text: z.string().describe('The whole main text.'),
  author: z.string().nullable().describe('Author, when known.'),
  published_at: isoTimestamp.nullable().describe('When the page was published, ISO 8601, UTC.'),
  lang: z.string().describe('Language code; und if it is unknown.'),
  word_count: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('Words of the text.'),
  crawled_at: isoTimestamp.describe('When the page was crawled, ISO 8601, UTC.'),
  has_llms_txt: z.boolean().describe('Whether the site is known to provide an llms.txt.'),
});
export type ContentRecord = z.infer<typeof ContentRecord>;
