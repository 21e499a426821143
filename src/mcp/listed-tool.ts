import { z } from 'zod';
import type { ServerFacts } from '../../tools/server-facts.ts';
import type { Tool } from '../../tools/tool.ts';

type ObjectSchema = { type: 'object'; [keyword: string]: unknown };

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: Tool['annotations'];
  _meta?: Record<string, unknown>;
}

/**
 * The SDKs' own handlers would send other dialects of schemas, and version 1 an `execution` member. Every conversation pays
 * for what stands here, so what a model does not need is left out: no icons (the server has one), and of answers the names
 * and types.
 */
export function listedTool(tool: Tool, server: ServerFacts): ListedTool {
  const { name, title, annotations, input, output, meta } = tool;
  return {
    name,
    title,
    description: tool.describe(server),
    inputSchema: jsonSchema(input, 'input'),
    outputSchema: bareTypes(jsonSchema(output, 'output')),
    annotations,
    ...(meta && { _meta: { ...meta } }),
  };
}

/** A longer pattern costs a model more tokens than it helps: the description says the same. */
const maxPatternChars = 100;

/**
 * JSON Schema 2020-12 without `$ref`. `$schema` is left out: it is the default of MCP (specification 2025-11-25,
 * basic/index), and older clients fail on a dialect that their validator does not support.
 */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    override: ({ jsonSchema: each }) => {
      if ((each.pattern?.length ?? 0) > maxPatternChars) delete each.pattern;
    },
  });
  return oneTypeEach(rest) as ObjectSchema;
}

/** Nullable types become `anyOf`: clients that pass schemas to a model may support a single `type` only. */
function oneTypeEach(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(oneTypeEach);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, ...rest } = schema as { readonly type?: unknown };
  const inner = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, oneTypeEach(value)]));
  if (type === undefined) return inner;
  return Array.isArray(type) ? { anyOf: type.map((each) => ({ type: each })), ...inner } : { type, ...inner };
}

/** Keywords of an output schema that a reader of answers can do without. */
const withoutNeed = new Set(['description', 'minimum', 'maximum', 'format', 'const', 'required']);

/**
 * A schema that our answers satisfy, of names and types alone; only the outermost object says which fields are always there.
 */
function bareTypes(schema: ObjectSchema): ObjectSchema {
  const bare = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return node;
    const { properties, anyOf, additionalProperties, ...rest } = node as Record<string, unknown>;
    if (Array.isArray(anyOf)) return { anyOf: anyOf.map(bare) };
    const kept = Object.entries(rest).filter(([keyword]) => !withoutNeed.has(keyword));
    const own = Object.entries((properties ?? {}) as object).map(([name, each]) => [name, bare(each)]);
    return {
      ...Object.fromEntries(kept.map(([keyword, value]) => [keyword, bare(value)])),
      ...(properties !== undefined && { properties: Object.fromEntries(own) }),
    };
  };
  const { required, additionalProperties } = schema;
  return { ...(bare(schema) as ObjectSchema), required, additionalProperties };
}
