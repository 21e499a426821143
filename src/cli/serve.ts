import { tools } from '../../tools/index.ts';
import { packageRoot, version } from '../app/about.ts';
import { type App, openApp, type Watchers } from '../app/app.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Readiness } from '../http/health.ts';
import { createMetrics, type Metrics } from '../http/metrics.ts';
import { loadDocsPages } from '../http/pages/docs.ts';
import { createRateLimit, type RefusalReason } from '../http/rate-limit.ts';
import { createRoutes } from '../http/routes.ts';
import { listen } from '../http/serve.ts';
import { createAdmissionControl } from '../limits/admission.ts';
import { type ApiKeyRecord, apiKeysTable, createApiKeys } from '../limits/api-keys.ts';
import { createClientIdentity } from '../limits/client-identity.ts';
import { isLoopback } from '../limits/loopback.ts';
import { createMcpOverHttp } from '../mcp/http.ts';
import type { Log } from '../runtime.ts';
import { opennessWarning } from '../store/lmdb/openness-warning.ts';
import { commandName } from './arguments/command-name.ts';
import { localUrl } from './local-url.ts';
import { createLog, logWarnings } from './output/log.ts';
import { sayOnStderr } from './output/say.ts';
import { keepOwnDocs } from './own-docs.ts';
import { serviceState } from './service-state.ts';
import { stopSignal } from './stop-signal.ts';

/** Supervisors wait about this long for a process to stop. */
const maxStopMs = 10_000;

const folderCheckIntervalMs = 2000;

/** `gleaner serve`: answers over HTTP until SIGINT or SIGTERM. Its messages go to stderr. */
export async function serve(config: Config): Promise<void> {
  const log = createLog(config);
  logWarnings(config, log);
  const stop = stopSignal();
  // Metrics need the app and the app needs the watchers; both exist before the first search.
  let metrics: Metrics | undefined;
  const watchers: Watchers = {
    onPhase: (phase, tookMs) => metrics?.onPhase(phase, tookMs),
    onAsked: (provider, state) => metrics?.onProviderState(provider, state),
  };
  const app = openApp({ config, log, learns: config.learn ?? false, watchers });
  try {
    const docs = await loadDocsPages(packageRoot);
    let notReady: Readiness['notReady'] = 'starting';
    stop.addEventListener('abort', () => {
      notReady = 'stopping';
      // No acknowledged write is lost by ending then, and a supervisor would soon kill the process anyway.
      setTimeout(endNow, maxStopMs).unref();
    });
    const { origins, hosts, logQueries, limits, trustedProxies, proxyHeader } = config;
    const apiKeys = createApiKeys({ table: app.store.table<ApiKeyRecord>(apiKeysTable) });
    const clientIdentity = createClientIdentity({ apiKeys, trustedProxies, proxyHeader });
    const limiter = createAdmissionControl(limits);
    const state = () => serviceState(app, config.dataFolder);
    if (config.metrics !== 'off')
      metrics = createMetrics({ state, admissionStats: limiter.stats, access: config.metrics });
    const onRefused = (why: RefusalReason) => metrics?.onRefused(why);
    const rateLimit = createRateLimit({ control: limiter, clientIdentity, onRefused });
    const readiness = (): Readiness => {
      const health = app.store.health();
      return {
        notReady: notReady ?? (health.kind === 'gone' ? 'gone' : undefined),
        ...app.engine.status(),
        providers: app.providerStates(),
        ...(health.kind !== 'ok' && { storage: health.why }),
      };
    };
    const { engine } = app;
    const routes = createRoutes({
      engine,
      log,
      version,
      docs,
      readiness,
      origins,
      logQueries,
      rateLimit,
      allowedHosts: {
        hosts,
        isLoopbackOnly: isLoopback(config.host),
        isFromTrustedProxy: clientIdentity.isFromTrustedProxy,
      },
      mcp: { answer: createMcpOverHttp({ engine: async () => engine, tools, log, version }), origins },
      ...(metrics && { metrics }),
    });
    const server = await listen({ app: routes, host: config.host, port: config.port });
    try {
      sayOnStderr(`Gleaner ${version} listens on ${server.url}`);
      const openness = opennessWarning(config.dataFolder);
      if (openness !== undefined) sayOnStderr(`Warning: ${openness}`);
      const origin = localUrl(server.url);
      await keepOwnDocs({ ...app, docs, origin, version, now: Date.now }).catch(ownDocsFailed);
      // Preparing may pack for minutes; a stop does not wait for it.
      // The code for external results is loaded now: under load, every file of it would wait for the event loop.
      await Promise.race([Promise.all([app.prepare(), app.web.federatedSearch()]), aborted(stop)]);
      if (stop.aborted) return;
      notReady = undefined;
      sayOnStderr(`Data folder ${config.dataFolder}: ${pages(app.engine.status().pages)} in the index`);
      sayOnStderr(`Search:     curl '${new URL('/api/v1/search?q=gleaner', origin)}'`);
      sayOnStderr(`MCP:        ${new URL('/mcp', origin)}`);
      sayOnStderr(`Add pages:  ${commandName()} crawl https://example.com/`);
      stop.addEventListener('abort', logWhenGone(app, log), { once: true });
      const recrawl = config.recrawl ? recrawlUntil(stop, app, log) : undefined;
      await aborted(stop);
      sayOnStderr('Stopping: answers under way are finished first.');
      await Promise.all([server.close(), recrawl]);
    } finally {
      await server.close();
    }
  } finally {
    await app.close();
  }
}

/** Logs once that the data folder is gone: the service answers from memory then, and nothing that it stores lasts. */
function logWhenGone({ store }: App, log: Log): () => void {
  const timer = setInterval(() => {
    const health = store.health();
    if (health.kind !== 'gone') return;
    log.error({}, health.why);
    clearInterval(timer);
  }, folderCheckIntervalMs).unref();
  return () => clearInterval(timer);
}

/** Visits due pages until the signal is aborted; only then is the crawler's code loaded. */
async function recrawlUntil(signal: AbortSignal, { web }: App, log: Log): Promise<void> {
  const { recrawlInBackground } = await import('../crawl/background-recrawl.ts');
  const { recrawl } = await web.crawler();
  sayOnStderr('Stored pages are visited again when they are due.');
  await recrawlInBackground({ recrawl, log, signal });
}

/** The service runs without its documentation in the index, for example while another process writes. */
function ownDocsFailed(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
  sayOnStderr(`The documentation was not added to the index: ${error.message}`);
}

function endNow(): void {
  sayOnStderr('Stopping took too long: ending without waiting any more.');
  process.exit(1);
}

function pages(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
