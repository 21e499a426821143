import { content, healthz, metrics, readyz, search } from './openapi-operations.ts';
import { errorResponses, headers } from './openapi-responses.ts';
import { componentSchemas, type JsonSchema, type Parameter } from './openapi-schemas.ts';

/** The parts of an OpenAPI 3.1 document that we write, and that our own page reads. */
export interface OpenApi {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: object;
  };
  readonly servers: readonly object[];
  readonly tags: readonly object[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, ApiResponse | Reference>>;
}

export interface Reference {
  readonly $ref: string;
}

export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly example: unknown }>>;
  readonly links?: object;
}

/** The description of the HTTP API, made from the very schemas that parse requests and answers. */
export function openApiDocument(version: string): OpenApi {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gleaner',
      version,
      summary: 'Web search and page content for agents.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that this document came from.' }],
    tags: [
      { name: 'search', description: 'Finding pages and reading them.' },
      { name: 'operation', description: 'For whoever runs the service; not counted by any limit.' },
    ],
    paths: {
      '/api/v1/search': { get: search },
      '/api/v1/content/{id}': { get: content },
      '/healthz': { get: healthz },
      '/readyz': { get: readyz },
      '/metrics': { get: metrics },
    },
    components: {
      schemas: componentSchemas(),
      responses: errorResponses,
      headers,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A dedicated key, which the operator gives out.',
        },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'The same key, in a header of its own.',
        },
      },
    },
  };
}

const description = `Structured web search results and the full text of indexed pages, read-only, with no key and no account.

Errors are problem details (RFC 9457) with the media type \`application/problem+json\`; a 400 names every bad parameter at once. Parameters that are not listed are ignored. Wherever GET is possible, HEAD and OPTIONS are too. Every response carries an \`X-Request-Id\`; send one to choose it.`;
