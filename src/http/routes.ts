import { type Context, Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import { ContentRecord } from '../contract/content.ts';
import { ServiceError } from '../contract/errors.ts';
import { createParameterReader } from '../contract/parameters.ts';
import { SearchParams, SearchResponse } from '../contract/search.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../outside.ts';
import { contentsPage, type DocsPages } from './docs.ts';
import { problem, problemOf } from './problem.ts';
import { readQueryString } from './query-string.ts';

export interface RoutesOptions {
  readonly engine: Engine;
  readonly log: Log;
  readonly version: string;
  /** Served under the paths that they carry, besides their list under `/docs`. */
  readonly docs: DocsPages;
}

type Handler = (c: Context) => Response | Promise<Response>;

const searchParameters = Object.keys(SearchParams.shape);

/**
 * The HTTP API, v1, with the health check and the documentation: requests in, responses out, no port. Every error
 * is problem details, every response carries an `X-Request-Id`.
 */
export function createRoutes({ engine, log, version, docs }: RoutesOptions): Hono {
  const app = new Hono();
  app.use(requestId(), secureHeaders(headers));
  app.onError((error, c) => problemOf(c, error, log));
  app.notFound((c) => problem(c, new ServiceError('not_found', `there is nothing at ${c.req.path}`)));

  const get = (path: string, handler: Handler) => {
    app.get(path, handler);
    app.all(path, methodNotAllowed);
  };

  const readSearchParams = createParameterReader(SearchParams);
  get('/api/v1/search', async (c) => {
    const { values, errors } = readQueryString(c.req.url, searchParameters);
    const params = readSearchParams(values, errors);
    return c.json(SearchResponse.parse(await engine.search(params, { signal: c.req.raw.signal })));
  });

  get('/api/v1/content/:id', async (c) => {
    const id = c.req.param('id') ?? '';
    return c.json(ContentRecord.parse(await engine.content(id, { signal: c.req.raw.signal })));
  });

  get('/healthz', (c) => c.json({ status: 'ok' }));

  const contents = contentsPage(docs, version);
  for (const { path, html } of docs) get(path, (c) => c.html(html));
  get('/docs', (c) => c.html(contents));
  if (!docs.some(({ path }) => path === '/')) get('/', (c) => c.html(contents));
  return app;
}

function methodNotAllowed(c: Context): Response {
  c.header('Allow', 'GET, HEAD');
  const message = `${c.req.method} is not possible here: use GET or HEAD`;
  return problem(c, new ServiceError('method_not_allowed', message));
}

const headers = {
  // The documentation needs its inline style and pictures, nothing else.
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'https:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  // Whether a whole domain is HTTPS is for the proxy in front to say.
  strictTransportSecurity: false,
};
