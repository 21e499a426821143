import type { z } from 'zod';
import type { CallOptions } from '../tool.ts';

/** What an answer needs of its tool. */
export interface AnswerOptions<Untrusted> extends CallOptions {
  /** Which fields of the answer are quoted from the web. */
  readonly untrusted: Untrusted;
  /** The parameters that the tool knows. */
  readonly schema: z.ZodObject;
}
