import { type Context, Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { ContentRecord } from '../contract/content.ts';
import { ServiceError } from '../contract/errors.ts';
import { externalHeader, hopsHeader } from '../contract/headers.ts';
import { createParameterReader } from '../contract/parameters.ts';
import { HttpSearchParams, HttpSearchResponse } from '../contract/search.ts';
import type { Engine } from '../engine/engine.ts';
import { searchTokens } from '../engine/search-tokens.ts';
import type { Log } from '../runtime.ts';
import { type Sent, send, sendFresh } from './cacheable-response.ts';
import { allowOrigins, type Origins, optionsAnswer } from './cors.ts';
import { type Readiness, readyAnswer } from './health.ts';
import { type KnownHosts, onlyUnderKnownHosts } from './host-check.ts';
import { type McpRouteOptions, mountMcp } from './mcp.ts';
import type { Metrics } from './metrics.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { apiPage } from './pages/api-page.ts';
import type { DocsPages } from './pages/docs.ts';
import { llmsTxt } from './pages/llms-txt.ts';
import { problem, problemOf } from './problem.ts';
import { readQueryString } from './query-string.ts';
import { type HttpFairUse, mayAskExternal } from './rate-limit.ts';
import { requestCaps } from './request-caps.ts';
import { logRequests } from './request-log.ts';
import { securityHeaders } from './security-headers.ts';

export interface RoutesOptions {
  readonly engine: Engine;
  readonly log: Log;
  readonly version: string;
  /** Served under the paths that they carry, besides the API's own page under `/docs`. */
  readonly docs: DocsPages;
  readonly readiness: () => Readiness;
  readonly origins: Origins;
  /** Whether the log may hold what was searched for. */
  readonly logQueries: boolean;
  /** Who may ask how much; without it everybody may ask anything. */
  readonly fairUse?: HttpFairUse;
  /** The host names under which the service answers; without it all. */
  readonly knownHosts?: KnownHosts;
  /** MCP under `/mcp`; without it there is none. */
  readonly mcp?: McpRouteOptions;
  /** Counts requests and answers `/metrics`; without it there is none. */
  readonly metrics?: Metrics;
}

type Handler = (c: Context) => Response | Promise<Response>;

const searchParameters = Object.keys(HttpSearchParams.shape);

const methods = 'GET, HEAD, OPTIONS';

const metricsPath = '/metrics';

const html = 'text/html; charset=UTF-8';

/** A page changes with its crawl; a search with every page, so a cache may hold it for about one reader's session. */
const maxAgeSeconds = { search: 15, content: 300, documentation: 300 };

/**
 * The HTTP API, v1, with the health checks and the documentation: requests in, responses out, no port. Every error
 * is problem details, every response carries an `X-Request-Id`.
 */
export function createRoutes(options: RoutesOptions): Hono {
  const { engine, log, version, docs, readiness, origins, logQueries, fairUse, knownHosts, mcp, metrics } =
    options;
  const app = new Hono();
  if (metrics) app.use(metrics.count);
  app.use(requestId(), logRequests(log, { queries: logQueries }), securityHeaders);
  app.use(allowOrigins(origins, { except: [metricsPath] }));
  if (knownHosts) app.use(onlyUnderKnownHosts(knownHosts));
  if (fairUse) app.use(fairUse.identify);
  app.use(requestCaps);
  if (fairUse) {
    app.use(
      '/api/v1/search',
      fairUse.counted('search', (c) => searchTokens({ q: c.req.query('q'), limit: c.req.query('limit') })),
    );
    app.use('/api/v1/content/:id', fairUse.counted('content'));
  }
  app.onError((error, c) => problemOf(c, error, log));
  app.notFound((c) => problem(c, new ServiceError('not_found', 'there is nothing at this address')));

  const get = (path: string, handler: Handler) => {
    app.get(path, handler);
    app.options(path, (c) => optionsAnswer(c, methods));
    app.all(path, methodNotAllowed);
  };
  const getPage = (path: string, page: Omit<Sent, 'maxAgeSeconds'>) =>
    get(path, (c) => send(c, { ...page, maxAgeSeconds: maxAgeSeconds.documentation }));

  const readSearchParams = createParameterReader(HttpSearchParams);
  get('/api/v1/search', async (c) => {
    const { values, errors } = readQueryString(c.req.url, searchParameters);
    const { partial: wantsPartial, ...params } = readSearchParams(values, errors);
    const { external, partial, ...found } = await engine.search(params, {
      partial: wantsPartial === 'true',
      signal: c.req.raw.signal,
      hops: hopsOf(c),
      mayAskExternal: () => mayAskExternal(c),
    });
    const answer = HttpSearchResponse.parse({
      ...found,
      ...(wantsPartial === 'true' && { partial_matches: partial?.matches ?? [] }),
    });
    c.header(externalHeader, external.state);
    // What could not be asked now, or not for this client, may be asked in a moment.
    const { state, reason } = external;
    const isWhole = state === 'ok' || (state === 'off' && reason !== 'budget spent');
    return sendJson(c, answer, isWhole ? maxAgeSeconds.search : 0, lasting(answer));
  });

  get('/api/v1/content/:id', async (c) => {
    const id = c.req.param('id') ?? '';
    const record = ContentRecord.parse(await engine.content(id, { signal: c.req.raw.signal }));
    return sendJson(c, record, maxAgeSeconds.content);
  });

  if (mcp) mountMcp(app, mcp, { fairUse, knownHosts });

  get('/healthz', (c) => sendFresh(c, { status: 'ok' }));
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

/** One for a header that is there and says nothing: who sends it is not the first to be asked. */
function hopsOf(c: Context): number {
  const header = c.req.header(hopsHeader);
  return header === undefined ? 0 : Math.min(Math.max(Number.parseInt(header, 10) || 1, 1), 9);
}

/** An answer without what differs every time that it is made: how long it took, and scores, which age by the second. */
function lasting({ total, results, partial_matches }: HttpSearchResponse): object {
  const withoutScores = (list: HttpSearchResponse['results']) =>
    list.map(({ score: _, ...result }) => result);
  return {
    total,
    results: withoutScores(results),
    ...(partial_matches && { partial_matches: withoutScores(partial_matches) }),
  };
}

function sendJson(c: Context, value: object, maxAgeSeconds: number, identity?: object): Promise<Response> {
  const sent = { body: JSON.stringify(value), type: 'application/json', maxAgeSeconds };
  return send(c, identity ? { ...sent, identity: JSON.stringify(identity) } : sent);
}

function methodNotAllowed(c: Context): Response {
  c.header('Allow', methods);
  const message = `${c.req.method} is not possible here: use GET or HEAD`;
  return problem(c, new ServiceError('method_not_allowed', message));
}
