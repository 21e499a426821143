import { type Context, Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { webSearch } from '../../tools/web-search.ts';
import { ContentParams } from '../contract/content.ts';
import { ServiceError } from '../contract/errors.ts';
import { ignoredHeader } from '../contract/headers.ts';
import { createParameterReader } from '../contract/parameters.ts';
import { HttpSearchParams, HttpSearchResponse } from '../contract/search.ts';
import type { Engine } from '../engine/engine.ts';
import { contentAnswer } from '../engine/markdown/content-answer.ts';
import { searchTokens } from '../engine/search-tokens.ts';
import type { Log } from '../runtime.ts';
import { type CacheableResponse, maxAgeSeconds, sendCacheable, sendUncached } from './cacheable-response.ts';
import { type Readiness, readyAnswer } from './health.ts';
import type { HttpEnv } from './http-env.ts';
import { type McpRouteOptions, mountMcp } from './mcp.ts';
import type { Metrics } from './metrics/metrics.ts';
import { mountGet, type RouteHandler } from './mount-route.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { mountOtherApis } from './other-apis/mount-other-apis.ts';
import { apiPage } from './pages/api-page.ts';
import type { DocsPages } from './pages/docs.ts';
import { llmsTxt } from './pages/llms-txt.ts';
import { sendProblem, sendThrown } from './problem.ts';
import { ignoredNames, type QueryString, readQueryString } from './query-string.ts';
import type { RateLimit } from './rate-limit.ts';
import { requestCaps } from './request-caps.ts';
import { logRequests } from './request-log.ts';
import { searchFor, sendJson } from './search-for.ts';
import { allowOrigins, type Origins } from './security/cors.ts';
import { type AllowedHosts, hostCheck } from './security/host-check.ts';
import { securityHeaders } from './security/security-headers.ts';

export interface RoutesOptions {
  readonly engine: Engine;
  readonly log: Log;
  readonly version: string;
  /** Pages with the paths under which they are served, besides the API page under `/docs`. */
  readonly docs: DocsPages;
  readonly readiness: () => Readiness;
  readonly origins: Origins;
  /** Whether the log may contain queries. */
  readonly logQueries: boolean;
  /** Limits per client; without it there are none. */
  readonly rateLimit?: RateLimit;
  /** The host names of the service; without it all are allowed. */
  readonly allowedHosts?: AllowedHosts;
  /** MCP under `/mcp`; optional. */
  readonly mcp?: McpRouteOptions;
  /** Counts requests and answers `/metrics`; optional. */
  readonly metrics?: Metrics;
}

const searchParameters = Object.keys(HttpSearchParams.shape);

const contentParameters = Object.keys(ContentParams.shape);

const metricsPath = '/metrics';

const html = 'text/html; charset=UTF-8';

/**
 * The HTTP API v1 with the health checks and the documentation, as a function from request to response; it opens no
 * port. Every error is problem details, every response has an `X-Request-Id`.
 */
export function createRoutes(options: RoutesOptions): Hono<HttpEnv> {
  const {
    engine,
    log,
    version,
    docs,
    readiness,
    origins,
    logQueries,
    rateLimit,
    allowedHosts,
    mcp,
    metrics,
  } = options;
  const app = new Hono<HttpEnv>();
  if (metrics) app.use(metrics.count);
  app.use(requestId(), logRequests(log, { queries: logQueries }), securityHeaders);
  app.use(allowOrigins(origins, { except: [metricsPath] }));
  if (allowedHosts) app.use(hostCheck(allowedHosts));
  if (rateLimit) app.use(rateLimit.identify);
  app.use(requestCaps);
  if (rateLimit) {
    app.use(
      '/api/v1/search',
      rateLimit.limit('search', (c) => searchTokens({ q: c.req.query('q'), limit: c.req.query('limit') })),
    );
    app.use('/api/v1/content/:id', rateLimit.limit('content'));
  }
  app.onError((error, c) => sendThrown(c, error, log));
  app.notFound((c) => sendProblem(c, new ServiceError('not_found', 'there is nothing at this address')));

  const get = (path: string, handler: RouteHandler) => mountGet(app, path, handler);
  const getPage = (path: string, page: Omit<CacheableResponse, 'maxAgeSeconds'>) =>
    get(path, (c) => sendCacheable(c, { ...page, maxAgeSeconds: maxAgeSeconds.documentation }));

  const readSearchParams = createParameterReader(HttpSearchParams);
  get('/api/v1/search', async (c) => {
    const { values, errors } = readNamed(c, searchParameters, webSearch.otherNames);
    const { partial: wantsPartial, ...params } = readSearchParams(values, errors);
    const partial = wantsPartial === 'true';
    const { answer, meant, maxAgeSeconds: maxAge } = await searchFor(c, engine, params, { partial });
    const { external: _, partial: found, ...response } = answer;
    const body = HttpSearchResponse.parse({
      ...response,
      ...(partial && { partial_matches: found?.matches ?? [] }),
      ...(meant !== undefined && { did_you_mean: meant }),
    });
    return sendJson(c, body, { maxAgeSeconds: maxAge, identity: cacheIdentity(body) });
  });

  const readContentParams = createParameterReader(ContentParams);
  get('/api/v1/content/:id', async (c) => {
    const id = c.req.param('id') ?? '';
    const { values, errors } = readNamed(c, contentParameters);
    const { format } = readContentParams(values, errors);
    const record = await contentAnswer(engine, id, { format, signal: c.req.raw.signal });
    return sendJson(c, record, { maxAgeSeconds: maxAgeSeconds.content });
  });

  mountOtherApis(app, { engine, origins, rateLimit, allowedHosts });
  if (mcp) mountMcp(app, mcp, { rateLimit, allowedHosts });

  get('/healthz', (c) => sendUncached(c, { status: 'ok' }));
  if (metrics) get(metricsPath, metrics.answer);
  get('/readyz', (c) => readyAnswer(c, readiness()));

  const document = openApiDocument(version);
  const api = { body: apiPage(document, docs), type: html };
  for (const page of docs) {
    getPage(page.path, { body: page.html, type: html });
    getPage(page.markdownPath, { body: page.markdown, type: 'text/markdown; charset=UTF-8' });
  }
  getPage('/docs', api);
  if (!docs.some(({ path }) => path === '/')) getPage('/', api);
  getPage('/openapi.json', { body: JSON.stringify(document), type: 'application/json' });
  getPage('/llms.txt', { body: llmsTxt(document, docs), type: 'text/plain; charset=UTF-8' });
  return app;
}

/** The query string of a request; what is ignored of it is named in a header of the answer. */
function readNamed(
  c: Context<HttpEnv>,
  names: readonly string[],
  otherNames?: Readonly<Record<string, string>>,
): QueryString {
  const query = readQueryString(c.req.url, names);
  const ignored = ignoredNames(query.ignored, names, otherNames);
  if (ignored !== '') c.header(ignoredHeader, ignored);
  return query;
}

/** An answer without the fields that change with every call: the duration, and the scores, which depend on time. */
function cacheIdentity({ total, results, partial_matches, did_you_mean }: HttpSearchResponse): object {
  const withoutScores = (list: HttpSearchResponse['results']) =>
    list.map(({ score: _, ...result }) => result);
  return {
    total,
    results: withoutScores(results),
    ...(partial_matches && { partial_matches: withoutScores(partial_matches) }),
    ...(did_you_mean !== undefined && { did_you_mean }),
  };
}
