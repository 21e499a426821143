import { z } from 'zod';
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
  icons: { src: string; mimeType: string; sizes: string[] }[];
  _meta?: Record<string, unknown>;
}

/** The SDKs' own handlers would send other dialects of schemas, and version 1 an `execution` member and no icons. */
export function listedTool(tool: Tool): ListedTool {
  const { name, title, icon, description, annotations, input, output, meta } = tool;
  return {
    name,
    title,
    description,
    inputSchema: jsonSchema(input, 'input'),
    outputSchema: jsonSchema(output, 'output'),
    annotations,
    icons: [{ src: icon, mimeType: 'image/svg+xml', sizes: ['any'] }],
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
