import { z } from 'zod';

/** The full text of a page and what is known about it (spec section 2.3). */
export const ContentRecord = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  body_text: z.string(),
  author: z.string().nullable(),
  published_at: z.string().nullable().describe('ISO 8601, UTC.'),
  lang: z.string(),
  word_count: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  crawled_at: z.string().describe('ISO 8601, UTC.'),
  has_llms_txt: z.boolean(),
});
export type ContentRecord = z.infer<typeof ContentRecord>;
