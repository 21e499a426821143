import { z } from 'zod';
import { HttpContentRecord, OutlineEntry } from '../../contract/content.ts';
import { Health, Ready } from '../../contract/health.ts';
import { HighlightSegment, Highlights } from '../../contract/highlights.ts';
import {
  OpenWebUiDocuments,
  OpenWebUiQuery,
  OpenWebUiResults,
  OpenWebUiUrls,
} from '../../contract/open-webui.ts';
import { Problem } from '../../contract/problem.ts';
import { HttpPartialMatch, HttpSearchResponse, HttpSearchResult } from '../../contract/search.ts';
import { SearxngResponse, SearxngResult } from '../../contract/searxng.ts';
import { HostReport, StatusReport } from '../../contract/status-report.ts';
import { Suggestions } from '../../contract/suggestions.ts';

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
  SearchResult: HttpSearchResult,
  PartialMatch: HttpPartialMatch,
  Highlights,
  HighlightSegment,
  ContentRecord: HttpContentRecord,
  OutlineEntry,
  Health,
  Ready,
  StatusReport,
  HostReport,
  Problem,
  SearxngResponse,
  SearxngResult,
  Suggestions,
  OpenWebUiQuery,
  OpenWebUiResults,
  OpenWebUiUrls,
  OpenWebUiDocuments,
};
/** Bodies of requests, described as what a client sends: fields with a default may be left out. */
const requestBodies = new Set<string>(['OpenWebUiQuery', 'OpenWebUiUrls']);
export type SchemaName = keyof typeof published;

export function schemaReference(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * The contract's response schemas as OpenAPI components. They allow further fields, so that a later version can add one
 * without breaking a client that validates.
 */
export function componentSchemas(): Record<SchemaName, JsonSchema> {
  const schemas = { ...schemasOf('output'), ...schemasOf('input') };
  const ordered = Object.keys(published).map((name) => [name, schemas[name]] as const);
  const bare = ordered.map(([name, { $schema: _, $id: __, ...schema } = {}]) => [name, schema]);
  return Object.fromEntries(bare);
}

function schemasOf(io: 'input' | 'output'): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(published))
    if (requestBodies.has(id) === (io === 'input')) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return schemas;
}

/** The parameters of a schema as they appear in a URL, where `name=` may mean that one is absent. */
export function queryParameters(
  schema: z.ZodObject,
  examples: Readonly<Record<string, unknown>>,
): Parameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, { description = '', ...property }]) => {
      const mayBeEmpty = schema.safeParse({ q: 'q', [name]: '' }).success;
      return {
        name,
        in: 'query',
        required: required.includes(name),
        description,
        schema: mayBeEmpty && property.enum ? { ...property, enum: [...property.enum, ''] } : property,
        ...(mayBeEmpty && { allowEmptyValue: true }),
        ...(name in examples && { example: examples[name] }),
      };
    },
  );
}
