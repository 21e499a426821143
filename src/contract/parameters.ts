import { z } from 'zod';
import { invalidParameters, type ParameterError } from './errors.ts';

type Issue = z.core.$ZodIssue;
type Property = z.core.JSONSchema.BaseSchema;

/** Parses untrusted parameters. `earlierErrors` are errors that the caller has already detected. */
export type ParameterReader<Schema extends z.ZodObject> = (
  given: Readonly<Record<string, unknown>>,
  earlierErrors?: readonly ParameterError[],
) => z.output<Schema>;

/**
 * Creates the reader of one schema. It throws `invalid_parameters` with one error per invalid parameter, described by
 * the schema's own bounds. Parameters that the schema does not define are ignored.
 */
export function createParameterReader<Schema extends z.ZodObject>(schema: Schema): ParameterReader<Schema> {
  let properties: Record<string, Property> | undefined;
  const propertyOf = (parameter: string): Property => {
    properties ??= z.toJSONSchema(schema, { io: 'input' }).properties as Record<string, Property>;
    return properties[parameter] ?? {};
  };

  return (given, earlierErrors = []) => {
    const parsed = schema.safeParse(given);
    if (parsed.success && earlierErrors.length === 0) return parsed.data;

    const errors = new Map(earlierErrors.map((error) => [error.parameter, error.message]));
    for (const issue of parsed.error?.issues ?? []) {
      const parameter = String(issue.path[0]);
      if (errors.has(parameter)) continue;
      errors.set(parameter, describeIssue(issue, given[parameter], propertyOf(parameter)));
    }
    throw invalidParameters([...errors].map(([parameter, message]) => ({ parameter, message })));
  };
}

function describeIssue(issue: Issue, value: unknown, property: Property): string {
  if (issue.code === 'custom' || issue.code === 'invalid_format') return issue.message;
  if (value === undefined) return 'is required';
  if (property.enum) return `must be one of ${property.enum.join(', ')}`;
  if (property.type === 'integer')
    return `must be an integer from ${property.minimum} to ${property.maximum}`;
  if (property.type !== 'string') return issue.message;
  return issue.code === 'too_big' ? `must be at most ${issue.maximum} characters` : 'must be a string';
}
