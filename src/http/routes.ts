import { type Context, Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { ContentRecord } from '../contract/content.ts';
import { ServiceError } from '../contract/errors.ts';
import { externalHeader, hopsHeader } from '../contract/headers.ts';
import { createParameterReader } from '../contract/parameters.ts';
import { HttpSearchParams, HttpSearchResponse } from '../contract/search.ts';
import type { Engine } from '../engine/engine.ts';
import { searchTokens } from '../engine/search-tokens.ts';
import { fewResults } from '../engine/suggestion/few-results.ts';
import type { Log } from '../runtime.ts';
import { type CacheableResponse, sendCacheable, sendUncached } from './cacheable-response.ts';
import { type Readiness, readyAnswer } from './health.ts';
import type { HttpEnv } from './http-env.ts';
import { type McpRouteOptions, mountMcp } from './mcp.ts';
import type { Metrics } from './metrics.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { apiPage } from './pages/api-page.ts';
import type { DocsPages } from './pages/docs.ts';
import { llmsTxt } from './pages/llms-txt.ts';
import { sendProblem, sendThrown } from './problem.ts';
import { readQueryString } from './query-string.ts';
import { mayAskExternal, type RateLimit } from './rate-limit.ts';
import { requestCaps } from './request-caps.ts';
import { logRequests } from './request-log.ts';
import { allowOrigins, type Origins, optionsAnswer } from './security/cors.ts';
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

type Handler = (c: Context<HttpEnv>) => Response | Promise<Response>;

const searchParameters = Object.keys(HttpSearchParams.shape);

const methods = 'GET, HEAD, OPTIONS';

const metricsPath = '/metrics';

const html = 'text/html; charset=UTF-8';

/** A page changes with its next crawl, a search result with every page. */
const maxAgeSeconds = { search: 15, content: 300, documentation: 300 };

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

  const get = (path: string, handler: Handler) => {
    app.get(path, handler);
    app.options(path, (c) => optionsAnswer(c, methods));
    app.all(path, methodNotAllowed);
  };
  const getPage = (path: string, page: Omit<CacheableResponse, 'maxAgeSeconds'>) =>
    get(path, (c) => sendCacheable(c, { ...page, maxAgeSeconds: maxAgeSeconds.documentation }));

  const readSearchParams = createParameterReader(HttpSearchParams);
  get('/api/v1/search', async (c) => {
    const { values, errors } = readQueryString(c.req.url, searchParameters);
    const { partial: wantsPartial, ...params } = readSearchParams(values, errors);
    const { external, partial, ...response } = await engine.search(params, {
      partial: wantsPartial === 'true',
      signal: c.req.raw.signal,
      hops: hopsOf(c),
      mayAskExternal: () => mayAskExternal(c),
    });
    const isFew = wantsPartial === 'true' && response.total < fewResults;
    const meant = isFew ? await engine.didYouMean(params) : undefined;
    const answer = HttpSearchResponse.parse({
      ...response,
      ...(wantsPartial === 'true' && { partial_matches: partial?.matches ?? [] }),
      ...(meant !== undefined && { did_you_mean: meant }),
    });
    c.header(externalHeader, external.state);
    // A provider that failed, or a budget that is spent, may be available again in a moment.
    const { state, reason } = external;
    const isComplete = state === 'ok' || (state === 'off' && reason !== 'budget spent');
    return sendJson(c, answer, isComplete ? maxAgeSeconds.search : 0, cacheIdentity(answer));
  });

  get('/api/v1/content/:id', async (c) => {
    const id = c.req.param('id') ?? '';
    const record = ContentRecord.parse(await engine.content(id, { signal: c.req.raw.signal }));
    return sendJson(c, record, maxAgeSeconds.content);
  });

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

/** Hop count: 0 without the header, 1 if it is not a number, at most 9. */
function hopsOf(c: Context): number {
  const header = c.req.header(hopsHeader);
  return header === undefined ? 0 : Math.min(Math.max(Number.parseInt(header, 10) || 1, 1), 9);
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

function sendJson(c: Context, value: object, maxAge: number, identity?: object): Promise<Response> {
  const sent = { body: JSON.stringify(value), type: 'application/json', maxAgeSeconds: maxAge };
  return sendCacheable(c, identity ? { ...sent, identity: JSON.stringify(identity) } : sent);
}

function methodNotAllowed(c: Context): Response {
  c.header('Allow', methods);
  const message = `${c.req.method} is not possible here: use GET or HEAD`;
  return sendProblem(c, new ServiceError('method_not_allowed', message));
}
