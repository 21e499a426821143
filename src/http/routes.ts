import { type Context, Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { webSearch } from '../../tools/web-search.ts';
import { ContentParams } from '../contract/content.ts';
import { ServiceError } from '../contract/errors.ts';
import { ignoredHeader } from '../contract/headers.ts';
import { createParameterReader } from '../contract/parameters.ts';
import {
  HttpSearchParams,
  HttpSearchResponse,
  type HttpSearchResult,
  type SearchParams,
  type SearchResult,
} from '../contract/search.ts';
import type { Engine } from '../engine/engine.ts';
import { createFindMatches, highlightsOf } from '../engine/excerpt/highlights.ts';
import { contentAnswer } from '../engine/markdown/content-answer.ts';
import { searchTokens } from '../engine/search-tokens.ts';
import type { Log } from '../runtime.ts';
import { oneLine } from '../text/line/one-line.ts';
import { type CacheableResponse, maxAgeSeconds, sendCacheable, sendUncached } from './cacheable-response.ts';
import { type Readiness, readyAnswer } from './health.ts';
import type { EngineOf, HttpEnv } from './http-env.ts';
import { type McpRouteOptions, mountMcp } from './mcp.ts';
import type { Metrics } from './metrics/metrics.ts';
import { mountGet, type RouteHandler } from './mount-route.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { mountOtherApis } from './other-apis/mount-other-apis.ts';
import { adminPath } from './pages/admin/admin-page.ts';
import type { AdminParts } from './pages/admin/admin-parts.ts';
import { maxUploadBytes } from './pages/admin/fields.ts';
import { mountAdmin, uploadPath } from './pages/admin/mount-admin.ts';
import { apiPage } from './pages/api-page.ts';
import type { DocsPages } from './pages/docs.ts';
import { docsResults } from './pages/docs-results.ts';
import { createDocsSearch } from './pages/docs-search.ts';
import { apiPath, docsPath } from './pages/html.ts';
import { llmsTxt } from './pages/llms-txt.ts';
import { mountAssets } from './pages/people/assets.ts';
import { askForKey, logInPaths, mountLogIn } from './pages/people/log-in.ts';
import { mountPeople } from './pages/people/mount-people.ts';
import { absentLibrary, type Library, type PeopleParts } from './pages/people/people-parts.ts';
import { createSearchPage } from './pages/people/search-page.ts';
import { maySeeStatus, mountStatus, type StatusParts, statusPaths } from './pages/people/status-page.ts';
import { sendProblem, sendThrown } from './problem.ts';
import { ignoredNames, type QueryString, readQueryString } from './query-string.ts';
import type { RateLimit } from './rate-limit.ts';
import { requestCaps } from './request-caps.ts';
import { logRequests } from './request-log.ts';
import { searchFor, sendJson } from './search-for.ts';
import { allowOrigins, type Origins } from './security/cors.ts';
import { type AllowedHosts, hostCheck } from './security/host-check.ts';
import { mountProtectedResource, type ProtectedResource } from './security/protected-resource.ts';
import { securityHeaders } from './security/security-headers.ts';

/** Which clients see pages that were read with credentials. */
export interface PrivatePages {
  readonly mayRead: (c: Context<HttpEnv>) => boolean;
  /** For all others. */
  readonly publicEngine: Engine;
}

export interface RoutesOptions {
  readonly engine: Engine;
  /** Keeps private pages from some clients; without it all see everything. */
  readonly privatePages?: PrivatePages | undefined;
  readonly log: Log;
  readonly version: string;
  /** What the pages for people know of the data folder; without one, little. */
  readonly library?: Library;
  /** The state of the service, and who may see it. When it is absent, the state is shown to no client. */
  readonly status?: StatusParts;
  /** Whether there are pages for people; default true. */
  readonly hasPages?: boolean;
  /** What people may do from `/admin`; without it nothing. */
  readonly admin?: AdminParts | undefined;
  /** Pages with the paths under which they are served, besides the API page under `/docs/api`. */
  readonly docs: DocsPages;
  readonly readiness: () => Readiness;
  readonly origins: Origins;
  /** Whether the log may contain queries. */
  readonly logQueries: boolean;
  /** `keys`: only the documentation and the health checks are open to all. Needs `rateLimit`. */
  readonly access?: 'public' | 'keys';
  /** The authorisation server whose tokens are accepted; optional. */
  readonly protectedResource?: ProtectedResource | undefined;
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
/** Longer queries of the documentation are cut. */
const maxDocsQueryLength = 200;

const html = 'text/html; charset=UTF-8';

/**
 * The HTTP API v1 with the health checks and the documentation, as a function from request to response; it opens no
 * port. Every error is problem details, every response has an `X-Request-Id`.
 */
export function createRoutes(options: RoutesOptions): Hono<HttpEnv> {
  const {
    engine,
    privatePages,
    log,
    version,
    docs,
    readiness,
    origins,
    logQueries,
    rateLimit,
    access = 'public',
    protectedResource,
    allowedHosts,
    mcp,
    metrics,
    library,
    status,
    admin,
    hasPages = true,
  } = options;
  const seesPrivatePages = (c: Context<HttpEnv>): boolean =>
    privatePages === undefined || privatePages.mayRead(c);
  const engineOf: EngineOf = (c) => (seesPrivatePages(c) ? engine : (privatePages?.publicEngine ?? engine));
  const app = new Hono<HttpEnv>();
  if (metrics) app.use(metrics.count);
  app.use(requestId(), logRequests(log, { queries: logQueries }), securityHeaders);
  app.use(allowOrigins(origins, { except: [metricsPath, ...statusPaths, adminPath] }));
  if (allowedHosts) app.use(hostCheck(allowedHosts));
  if (rateLimit) app.use(rateLimit.identify);
  const keySessions = hasPages ? rateLimit?.keySessions : undefined;
  if (access === 'keys' && keySessions) app.use(askForKey(isOpenToAll));
  if (access === 'keys' && rateLimit) app.use(rateLimit.requireKey(isOpenToAll));
  app.use(requestCaps({ [uploadPath]: maxUploadBytes }));
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
    const { partial: wantsPartial, highlights, ...params } = readSearchParams(values, errors);
    const partial = wantsPartial === 'true';
    const { answer, meant, maxAgeSeconds: maxAge } = await searchFor(c, engineOf, params, { partial });
    const { external: _, partial: found, results, ...response } = answer;
    const highlighted = highlights === 'true' ? withHighlights(params) : asItIs;
    const body = HttpSearchResponse.parse({
      ...response,
      results: results.map(highlighted),
      ...(partial && { partial_matches: (found?.matches ?? []).map(highlighted) }),
      ...(meant !== undefined && { did_you_mean: meant }),
    });
    return sendJson(c, body, { maxAgeSeconds: maxAge, identity: cacheIdentity(body) });
  });

  const readContentParams = createParameterReader(ContentParams);
  get('/api/v1/content/:id', async (c) => {
    const id = c.req.param('id') ?? '';
    const { values, errors } = readNamed(c, contentParameters);
    const { format } = readContentParams(values, errors);
    const record = await contentAnswer(engineOf(c), id, { format, signal: c.req.raw.signal });
    return sendJson(c, record, { maxAgeSeconds: maxAgeSeconds.content });
  });

  const people: PeopleParts = {
    engineOf,
    rateLimit,
    library: library ?? absentLibrary(engine),
    showsStatus: (c) => status !== undefined && maySeeStatus(c, status),
  };
  const searchPage = hasPages ? createSearchPage(people) : noPages;
  mountOtherApis(app, { engineOf, origins, rateLimit, allowedHosts, searchPage });
  // The documentation and `/admin` need them, too.
  mountAssets(app);
  if (keySessions) mountLogIn(app, keySessions);
  if (hasPages) mountPeople(app, people);
  else app.get('/', (c) => c.redirect(docsPath));
  if (status)
    mountStatus(
      app,
      { ...status, hasPages, hasAdmin: admin !== undefined, seesPrivatePages },
      () => readiness().notReady === 'stopping',
    );
  if (admin) mountAdmin(app, admin, { allowedHosts });
  if (mcp) mountMcp(app, mcp, { rateLimit, allowedHosts, seesPrivatePages });

  if (protectedResource) mountProtectedResource(app, protectedResource);

  get('/healthz', (c) => sendUncached(c, { status: 'ok' }));
  if (metrics) get(metricsPath, metrics.answer);
  get('/readyz', (c) => readyAnswer(c, readiness()));

  const document = openApiDocument(version);
  const api = { body: apiPage(document, docs), type: html };
  const searchDocs = createDocsSearch(docs);
  app.get(docsPath, (c, next) => {
    const { values } = readQueryString(c.req.url, ['q']);
    const q = oneLine(values.q ?? '').slice(0, maxDocsQueryLength);
    if (q === '') return next();
    const page = { body: docsResults(q, searchDocs(q), docs), type: html };
    return sendCacheable(c, { ...page, maxAgeSeconds: maxAgeSeconds.documentation });
  });
  for (const page of docs) {
    getPage(page.path, { body: page.html, type: html });
    getPage(page.markdownPath, { body: page.markdown, type: 'text/markdown; charset=UTF-8' });
  }
  getPage(apiPath, api);
  if (!docs.some(({ path }) => path === docsPath)) getPage(docsPath, api);
  getPage('/openapi.json', { body: JSON.stringify(document), type: 'application/json' });
  getPage('/llms.txt', { body: llmsTxt(document, docs), type: 'text/plain; charset=UTF-8' });
  return app;
}

/** Where there are no pages for people, a search of a program says so in its address. */
function noPages(): never {
  throw new ServiceError('not_found', 'there are no pages for people here: ask with format=json');
}

/** What a service of key holders shows to all: nothing of its index. Metrics and `/admin` have an access of their own. */
function isOpenToAll(path: string): boolean {
  return (
    /^\/(?:docs|\.well-known|assets|admin)(?:\/|$)/.test(path) ||
    [metricsPath, ...openPaths, ...Object.values(logInPaths)].includes(path)
  );
}

const openPaths = [
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/llms.txt',
  '/robots.txt',
  '/opensearch.xml',
  '/favicon.svg',
];

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

function withHighlights({ q, lang }: SearchParams): (result: SearchResult) => HttpSearchResult {
  const findMatches = createFindMatches(q, lang);
  return (result) => ({ ...result, highlights: highlightsOf(result, findMatches) });
}

const asItIs = (result: SearchResult): HttpSearchResult => result;

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
