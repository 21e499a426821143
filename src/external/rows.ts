import { z } from 'zod';

/** A text that may be missing. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** Far more than any provider has on a page. */
const maxRows = 1000;

/**
 * The rows that have the documented form; the others are left out. Undefined when it is no list, or a list in which
 * no row has it: then it is the answer that is odd.
 */
export function readRows<Row>(schema: z.ZodType<Row>, rows: unknown): Row[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const read = rows.slice(0, maxRows).flatMap((row) => schema.safeParse(row).data ?? []);
  return read.length === 0 && rows.length > 0 ? undefined : read;
}
