import { z } from 'zod';

/** A text that may be missing. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** Far more than any provider returns on a page. */
const maxRows = 1000;

/**
 * The valid rows of a list; invalid ones are dropped. Undefined for a value that is no list, and for a list with rows of
 * which none is valid: then the whole answer is malformed.
 */
export function readRows<Row>(schema: z.ZodType<Row>, rows: unknown): Row[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const valid = rows.slice(0, maxRows).flatMap((row) => schema.safeParse(row).data ?? []);
  return valid.length === 0 && rows.length > 0 ? undefined : valid;
}
