import { packageRoot, version } from '../../app/about.ts';
import { type App, openApp } from '../../app/app.ts';
import type { StoredRead } from '../../app/elsewhere.ts';
import { createProviders } from '../../app/providers.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ProviderPool } from '../../external/provider-pool.ts';
import { createMetrics, type Metrics } from '../../http/metrics/metrics.ts';
import { loadDocsPages } from '../../http/pages/docs.ts';
import { logWhenGone, recrawlUntil } from '../http-service.ts';
import { localUrl } from '../local-url.ts';
import { keepOwnDocs, ownDocsFailed } from '../own-docs.ts';
import { serviceState } from '../service-state.ts';
import { aborted } from '../stop-signal.ts';
import type { BackgroundOffer, ChildContext } from './protocol.ts';

/** The one process that writes: it prepares and packs the index, visits pages, and asks providers for the workers. */
export async function workInBackground(parts: ChildContext): Promise<void> {
  const { config, log, primary, url, stopping, stop, offer } = parts;
  // It asks providers for the workers; no search of its own adds external results.
  const { external, ...withoutExternal } = config;
  const { dataFolder, contact, learn = false } = withoutExternal;
  let metrics: Metrics | undefined;
  const providers = createProviders({
    config: { external, dataFolder, contact },
    log,
    now: Date.now,
    onProviderState: (provider, state) => metrics?.onProviderState(provider, state),
  });
  let pool: Promise<ProviderPool> | undefined;
  const app = openApp({ config: withoutExternal, log, learns: learn });
  try {
    const state = async () => {
      const { providerStates, ...rest } = app;
      return serviceState({ ...rest, providerStates: providers.states }, dataFolder);
    };
    if (config.metrics !== 'off') {
      metrics = createMetrics({
        state,
        admissionStats: noAdmission,
        access: 'private',
        others: async () => [],
      });
      offer({ metrics: metrics.snapshot });
    }
    const prepare = async (address: string): Promise<void> => {
      const docs = await loadDocsPages(packageRoot);
      await keepOwnDocs({ ...app, docs, origin: localUrl(address), version, now: Date.now }).catch(
        ownDocsFailed,
      );
      await Promise.race([app.prepare(), aborted(stop)]);
    };
    offer({
      ...backgroundOffer(app),
      search: async ({ request, deadlineMs }, signal) => {
        if (!providers.openPool) throw new ServiceError('unavailable', 'this process asks no other service');
        pool ??= providers.openPool();
        const answer = await (await pool).searchAll(request, { deadlineMs, signal });
        return { answer, states: providers.states() };
      },
    });
    await primary.call('ready', app.engine.status().pages);
    await Promise.race([url.then(prepare), aborted(stop)]);
    if (stop.aborted) return;
    await primary.call('prepared', null);
    stop.addEventListener('abort', logWhenGone(app, log), { once: true });
    const recrawl = config.recrawl ? recrawlUntil(stopping, app, log) : undefined;
    await aborted(stop);
    await recrawl;
  } finally {
    await (await pool)?.close();
    await app.close();
  }
}

function backgroundOffer({ web }: App): Pick<BackgroundOffer, 'read' | 'crawl' | 'shown'> {
  return {
    read: async ({ url, isAnonymous }, signal): Promise<StoredRead> => {
      const { page, isStored, notVisited } = await (await web.reader())(url, { signal, isAnonymous });
      const notice = notVisited !== undefined && { notVisited };
      return { id: page.id, page: isStored ? null : page, ...notice };
    },
    crawl: (request, signal) => {
      if (!web.crawlSite) throw new ServiceError('unavailable', 'this process has no crawler');
      return web.crawlSite(request, { signal });
    },
    shown: web.onShown,
  };
}

/** It answers no requests. */
const noAdmission = () => ({ inFlight: 0, waiting: 0, serviceMs: 0, clients: {} });
