import type { Config } from '../config/config.ts';
import { createEngine, type Engine, type EngineParts } from '../engine/engine.ts';
import type { OnPhase } from '../engine/phase-timer.ts';
import { createStoredPages } from '../engine/stored-pages.ts';
import type { ObserveProvider, ProviderPool } from '../external/provider-pool.ts';
import type { Follower } from '../index/follow.ts';
import type { SegmentFiles } from '../index/packed/segment-files.ts';
import type { PageIndex } from '../index/page-index.ts';
import type { OpenSearchThreads } from '../index/threads/search-threads.ts';
import type { Clock, Log } from '../runtime.ts';
import { openPageStore } from '../store/lmdb-store.ts';
import type { PageStore } from '../store/page-store.ts';
import { createPageWriter, type PageWriter } from '../store/page-writer.ts';
import { createUpkeep } from '../store/upkeep.ts';
import { type Elsewhere, providersElsewhere } from './elsewhere.ts';
import { type IndexBackEnd, openEmbeddedBackEnd } from './index-back-end.ts';
import { openLazyClusterBackEnd } from './lazy-cluster-back-end.ts';
import { liveDomainRules } from './live/domain-rules-file.ts';
import { createPartWriter, dividedUrls } from './part-writer.ts';
import { createProviders, type Providers } from './providers.ts';
import { type ClosableWeb, createWeb } from './web.ts';

/** The parts of a running service. They are created and connected here only. */
export interface App {
  /** Whether it has no data folder: it answers from a cluster, and stores nothing. */
  readonly isFrontEnd: boolean;
  readonly store: PageStore;
  readonly index: PageIndex;
  readonly follower: Follower;
  readonly clusterState: IndexBackEnd['clusterState'];
  readonly engine: Engine;
  /** The same without pages that were read with credentials. */
  readonly publicEngine: Engine;
  readonly pageWriter: PageWriter;
  readonly web: ClosableWeb;
  /** The state of each external provider; see `Providers`. */
  readonly providerStates: Providers['states'];
  /**
   * Resolves once everything in the store can be found: packs large backlogs, applies small ones. With an index in a
   * cluster it does not wait for that: searches are late by the lag of the cluster.
   */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Pick<Config, 'dataFolder'> &
    Partial<
      Pick<
        Config,
        | 'allowPrivate'
        | 'contact'
        | 'credentials'
        | 'external'
        | 'mappedIndex'
        | 'cluster'
        | 'domainsFile'
        | 'render'
      >
    >;
  readonly log: Log;
  readonly now?: Clock;
  /** Opens the providers of external results when they are first needed: those of the configuration where not given. */
  readonly openPool?: () => Promise<ProviderPool>;
  /** Whether pages are visited: external results in the background, and URLs on request. */
  readonly learns?: boolean;
  readonly watchers?: Watchers;
  /** The process of this service that asks others and writes, where this one does not. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Opens the threads that share the work of dear searches. Without it, there are none. */
  readonly openSearchThreads?: OpenSearchThreads;
  /** Index files that were read while this module was loading. */
  readonly indexFiles?: SegmentFiles;
}

/** Callbacks for the metrics of a service. */
export interface Watchers {
  readonly onPhase?: OnPhase;
  readonly onAsked?: ObserveProvider;
}

/** Opens the data folder and the engine over it. Unpacked changes can be found once `prepare` has resolved. */
export function openApp(options: AppOptions): App {
  const { config, log, now = Date.now, learns = false, watchers = {}, indexFiles } = options;
  const { elsewhere, openSearchThreads } = options;
  const providers = providersOf(options);
  const { openPool = providers.openPool } = options;
  const { dataFolder, allowPrivate = false, contact, mappedIndex = true, cluster } = config;
  const rules = liveDomainRules(config, { now, warn: (message) => log.warn({}, message) });
  const store = openPageStore(dataFolder, {
    warn: (message) => log.warn({}, message),
    onDamage: (id, why) => log.error({ page: id, why }, 'a stored page is damaged: run "gleaner verify"'),
  });
  const backEnd = cluster
    ? openLazyClusterBackEnd({
        store,
        cluster,
        log,
        now,
        // This process visits pages.
        ...(learns && !elsewhere && { onHandedOver: (urls) => web.onShown(urls) }),
      })
    : openEmbeddedBackEnd({
        store,
        log,
        dataFolder,
        mappedIndex,
        openSearchThreads,
        packs: !elsewhere,
        files: indexFiles,
      });
  const { index, follower, clusterState } = backEnd;
  const { catchUp } = follower;
  const upkeep = createUpkeep({
    store,
    catchUp,
    onError: (err) => log.error({ err }, 'earlier pages could not be brought up to date'),
  });
  const part = cluster?.part;
  // The pages of other machines are left to them.
  const givePages = (urls: readonly string[]): void => backEnd.givePages?.(urls);
  const writerOf = (writer: PageWriter) => createPartWriter(writer, part, givePages);
  const web = createWeb({
    store,
    catchUp,
    upkeep,
    config: { allowPrivate, contact, credentials: config.credentials, render: config.render },
    rules,
    openPool,
    elsewhere,
    learns,
    writerOf,
    now,
    log,
  });
  const engineParts: EngineParts = {
    pages: backEnd.pages ?? createStoredPages(store),
    index,
    rules,
    now,
    log,
    web: part ? { ...web, onShown: dividedUrls(part, web.onShown, givePages) } : web,
    onPhase: watchers.onPhase,
  };
  return {
    isFrontEnd: false,
    store,
    index,
    follower,
    clusterState,
    engine: createEngine(engineParts),
    publicEngine: createEngine({ ...engineParts, publicOnly: true }),
    pageWriter: writerOf(createPageWriter({ store, catchUp, upkeep })),
    web,
    providerStates: providers.states,
    prepare: async () => {
      await backEnd.prepare();
      // Pages of an older version are updated in the background.
      if (!elsewhere) upkeep.start();
    },
    close: async () => {
      await web.close();
      await upkeep.stop();
      await backEnd.close();
      await store.close();
    },
  };
}

/** The providers that the configuration turns on; without any, every result is local. */
export function providersOf({ config, log, now = Date.now, watchers, elsewhere }: AppOptions): Providers {
  const { external, dataFolder, contact } = config;
  if (external === undefined) return { openPool: undefined, states: () => ({}) };
  const parts = {
    config: { external, dataFolder, contact },
    log,
    now,
    onProviderState: watchers?.onAsked,
  };
  return elsewhere ? providersElsewhere(parts, elsewhere) : createProviders(parts);
}
