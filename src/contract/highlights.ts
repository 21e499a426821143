import { z } from 'zod';

/** A stretch of a text, and whether it matches the query. */
export const HighlightSegment = z.object({
  text: z.string().describe('Plain text, never markup.'),
  match: z.boolean().describe('Whether it is a word of q, in any form that the index finds.'),
});
export type HighlightSegment = z.infer<typeof HighlightSegment>;

/** Where a result matches. The segments of a field, joined, are the field. */
export const Highlights = z.object({
  title: z.array(HighlightSegment).describe('The title in segments.'),
  snippet: z.array(HighlightSegment).describe('The snippet in segments.'),
});
export type Highlights = z.infer<typeof Highlights>;
