import type { ApiResponse, Reference } from './openapi-document.ts';
import { headerReferences, onEveryResponse } from './openapi-responses.ts';
import { type SchemaName, schemaReference } from './openapi-schemas.ts';

/** With a key or without one. */
export const withoutKey = [{}, { bearer: [] }, { apiKey: [] }];

/** Headers of answers to a dedicated key. */
export const onCountedResponses = headerReferences({
  'X-RateLimit-Limit': 'RateLimitLimit',
  'X-RateLimit-Remaining': 'RateLimitRemaining',
  'X-RateLimit-Reset': 'RateLimitReset',
});
const onKeptResponses = headerReferences({ 'Cache-Control': 'CacheControl', ETag: 'ETag' });
/** The 304 of answers that a cache may keep. */
export const notModified: ApiResponse = {
  description: 'What the If-None-Match header names is still current.',
  headers: { ...onEveryResponse, ...onKeptResponses },
};

/** A JSON answer that a cache may keep, to a request that counts. */
export function answerResponse(
  schema: SchemaName,
  description: string,
  example: unknown,
  type = 'application/json',
): ApiResponse {
  return {
    description,
    headers: { ...onEveryResponse, ...onKeptResponses, ...onCountedResponses },
    content: { [type]: { schema: schemaReference(schema), example } },
  };
}

/** A response that no cache stores and no limit counts. */
export function freshResponse(response: ApiResponse): ApiResponse {
  return {
    ...response,
    headers: { ...onEveryResponse, ...headerReferences({ 'Cache-Control': 'CacheControl' }) },
  };
}

/** References to the errors of these statuses. */
export function errorReferences(...statuses: readonly number[]): Record<string, Reference> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  );
}
