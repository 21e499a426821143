import { ServiceError } from '../contract/errors.ts';
import type { OnDemandFetch } from '../engine/on-demand-fetch.ts';
import type { SiteCrawlReport, SiteCrawlRequest } from '../engine/site-crawl.ts';
import type { PoolAnswer, ProviderPool } from '../external/provider-pool.ts';
import type { ProviderRequest } from '../external/search-provider.ts';
import type { Page } from '../page.ts';
import type { PageStore } from '../store/page-store.ts';
import { createProviders, type Providers, type ProvidersParts } from './providers.ts';

/**
 * Another process of this service that asks providers, visits pages and writes for this one, so that the pace of hosts and
 * providers is kept in one place.
 */
export interface Elsewhere {
  /** Rejects when that process gives no answer, or with the signal's reason. */
  search(request: SearchElsewhere, signal: AbortSignal | undefined): Promise<SearchedElsewhere>;
  /** Throws as `OnDemandFetch`; `unavailable` when that process gives no answer. */
  read(request: ReadElsewhere, signal: AbortSignal | undefined): Promise<StoredRead>;
  /** Throws as `CrawlSite`; `unavailable` when that process gives no answer. */
  crawl(request: SiteCrawlRequest, signal: AbortSignal | undefined): Promise<SiteCrawlReport>;
  /** The external results that were shown, best first. */
  shown(urls: readonly string[]): void;
}

export interface SearchElsewhere {
  readonly request: ProviderRequest;
  readonly deadlineMs: number;
}

export interface SearchedElsewhere {
  readonly answer: PoolAnswer;
  /** As `Providers.states`. */
  readonly states: Record<string, string>;
}

export interface ReadElsewhere {
  readonly url: string;
  readonly isAnonymous: boolean;
}

/** A page that was read: its id if it is stored, else the page itself. */
export interface StoredRead {
  readonly id: string;
  readonly page: Page | null;
  readonly notVisited?: string;
}

/** The providers of the settings, asked by the other process. */
export function providersElsewhere(parts: ProvidersParts, elsewhere: Elsewhere): Providers {
  const own = createProviders(parts);
  let states = own.states();

  const searchElsewhere =
    ({ providers, deadlineMs: defaultMs }: ProviderPool): ProviderPool['searchAll'] =>
    async (request, { signal, deadlineMs = defaultMs } = {}) => {
      try {
        const searched = await elsewhere.search({ request, deadlineMs }, signal);
        states = searched.states;
        return searched.answer;
      } catch {
        signal?.throwIfAborted();
        return { answers: [], states: providers.map(({ name }) => ({ provider: name, state: notAsked })) };
      }
    };

  const { openPool } = own;
  return {
    openPool:
      openPool &&
      (async () => {
        const pool = await openPool();
        return { ...pool, searchAll: searchElsewhere(pool) };
      }),
    states: () => states,
  };
}

const notAsked = {
  kind: 'failed',
  why: 'unavailable',
  message: 'the process of this service that asks other services is being started again',
  tookMs: 0,
} as const;

interface ReaderElsewhereParts {
  readonly store: PageStore;
  /** Brings this process's index up to the store. */
  readonly catchUp: () => Promise<void>;
  readonly elsewhere: Elsewhere;
}

/** Reads pages by their URL through the other process, and those that are stored from the store. */
export function createReaderElsewhere({ store, catchUp, elsewhere }: ReaderElsewhereParts): OnDemandFetch {
  return async (url, { signal, isAnonymous = false } = {}) => {
    const { id, page: unstored, notVisited } = await elsewhere.read({ url, isAnonymous }, signal);
    const notice = notVisited !== undefined && { notVisited };
    if (unstored) return { page: unstored, isStored: false, ...notice };
    await catchUp();
    const page = store.page(id);
    if (!page) throw new ServiceError('not_found', 'the page was removed in this moment: read it again');
    return { page, isStored: true, ...notice };
  };
}
