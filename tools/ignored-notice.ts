import type { z } from 'zod';

const maxNamed = 5;
const maxName = 40;
/** A name that says nothing but itself: anything may stand in an argument's name. */
const plainName = /^[\w.-]+$/;

/** Which arguments were ignored, and what there is instead; undefined for none. */
export function ignoredNotice(ignored: readonly string[], input: z.ZodObject): string | undefined {
  const named = ignored.filter((name) => plainName.test(name) && name.length <= maxName).slice(0, maxNamed);
  if (named.length === 0) return undefined;
  return `Not known and ignored: ${named.join(', ')}. The parameters are ${Object.keys(input.shape).join(', ')}.`;
}
