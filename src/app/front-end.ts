import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterConfig } from '../config/cluster-settings.ts';
import { ServiceError } from '../contract/errors.ts';
import { canonicalUrl } from '../crawl/url/canonical-url.ts';
import { createEngine, type EngineParts } from '../engine/engine.ts';
import { createOnDemandFetch } from '../engine/on-demand-fetch.ts';
import { createClusterIndex } from '../index/opensearch/cluster-index.ts';
import { createClusterPages } from '../index/opensearch/cluster-pages.ts';
import { clusterNames } from '../index/opensearch/generation.ts';
import { createHandOver } from '../index/opensearch/hand-over.ts';
import { apiKeysTable } from '../limits/api-keys.ts';
import { createAbsentStore } from '../store/absent-store.ts';
import type { PageSource } from '../store/loadable-pages.ts';
import { pageId } from '../store/page/page-id.ts';
import { createPageWriter } from '../store/page-writer.ts';
import { createUpkeep } from '../store/upkeep.ts';
import { type App, type AppOptions, providersOf } from './app.ts';
import { clientOf, hearEveryMs } from './cluster-back-end.ts';
import { createGivePages } from './hand-over.ts';
import { liveDomainRules } from './live/domain-rules-file.ts';
import { createSharedKeys } from './shared-keys.ts';
import { type ClosableWeb, createWeb, type WebParts } from './web.ts';

/** An app without a data folder: everything that answers comes from the cluster, and nothing is stored. */
export async function openFrontEnd(options: AppOptions, cluster: ClusterConfig): Promise<App> {
  const { config, log, now = Date.now, watchers = {}, learns = false } = options;
  const client = clientOf(cluster);
  const names = clusterNames(cluster.prefix);
  const index = createClusterIndex({ client, names, now, settledSeq: () => 0, withHeads: true });
  const pages = createClusterPages({ client, index });
  const keys = createSharedKeys({ client, names });
  const store = createAbsentStore({ [apiKeysTable]: keys });
  // What providers of external results note of themselves lasts as long as the process.
  const scratch = mkdtempSync(join(tmpdir(), 'gleaner-'));
  const providers = providersOf({ ...options, config: { ...config, dataFolder: scratch } });
  const { openPool = providers.openPool } = options;
  const catchUp = async (): Promise<void> => {};
  const upkeep = createUpkeep({ store, catchUp });
  const { allowPrivate = false, contact } = config;
  const webConfig = { allowPrivate, contact };
  const givePages = learns
    ? createGivePages({ handOver: createHandOver(client, names, now), log, now })
    : undefined;
  const web = webOver(pages, givePages, {
    store,
    catchUp,
    upkeep,
    config: webConfig,
    openPool,
    learns: false,
    now,
    log,
  });
  const hear = async (): Promise<void> => {
    await Promise.all([index.hear(), keys.read()]);
  };
  const timer = setInterval(() => void hear(), hearEveryMs).unref();
  const engineParts: EngineParts = {
    pages,
    index,
    rules: liveDomainRules(config, { now, warn: (message) => log.warn({}, message) }),
    now,
    log,
    web,
    onPhase: watchers.onPhase,
  };
  return {
    isFrontEnd: true,
    store,
    index,
    follower: { catchUp, stop: catchUp },
    clusterState: () => ({
      unavailable: index.trouble(),
      feed: 'elsewhere',
      feedProblem: undefined,
      lag: 0,
      failedPages: 0,
    }),
    engine: createEngine(engineParts),
    publicEngine: createEngine({ ...engineParts, publicOnly: true }),
    pageWriter: createPageWriter({ store, catchUp, upkeep }),
    web,
    providerStates: providers.states,
    prepare: hear,
    close: async () => {
      clearInterval(timer);
      await web.close();
      await index.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

const handedOver =
  'this page is not in the index yet, and the machine that crawls was asked to read it: ask again in some minutes, or work with the title and snippet of the search result';

/** Reads pages by their URLs from the cluster, and visits none: it hands over what is to be learned. */
function webOver(
  pages: PageSource,
  givePages: ((urls: readonly string[]) => Promise<void>) | undefined,
  parts: WebParts,
): ClosableWeb {
  const { store, now } = parts;
  return {
    ...createWeb(parts),
    crawlSite: undefined,
    reader: async () => async (url, asked) => {
      const reader = pages.open();
      const known = canonicalUrl(url);
      if (known !== null) await reader.loadPage?.(pageId(known));
      const read = createOnDemandFetch({ store: { ...store, page: reader.page }, canonicalUrl, now });
      if (!givePages || known === null || reader.page(pageId(known))) return read(url, asked);
      await givePages([known]);
      throw new ServiceError('not_found', handedOver);
    },
    onShown: (urls) => void givePages?.(urls),
  };
}
