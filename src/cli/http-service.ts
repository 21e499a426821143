import { connectorToolNames, type ToolName } from '../../tools/tool-names.ts';
import { packageRoot, version } from '../app/about.ts';
import { type App, type AppOptions, openApp, type Watchers } from '../app/app.ts';
import type { Elsewhere } from '../app/elsewhere.ts';
import type { ClusterState } from '../app/index-back-end.ts';
import { createCrawlReports } from '../app/people/crawl-paces.ts';
import { createLibrary } from '../app/people/library.ts';
import { createStatusReport } from '../app/people/status-report.ts';
import type { Config } from '../config/config.ts';
import { serverFacts } from '../config/server-facts.ts';
import type { Readiness } from '../http/health.ts';
import { createMetrics, type Metrics, type MetricsSnapshot } from '../http/metrics/metrics.ts';
import { type DocsPages, loadDocsPages } from '../http/pages/docs.ts';
import { createRateLimit, type RefusalReason } from '../http/rate-limit.ts';
import { createRoutes } from '../http/routes.ts';
import { createAccessTokens } from '../http/security/access-tokens.ts';
import { metadataUrl } from '../http/security/protected-resource.ts';
import { createSessions, makeSessionSecret } from '../http/security/sessions.ts';
import { createSearchThreads } from '../index/threads/search-threads.ts';
import type { AdmissionControl } from '../limits/admission.ts';
import { type ApiKeyRecord, type ApiKeys, apiKeysTable, createApiKeys } from '../limits/api-keys.ts';
import { createClientIdentity } from '../limits/client-identity.ts';
import { isLoopback } from '../limits/loopback.ts';
import { createMcpOverHttp } from '../mcp/http.ts';
import type { Log } from '../runtime.ts';
import { type Admin, openAdmin } from './admin/open-admin.ts';
import { clusterOfFrontEnd } from './opensearch/cluster-of-front-end.ts';
import { sayRecrawls } from './output/service-lines.ts';
import { holdsOwnDocsAlone } from './own-docs.ts';
import { serviceState } from './service-state.ts';

/** Supervisors wait about this long for a process to stop. */
export const maxStopMs = 10_000;

const folderCheckIntervalMs = 2000;

export interface HttpServiceOptions {
  readonly config: Config;
  readonly log: Log;
  readonly admission: AdmissionControl;
  /** Why requests should be sent elsewhere now; for `/readyz`. */
  readonly notReady: () => Readiness['notReady'];
  /** With which all processes of the service seal the sessions of browsers; one of its own when not given. */
  readonly sessionSecret?: string | undefined;
  /** The process that asks others and writes, where this one does not. */
  readonly elsewhere?: Elsewhere;
  /** The metrics of the other processes of the service. */
  readonly otherMetrics?: () => Promise<readonly MetricsSnapshot[]>;
}

/** What answers over HTTP in one process; it opens no port. */
export interface HttpService {
  readonly app: App;
  readonly routes: ReturnType<typeof createRoutes>;
  readonly docs: DocsPages;
  /** Undefined where they are turned off. */
  readonly metrics: Metrics | undefined;
  /** Undefined where it is off. */
  readonly admin: Admin | undefined;
}

/** Opens the data folder and the routes over it. Close the app at the end. */
export async function openHttpService(options: HttpServiceOptions): Promise<HttpService> {
  const { config, log, admission, elsewhere, otherMetrics } = options;
  // Metrics need the app and the app needs the watchers; both exist before the first search.
  let metrics: Metrics | undefined;
  const watchers: Watchers = {
    onPhase: (phase, tookMs) => metrics?.onPhase(phase, tookMs),
    onAsked: (provider, state) => metrics?.onProviderState(provider, state),
  };
  const docs = await loadDocsPages(packageRoot);
  const { searchThreads: count } = config;
  const app = await openServiceApp({
    config,
    log,
    learns: config.learn ?? false,
    watchers,
    elsewhere,
    ...(count > 0 && { openSearchThreads: (folder) => createSearchThreads({ count, folder, log }) }),
  });
  if (config.metrics !== 'off') {
    const state = () => serviceState(app, config.dataFolder);
    const others = otherMetrics && { others: otherMetrics };
    metrics = createMetrics({ state, admissionStats: admission.stats, access: config.metrics, ...others });
  }
  const apiKeys = createApiKeys({ table: app.store.table<ApiKeyRecord>(apiKeysTable) });
  const isStopping = () => options.notReady() === 'stopping';
  const admin = openAdmin({ config, apiKeys, isStopping }, app.isFrontEnd);
  const routes = createServiceRoutes(options, { app, docs, metrics, apiKeys, admin });
  return { app, routes, docs, metrics, admin };
}

/** With an index in a cluster and no data folder, named or there, the service is a front end of that cluster. */
async function openServiceApp(options: AppOptions & { readonly config: Config }): Promise<App> {
  const cluster = clusterOfFrontEnd(options.config);
  if (!cluster) return openApp(options);
  const { openFrontEnd } = await import('../app/front-end.ts');
  return openFrontEnd(options, cluster);
}

function createServiceRoutes(
  { config, log, admission, notReady, sessionSecret = makeSessionSecret() }: HttpServiceOptions,
  { app, docs, metrics, apiKeys, admin }: Omit<HttpService, 'routes'> & { readonly apiKeys: ApiKeys },
): HttpService['routes'] {
  const { origins, hosts, logQueries, trustedProxies, proxyHeader, access, oauth } = config;
  const { engine, publicEngine } = app;
  const verifyToken = oauth && createAccessTokens(oauth);
  const challenge = oauth && { metadataUrl: metadataUrl(oauth.resource), scope: oauth.scope };
  const clientIdentity = createClientIdentity({ apiKeys, trustedProxies, proxyHeader, access, verifyToken });
  const onRefused = (why: RefusalReason) => metrics?.onRefused(why);
  const readiness = (): Readiness => {
    const health = app.store.health();
    const cluster = app.clusterState();
    const gone = health.kind === 'gone' ? 'gone' : undefined;
    return {
      notReady: notReady() ?? gone ?? (cluster?.unavailable === undefined ? undefined : 'no cluster'),
      ...(config.privatePages === 'show' ? engine : publicEngine).status(),
      providers: app.providerStates(),
      ...(health.kind !== 'ok' && { storage: health.why }),
      ...(cluster && { index: indexHealth(cluster) }),
    };
  };
  const crawls = createCrawlReports(app.store, Date.now);
  const mcpOver = (tools: readonly ToolName[], over = engine) =>
    createMcpOverHttp({
      engine: async () => over,
      tools,
      facts: serverFacts(config, engine.visitsPages),
      log,
      version,
    });
  return createRoutes({
    engine,
    ...(config.privatePages !== 'show' && {
      privatePages: {
        publicEngine,
        mayRead: (c) => config.privatePages === 'keys' && c.get('caller').kind === 'key',
      },
    }),
    log,
    version,
    docs,
    readiness,
    origins,
    logQueries,
    rateLimit: createRateLimit({
      control: admission,
      clientIdentity,
      challenge,
      sessions: createSessions(sessionSecret),
      onRefused,
    }),
    access,
    protectedResource: oauth,
    allowedHosts: {
      hosts,
      isLoopbackOnly: isLoopback(config.host),
      isFromTrustedProxy: clientIdentity.isFromTrustedProxy,
    },
    mcp: {
      answer: mcpOver(config.tools),
      connector: mcpOver(connectorToolNames),
      forPublic: {
        answer: mcpOver(config.tools, publicEngine),
        connector: mcpOver(connectorToolNames, publicEngine),
      },
      origins,
    },
    admin: admin?.parts,
    hasPages: config.pages,
    ...(metrics && { metrics }),
    ...(config.metrics !== 'off' && {
      status: {
        ...createStatusReport({ app, config, admissionStats: admission.stats, crawls, now: Date.now }),
        access: config.metrics,
      },
    }),
    ...(!app.isFrontEnd && {
      library: createLibrary({ store: app.store, isNew: () => holdsOwnDocsAlone(app.store) }),
    }),
  });
}

/** The part of `/readyz` about a cluster. */
function indexHealth({ feed, lag, failedPages, unavailable, feedProblem }: ClusterState) {
  const problem = unavailable ?? feedProblem;
  return { feed, lag, failed: failedPages, ...(problem !== undefined && { problem }) };
}

/** Logs once that the data folder is gone: the service answers from memory then, and nothing that it stores lasts. */
export function logWhenGone({ store }: App, log: Log): () => void {
  const timer = setInterval(() => {
    const health = store.health();
    if (health.kind !== 'gone') return;
    log.error({}, health.why);
    clearInterval(timer);
  }, folderCheckIntervalMs).unref();
  return () => clearInterval(timer);
}

/** Visits due pages until the signal is aborted; only then is the crawler's code loaded. */
export async function recrawlUntil(signal: AbortSignal, { web }: App, log: Log): Promise<void> {
  const { recrawlInBackground } = await import('../crawl/background-recrawl.ts');
  const { recrawl } = await web.crawler();
  sayRecrawls();
  await recrawlInBackground({ recrawl, log, signal });
}
