import { version } from '../app/about.ts';
import type { App } from '../app/app.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Readiness } from '../http/health.ts';
import { listen } from '../http/serve.ts';
import { createAdmissionControl } from '../limits/admission.ts';
import type { Log } from '../runtime.ts';
import { openHttpService } from './http-service.ts';
import { localUrl } from './local-url.ts';
import { createLog, logWarnings } from './output/log.ts';
import { sayOnStderr } from './output/say.ts';
import { sayAddress, sayReady, sayRecrawls, sayStopping, sayTooSlow } from './output/service-lines.ts';
import { keepOwnDocs } from './own-docs.ts';
import { aborted, stopSignal } from './stop-signal.ts';

/** Supervisors wait about this long for a process to stop. */
export const maxStopMs = 10_000;

const folderCheckIntervalMs = 2000;

/** `gleaner serve`: answers over HTTP until SIGINT or SIGTERM. Its messages go to stderr. */
export async function serve(config: Config): Promise<void> {
  if (config.workers === 1) return serveAlone(config);
  const { serveWithWorkers } = await import('./cluster/serve-with-workers.ts');
  return serveWithWorkers(config);
}

/** One process that does all. */
async function serveAlone(config: Config): Promise<void> {
  const log = createLog(config);
  logWarnings(config, log);
  const stop = stopSignal();
  let notReady: Readiness['notReady'] = 'starting';
  const admission = createAdmissionControl(config.limits);
  const { app, routes, docs } = await openHttpService({ config, log, admission, notReady: () => notReady });
  try {
    stop.addEventListener('abort', () => {
      notReady = 'stopping';
      // No acknowledged write is lost by ending then, and a supervisor would soon kill the process anyway.
      setTimeout(endNow, maxStopMs).unref();
    });
    const server = await listen({ app: routes, host: config.host, port: config.port });
    try {
      sayAddress(server.url, config);
      const origin = localUrl(server.url);
      await keepOwnDocs({ ...app, docs, origin, version, now: Date.now }).catch(ownDocsFailed);
      // Preparing may pack for minutes; a stop does not wait for it.
      // The code for external results is loaded now: under load, every file of it would wait for the event loop.
      await Promise.race([Promise.all([app.prepare(), app.web.federatedSearch()]), aborted(stop)]);
      if (stop.aborted) return;
      notReady = undefined;
      sayReady(server.url, app.engine.status().pages, config);
      stop.addEventListener('abort', logWhenGone(app, log), { once: true });
      const recrawl = config.recrawl ? recrawlUntil(stop, app, log) : undefined;
      await aborted(stop);
      sayStopping();
      await Promise.all([server.close(), recrawl]);
    } finally {
      await server.close();
    }
  } finally {
    await app.close();
  }
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

/** The service runs without its documentation in the index, for example while another process writes. */
export function ownDocsFailed(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
  sayOnStderr(`The documentation was not added to the index: ${error.message}`);
}

function endNow(): void {
  sayTooSlow();
  process.exit(1);
}
