import type { OpenApi } from './openapi-document.ts';
import { content, healthz, metrics, readyz, search, serviceStatus } from './openapi-operations.ts';
import { errorResponses, headers } from './openapi-responses.ts';
import { componentSchemas } from './openapi-schemas.ts';
import { openWebUiLoad, openWebUiSearch, searxng, suggestions } from './other-operations.ts';

/** The OpenAPI description of the HTTP API, made from the schemas that parse requests and check answers. */
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
      { name: 'other forms', description: 'The same for programs that speak the form of another service.' },
      { name: 'operation', description: 'For operators of the service; not counted by any limit.' },
    ],
    paths: {
      '/api/v1/search': { get: search },
      '/api/v1/content/{id}': { get: content },
      '/search': { get: searxng },
      '/suggest': { get: suggestions },
      '/openwebui/search': { post: openWebUiSearch },
      '/openwebui/load': { post: openWebUiLoad },
      '/healthz': { get: healthz },
      '/readyz': { get: readyz },
      '/metrics': { get: metrics },
      '/api/v1/status': { get: serviceStatus },
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

Errors are problem details (RFC 9457) with the media type \`application/problem+json\`; a 400 names every bad parameter at once. Parameters that are not listed are ignored. Wherever GET is possible, HEAD and OPTIONS are too. Every response carries an \`X-Request-Id\`; send one to choose it.

The same server speaks MCP at \`/mcp\` (Streamable HTTP; POST alone, no sessions): the same search and the same pages, as tools and resources. Its messages are JSON-RPC and MCP itself describes them, so it is not among the paths here. At \`/mcp/connector\` it offers the tools that ChatGPT asks for, \`search\` and \`fetch\`, alone. Its limits are its own: not requests but calls of tools count, and pages that are read as resources, out of the shares of searches and contents; past them comes a 200 with a result whose \`isError\` is true. A request of a web page of a foreign origin, or under a host name that is not the service's, is a 403.`;
