import { connectorTools, toolsNamed } from '../../tools/index.ts';
import type { Tool } from '../../tools/tool.ts';
import { packageRoot, version } from '../app/about.ts';
import { type App, type AppOptions, openApp, type Watchers } from '../app/app.ts';
import type { Elsewhere } from '../app/elsewhere.ts';
import type { ClusterState } from '../app/index-back-end.ts';
import type { Config } from '../config/config.ts';
import { serverFacts } from '../config/server-facts.ts';
import type { Readiness } from '../http/health.ts';
import { createMetrics, type Metrics, type MetricsSnapshot } from '../http/metrics/metrics.ts';
import { type DocsPages, loadDocsPages } from '../http/pages/docs.ts';
import { createRateLimit, type RefusalReason } from '../http/rate-limit.ts';
import { createRoutes } from '../http/routes.ts';
import type { AdmissionControl } from '../limits/admission.ts';
import { type ApiKeyRecord, apiKeysTable, createApiKeys } from '../limits/api-keys.ts';
import { createClientIdentity } from '../limits/client-identity.ts';
import { isLoopback } from '../limits/loopback.ts';
import { createMcpOverHttp } from '../mcp/http.ts';
import type { Log } from '../runtime.ts';
import { clusterOfFrontEnd } from './opensearch/cluster-of-front-end.ts';
import { sayRecrawls } from './output/service-lines.ts';
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
  const app = await openServiceApp({ config, log, learns: config.learn ?? false, watchers, elsewhere });
  if (config.metrics !== 'off') {
    const state = () => serviceState(app, config.dataFolder);
    const others = otherMetrics && { others: otherMetrics };
    metrics = createMetrics({ state, admissionStats: admission.stats, access: config.metrics, ...others });
  }
  const routes = createServiceRoutes(options, { app, docs, metrics });
  return { app, routes, docs, metrics };
}

/** With an index in a cluster and no data folder, named or there, the service is a front end of that cluster. */
async function openServiceApp(options: AppOptions & { readonly config: Config }): Promise<App> {
  const cluster = clusterOfFrontEnd(options.config);
  if (!cluster) return openApp(options);
  const { openFrontEnd } = await import('../app/front-end.ts');
  return openFrontEnd(options, cluster);
}

function createServiceRoutes(
  { config, log, admission, notReady }: HttpServiceOptions,
  { app, docs, metrics }: Omit<HttpService, 'routes'>,
): HttpService['routes'] {
  const { origins, hosts, logQueries, trustedProxies, proxyHeader } = config;
  const { engine } = app;
  const apiKeys = createApiKeys({ table: app.store.table<ApiKeyRecord>(apiKeysTable) });
  const clientIdentity = createClientIdentity({ apiKeys, trustedProxies, proxyHeader });
  const onRefused = (why: RefusalReason) => metrics?.onRefused(why);
  const readiness = (): Readiness => {
    const health = app.store.health();
    const cluster = app.clusterState();
    const gone = health.kind === 'gone' ? 'gone' : undefined;
    return {
      notReady: notReady() ?? gone ?? (cluster?.unavailable === undefined ? undefined : 'no cluster'),
      ...engine.status(),
      providers: app.providerStates(),
      ...(health.kind !== 'ok' && { storage: health.why }),
      ...(cluster && { index: indexHealth(cluster) }),
    };
  };
  const mcpOver = (tools: readonly Tool[]) =>
    createMcpOverHttp({
      engine: async () => engine,
      tools,
      facts: serverFacts(config, engine.visitsPages),
      log,
      version,
    });
  return createRoutes({
    engine,
    log,
    version,
    docs,
    readiness,
    origins,
    logQueries,
    rateLimit: createRateLimit({ control: admission, clientIdentity, onRefused }),
    allowedHosts: {
      hosts,
      isLoopbackOnly: isLoopback(config.host),
      isFromTrustedProxy: clientIdentity.isFromTrustedProxy,
    },
    mcp: { answer: mcpOver(toolsNamed(config.tools)), connector: mcpOver(connectorTools), origins },
    ...(metrics && { metrics }),
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
