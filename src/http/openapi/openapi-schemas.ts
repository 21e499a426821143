import { z } from 'zod';
import { ContentRecord } from '../../contract/content.ts';
import { Health, Ready } from '../../contract/health.ts';
import { Problem } from '../../contract/problem.ts';
import { HttpSearchParams, HttpSearchResponse, PartialMatch, SearchResult } from '../../contract/search.ts';

/** A JSON Schema (2020-12), or a reference to one. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  /** Whether `name=` means that the parameter is absent. */
  readonly allowEmptyValue?: boolean;
}

const published = {
  SearchResponse: HttpSearchResponse,
  SearchResult,
  PartialMatch,
  ContentRecord,
  Health,
  Ready,
  Problem,
};
export type SchemaName = keyof typeof published;

export function schemaReference(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * The contract's response schemas as OpenAPI components. They allow further fields, so that a later version can add one
 * without breaking a client that validates.
 */
export function componentSchemas(): Record<SchemaName, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(published)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const bare = Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]);
  return Object.fromEntries(bare);
}

/** The parameters of a search as they appear in a URL, where `name=` may mean that one is absent. */
export function searchParameters(examples: Readonly<Record<string, unknown>>): Parameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(HttpSearchParams, { io: 'input' });
  return Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, { description = '', ...schema }]) => {
      const mayBeEmpty = HttpSearchParams.safeParse({ q: 'q', [name]: '' }).success;
      return {
        name,
        in: 'query',
        required: required.includes(name),
        description,
        schema: mayBeEmpty && schema.enum ? { ...schema, enum: [...schema.enum, ''] } : schema,
        ...(mayBeEmpty && { allowEmptyValue: true }),
        ...(name in examples && { example: examples[name] }),
      };
    },
  );
}
