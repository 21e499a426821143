import type { Elsewhere } from '../../app/elsewhere.ts';
import type { Readiness } from '../../http/health.ts';
import { listen } from '../../http/serve.ts';
import { createSharedAdmission } from '../../limits/shared-admission.ts';
import { logWhenGone, openHttpService } from '../http-service.ts';
import { aborted } from '../stop-signal.ts';
import type { Peer } from './calls.ts';
import type { ChildContext, PrimaryOffer } from './protocol.ts';

/** The primary decides in microseconds: without a decision in this time the service is overloaded. */
const limitsTimeoutMs = 1_000;
/** What a search that waits for the background process may take longer than the deadline of providers. */
const searchGraceMs = 250;
/** An on-demand fetch, and the start of a background process. */
const readTimeoutMs = 35_000;
/** A crawl for a client, and the start of a background process. */
const crawlTimeoutMs = 58_000;
/** A scrape of all processes. */
const metricsTimeoutMs = 2_000;

/** One of the processes that answer. It reads the data folder and never writes to it. */
export async function serveAsWorker(parts: ChildContext): Promise<void> {
  const { config, log, primary, beginning, prepared, stopping, stop, offer } = parts;
  let notReady: Readiness['notReady'] = 'starting';
  stopping.addEventListener('abort', () => {
    notReady = 'stopping';
  });
  const admission = createSharedAdmission({
    ask: (requests) => primary.call('limits', requests, { timeoutMs: limitsTimeoutMs }),
    maxInFlight: config.limits.maxInFlight,
  });
  const { app, routes, metrics } = await openHttpService({
    config,
    log,
    admission,
    notReady: () => notReady,
    sessionSecret: beginning.sessionSecret,
    elsewhere: throughPrimary(primary),
    otherMetrics: () => primary.call('metrics', null, { timeoutMs: metricsTimeoutMs }),
  });
  const prepare = async (): Promise<void> => {
    await Promise.race([prepared, aborted(stop)]);
    if (stop.aborted) return;
    await Promise.race([Promise.all([app.prepare(), app.web.federatedSearch?.()]), aborted(stop)]);
  };
  try {
    if (metrics) offer({ metrics: metrics.snapshot });
    // A replacement takes no connection before it can answer all it may be asked.
    if (beginning.isPrepared) await prepare();
    if (stop.aborted) return;
    const server = await listen({ app: routes, host: config.host, port: beginning.port });
    try {
      await primary.call('listening', server.url);
      await prepare();
      if (stop.aborted) return;
      if (!stopping.aborted) notReady = undefined;
      await primary.call('ready', app.engine.status().pages);
      stop.addEventListener('abort', logWhenGone(app, log), { once: true });
      await aborted(stop);
    } finally {
      await server.close();
    }
  } finally {
    await app.close();
  }
}

function throughPrimary(primary: Peer<PrimaryOffer>): Elsewhere {
  return {
    search: (request, signal) =>
      primary.call('search', request, { signal, timeoutMs: request.deadlineMs + searchGraceMs }),
    read: (request, signal) => primary.call('read', request, { signal, timeoutMs: readTimeoutMs }),
    crawl: (request, signal) => primary.call('crawl', request, { signal, timeoutMs: crawlTimeoutMs }),
    shown: (urls) => {
      // What is not learned now is learned with a later search.
      primary.call('shown', urls).catch(() => {});
    },
  };
}
