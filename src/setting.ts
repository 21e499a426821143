import { z } from 'zod';

/** A setting of the service: a text that a user writes, and the value that is read from it. */
export interface Setting<Value> {
  /** What it does, for the documentation. */
  readonly about: string;
  /** Makes the schema of its text. All schemas together would take a seventh of a start, and few settings are set. */
  readonly schema: () => z.ZodType<Value, string>;
  /** The value when it is not set. */
  readonly fallback: Value;
  /** The fallback as a user would write it; undefined where there is none to write. */
  readonly written: string | undefined;
}

/** A setting that is undefined when it is not set. */
export function defineSetting<Value>(
  about: string,
  schema: () => z.ZodType<Value, string>,
): Setting<Value | undefined>;
/**
 * A setting with a fallback. One that is written otherwise than `String(fallback)` comes with its text.
 *
 *     GLEANER_PORT: defineSetting('Port that `serve` listens on.', port, 8080)
 *     GLEANER_SEARCH_LIMIT: defineSetting('Rate limit of searches.', rate, { perMinute: 60, burst: 20 }, '60/20')
 */
export function defineSetting<Value>(
  about: string,
  schema: () => z.ZodType<Value, string>,
  fallback: Value,
  written?: string,
): Setting<Value>;
export function defineSetting<Value>(
  about: string,
  schema: () => z.ZodType<Value, string>,
  fallback?: Value,
  written = fallback === undefined || fallback === false ? undefined : String(fallback),
): Setting<Value | undefined> {
  return { about, schema, fallback, written };
}

type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The values of some settings. */
export type SettingValues<Group extends Settings> = {
  readonly [Name in keyof Group]: Group[Name] extends Setting<infer Value> ? Value : never;
};

/** A setting that has a wrong value. */
export interface SettingError {
  readonly setting: string;
  readonly message: string;
}

/** The values of `settings` where these texts are given. `wrong` says which texts mean nothing, and never shows them. */
export function readSettings<Group extends Settings>(
  settings: Group,
  given: Readonly<Record<string, string>>,
): { readonly values: SettingValues<Group>; readonly wrong: readonly SettingError[] } {
  const wrong: SettingError[] = [];
  const values = Object.entries(settings).map(([name, { schema, fallback }]) => {
    const text = given[name];
    if (text === undefined) return [name, fallback];
    const read = schema().safeParse(text);
    for (const { message } of read.error?.issues ?? []) wrong.push({ setting: name, message });
    return [name, read.data];
  });
  return { values: Object.fromEntries(values) as SettingValues<Group>, wrong };
}

/**
 * Reads a whole number from `min` to `max`. The text has at most `digits` digits, and may begin with zeros. `message` is the
 * error for any other text.
 */
export const wholeNumber = (
  {
    min = 0,
    max,
    digits = String(max).length,
  }: { readonly min?: number; readonly max: number; readonly digits?: number },
  message: string,
) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`), message)
    .transform(Number)
    .refine((number) => number >= min && number <= max, message);
