import { version } from '../app/about.ts';
import type { Config } from '../config/config.ts';
import type { Readiness } from '../http/health.ts';
import { listen } from '../http/serve.ts';
import { createAdmissionControl } from '../limits/admission.ts';
import { checkCredentials } from './check-credentials.ts';
import { logWhenGone, maxStopMs, openHttpService, recrawlUntil } from './http-service.ts';
import { localUrl } from './local-url.ts';
import { clusterOfFrontEnd } from './opensearch/cluster-of-front-end.ts';
import { createLog, logWarnings } from './output/log.ts';
import { sayAddress, sayAdmin, sayReady, sayStopping, sayTooSlow } from './output/service-lines.ts';
import { keepOwnDocs, ownDocsFailed } from './own-docs.ts';
import { aborted, stopSignal } from './stop-signal.ts';

/** `gleaner serve`: answers over HTTP until SIGINT or SIGTERM. Its messages go to stderr. */
export async function serve(config: Config): Promise<void> {
  await checkCredentials(config);
  if (config.workers === 1 || clusterOfFrontEnd(config)) return serveAlone(config);
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
  const { app, routes, docs, admin } = await openHttpService({
    config,
    log,
    admission,
    notReady: () => notReady,
  });
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
      if (!app.isFrontEnd)
        await keepOwnDocs({ ...app, docs, origin, version, now: Date.now }).catch(ownDocsFailed);
      // Preparing may pack for minutes; a stop does not wait for it.
      // The code for external results is loaded now: under load, every file of it would wait for the event loop.
      await Promise.race([Promise.all([app.prepare(), app.web.federatedSearch?.()]), aborted(stop)]);
      if (stop.aborted) return;
      notReady = undefined;
      sayReady(server.url, app.engine.status().pages, config);
      if (admin) sayAdmin(server.url, admin.token);
      stop.addEventListener('abort', logWhenGone(app, log), { once: true });
      const recrawl = config.recrawl && !app.isFrontEnd ? recrawlUntil(stop, app, log) : undefined;
      await aborted(stop);
      sayStopping();
      await Promise.all([server.close(), recrawl, admin?.close()]);
    } finally {
      await server.close();
    }
  } finally {
    await app.close();
  }
}

function endNow(): void {
  sayTooSlow();
  process.exit(1);
}
