import type { Context } from 'hono';
import type { z } from 'zod';
import { ServiceError } from '../../../contract/errors.ts';
import { createParameterReader } from '../../../contract/parameters.ts';
import type { HttpEnv } from '../../http-env.ts';

/** The fields of a form that were filled in, and its file. */
export interface SentForm<Schema extends z.ZodObject> {
  readonly fields: z.output<Schema>;
  readonly file: File | undefined;
}

/**
 * Reads a form that was sent by POST. Throws `invalid_parameters` for what is no form, and for each wrong field. The size of a
 * body is limited before.
 */
export async function readForm<Schema extends z.ZodObject>(
  c: Context<HttpEnv>,
  schema: Schema,
): Promise<SentForm<Schema>> {
  let body: Record<string, string | File>;
  try {
    body = await c.req.parseBody();
  } catch {
    throw new ServiceError('invalid_parameters', 'this is not the body of a form');
  }
  const filled: Record<string, string> = {};
  let file: File | undefined;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') file ??= value;
    else if (value.trim() !== '') filled[name] = value;
  }
  return { fields: createParameterReader(schema)(filled), file };
}
