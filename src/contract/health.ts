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
});
export type Ready = z.infer<typeof Ready>;
