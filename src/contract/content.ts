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
  published_day: z
    .string()
    .optional()
    .describe('The day of publication where the page is, YYYY-MM-DD; only if it is another one than in UTC.'),
  lang: z.string().describe('Language code; und if it is unknown.'),
  word_count: z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('Words of the text.'),
  crawled_at: isoTimestamp.describe('When the page was crawled, ISO 8601, UTC.'),
  has_llms_txt: z.boolean().describe('Whether the site is known to provide an llms.txt.'),
});
export type ContentRecord = z.infer<typeof ContentRecord>;

/** Parameters of the content of a page over HTTP. */
export const ContentParams = z.object({
  format: z
    .preprocess((value) => (value === '' ? undefined : value), z.enum(['text', 'markdown']).default('text'))
    .describe(
      'markdown: body_text with headings, lists, tables, code and absolute links, and outline beside it.',
    ),
});

export const OutlineEntry = z.object({
  level: z.int().min(1).max(6).describe('1 to 6.'),
  title: z.string(),
  start: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .describe('Where its section begins: an offset in body_text, in UTF-16 units.'),
});

/** A heading of a text. */
export type OutlineEntry = z.infer<typeof OutlineEntry>;

/** The answer over HTTP; more than the record only with `format=markdown`. */
export const HttpContentRecord = ContentRecord.extend({
  format: z.literal('markdown').optional().describe('Only with format=markdown.'),
  outline: z.array(OutlineEntry).optional().describe('Only with format=markdown: the headings, in order.'),
  notice: z
    .string()
    .optional()
    .describe(
      'Only with format=markdown: that the structure of the page is not known, and body_text is plain.',
    ),
});
export type HttpContentRecord = z.infer<typeof HttpContentRecord>;
