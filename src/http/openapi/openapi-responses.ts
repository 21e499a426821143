import type { ApiResponse, Reference } from './openapi-document.ts';
import { documentedErrors } from './openapi-errors.ts';
import { schemaReference } from './openapi-schemas.ts';

/** The headers that answers may carry, as OpenAPI components. */
export const headers = {
  RequestId: { description: 'Names this request in the log of the service.', schema: { type: 'string' } },
  CacheControl: { description: 'How long the answer may be kept.', schema: { type: 'string' } },
  ETag: {
    description: 'Send it as If-None-Match to get a 304 while nothing has changed.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait before asking again.',
    schema: { type: 'integer', minimum: 1 },
  },
  External: {
    description:
      'Whether other services were asked for more results than the index has: ok, partial or failed as they answered, off when none was.',
    schema: { type: 'string', enum: ['ok', 'partial', 'failed', 'off'] },
  },
  Ignored: {
    description:
      'Parameters that are not known here and were ignored, each with the name that was probably meant: sites;meant=site.',
    schema: { type: 'string' },
  },
  Authenticate: { description: 'How a key is presented (RFC 6750).', schema: { type: 'string' } },
  Allow: { description: 'The methods that are possible here.', schema: { type: 'string' } },
  RateLimitLimit: {
    description:
      'On every response to a dedicated key, errors too, and on no other: how many requests may come at once.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitRemaining: {
    description: 'Likewise: how many of them are left.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitReset: {
    description: 'Likewise: seconds until all of them are there again.',
    schema: { type: 'integer', minimum: 0 },
  },
};

type HeaderName = keyof typeof headers;

export function headerReferences(names: Readonly<Record<string, HeaderName>>): Record<string, Reference> {
  return Object.fromEntries(
    Object.entries(names).map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }]),
  );
}

export const onEveryResponse = headerReferences({ 'X-Request-Id': 'RequestId' });

/** Every error as an OpenAPI component, such as `Problem404`. */
export const errorResponses: Readonly<Record<string, ApiResponse>> = Object.fromEntries(
  documentedErrors.map((error) => [`Problem${error.status}`, errorResponse(error)]),
);

function errorResponse({ status, when, example }: (typeof documentedErrors)[number]): ApiResponse {
  return {
    description: when,
    headers: {
      ...onEveryResponse,
      ...([429, 503].includes(status) && headerReferences({ 'Retry-After': 'RetryAfter' })),
      ...(status === 401 && headerReferences({ 'WWW-Authenticate': 'Authenticate' })),
      ...(status === 405 && headerReferences({ Allow: 'Allow' })),
    },
    content: { 'application/problem+json': { schema: schemaReference('Problem'), example } },
  };
}
