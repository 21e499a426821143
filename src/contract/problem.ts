import { z } from 'zod';

/** The body of every error over HTTP: problem details (RFC 9457), with our own members after the first four. */
export const Problem = z.object({
  type: z.string().describe('A URI that names the kind of problem, e.g. urn:gleaner:error:not_found.'),
  title: z.string().describe('The kind of problem in a few words; the same for every problem of its type.'),
  status: z.int().min(400).max(599).describe('The HTTP status.'),
  detail: z.string().describe('What was wrong this time, and what to do about it.'),
  errors: z
    .array(z.object({ parameter: z.string(), message: z.string() }))
    .optional()
    .describe('With 400: every bad parameter and what is wrong with it.'),
  retry_after_seconds: z
    .int()
    .min(1)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('With 429 and 503: how long to wait; the same as the Retry-After header.'),
  request_id: z.string().optional().describe('With 500: the X-Request-Id under which it was logged.'),
});
export type Problem = z.infer<typeof Problem>;
