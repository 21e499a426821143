import { z } from 'zod';

/** What a parser of an SDK says of a request that violates its schemas. */
const Issues = z
  .array(
    z.object({
      path: z.array(z.union([z.string(), z.number()])),
      message: z.string(),
      code: z.string(),
      expected: z.string().optional(),
    }),
  )
  .min(1);

/** The issues of an SDK's error message, which are JSON at its end, in words; undefined for other text. */
export function describeIssues(text: string): string | undefined {
  let dump: unknown;
  try {
    dump = JSON.parse(text.slice(Math.max(text.indexOf('['), 0)));
  } catch {
    return undefined;
  }
  const issues = Issues.safeParse(dump);
  return issues.data?.map(describeIssue).join('; ');
}

const kinds: Readonly<Record<string, string>> = {
  record: 'an object, such as {"name": "value"}',
  object: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
};

function describeIssue({ path, message, expected = '' }: z.infer<typeof Issues>[number]): string {
  const kind = kinds[expected];
  return `${path.join('.')} ${kind === undefined ? `is wrong (${message})` : `must be ${kind}`}`;
}
