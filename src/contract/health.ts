import { z } from 'zod';

/** The answer of `/healthz`: the process is alive and its event loop runs. */
export const Health = z.object({ status: z.literal('ok') });

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The answer of `/readyz`: searches are served. */
export const Ready = z.object({
  status: z.literal('ready'),
  pages: count.describe('Pages in the data folder.'),
  searchable: count.describe('Pages that can be found now.'),
  providers: z
    .record(z.string(), z.string())
    .describe('How each configured outside search is doing; a failing one makes nothing unready.'),
  storage: z
    .string()
    .optional()
    .describe('Why nothing can be stored now, such as a full disk; missing while all is well.'),
  index: z
    .object({
      feed: z
        .string()
        .describe(
          'What becomes of changes: `sending`, `reading` (another process sends), `waiting`, `starting` or `stopped`.',
        ),
      lag: count.describe('Changes that the cluster does not have yet.'),
      failed: count.describe('Pages that can never be indexed as they are.'),
      problem: z.string().optional().describe('What is wrong now; missing while all is well.'),
    })
    .optional()
    .describe('The cluster that has the index; missing for the index in the data folder.'),
});
export type Ready = z.infer<typeof Ready>;
