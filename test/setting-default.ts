import { z } from 'zod';

/** The default of a setting as it is written where it is parsed, else as it is; undefined where there is none. */
export function settingDefault(schema: z.ZodType): unknown {
  const { default: written } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return written ?? schema.safeParse(undefined).data;
}
