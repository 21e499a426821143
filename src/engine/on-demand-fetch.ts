import { setTimeout as sleep } from 'node:timers/promises';
import { createSingleFlightCache } from '../async/single-flight-cache.ts';
import { invalidParameters, ServiceError } from '../contract/errors.ts';
import type { KeptVisit, VisitAndKeep } from '../crawl/visit-and-keep.ts';
import type { Page } from '../page.ts';
import type { Clock } from '../runtime.ts';
import { pageId } from '../store/page/page-id.ts';
import type { PageStore } from '../store/page-store.ts';

export interface ReadOptions {
  /** Whether the visit goes without the operator's credentials. */
  readonly isAnonymous?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A page, and whether it is stored. Only stored pages can be requested by their id. */
export interface FetchedPage {
  readonly page: Page;
  readonly isStored: boolean;
  /** Why the page could not be visited now. If set, `page` is the stored copy of an earlier visit. */
  readonly notVisited?: string;
}

/**
 * Reads the page at a URL. If it cannot be visited now, returns the stored copy and the reason, unless the site says that
 * the page is gone or must not be indexed. Throws a `ServiceError`: `invalid_parameters` if the URL is not the address of
 * a page, `not_found` if the page is gone, `unreadable` with the reason if it may not or cannot be read.
 */
export type OnDemandFetch = (url: string, options?: ReadOptions) => Promise<FetchedPage>;

export interface OnDemandFetchParts {
  readonly store: PageStore;
  readonly canonicalUrl: (url: string) => string | null;
  /** Without it no pages are visited, and only stored pages can be read. */
  readonly visitAndKeep?: VisitAndKeep | undefined;
  /** The same without credentials; what has none leaves it out. */
  readonly visitAnonymously?: VisitAndKeep | undefined;
  /** Holds background visits until the returned function is called. */
  readonly hold?: (() => () => void) | undefined;
  /** Called for each page that was visited and stored. */
  readonly onStored?: ((url: string) => void) | undefined;
  /** Called for every page that was visited and could not be stored. */
  readonly onNotStored?: ((url: string) => void) | undefined;
  readonly now: Clock;
  /** For one visit with robots.txt and redirects. Less than the timeout of MCP clients, 60 s. */
  readonly timeoutMs?: number;
}

/** A page is not fetched again within this time, by any client, so that all windows of a text are of one version. */
const keepMs = 10 * 60 * 1000;
const maxCachedBytes = 32 * 1024 * 1024;
/** The same message for unknown hosts and for hosts in private networks: see `KeptVisit`. */
const outOfReach = 'there is no host on the public internet at this URL';
/** Minimum time for these answers, so that their time does not reveal whether a name exists in a private network. */
const minOutOfReachMs = 400;

export function createOnDemandFetch(parts: OnDemandFetchParts): OnDemandFetch {
  const { store, canonicalUrl, visitAndKeep, onStored, onNotStored, now, timeoutMs = 25_000 } = parts;
  const { hold = () => () => {}, visitAnonymously = visitAndKeep } = parts;
  const visits = createSingleFlightCache<KeptVisit>({
    ttlMs: ({ kind }) => (kind === 'page' ? keepMs : 0),
    bytesOf: (visit) => (visit.kind === 'page' ? 2 * visit.page.body.length + 4096 : 4096),
    maxBytes: maxCachedBytes,
    now,
  });

  const visitNow = async (url: string, visit: VisitAndKeep, signal: AbortSignal): Promise<KeptVisit> => {
    const late = AbortSignal.timeout(timeoutMs);
    const release = hold();
    const soonest = sleep(minOutOfReachMs, undefined, { ref: false });
    try {
      const visited = await visit(url, AbortSignal.any([signal, late]));
      if (visited.kind === 'page') (visited.isStored ? onStored : onNotStored)?.(visited.url);
      if (visited.kind !== 'never' || !visited.isOutOfReach) return visited;
      await soonest;
      return { ...visited, why: outOfReach };
    } catch (error) {
      signal.throwIfAborted();
      if (!late.aborted) throw error;
      return { kind: 'later', url, why: `no whole answer within ${timeoutMs / 1000} seconds`, seconds: 30 };
    } finally {
      release();
    }
  };

  return async (requestedUrl, { signal, isAnonymous = false } = {}) => {
    const url = canonicalUrl(requestedUrl);
    if (url === null) {
      const message = 'must be the http or https URL of a page, without credentials';
      throw invalidParameters([{ parameter: 'url', message }]);
    }
    const storedPage = store.page(pageId(url));
    if (visitAndKeep === undefined) {
      if (storedPage) return { page: storedPage, isStored: true };
      throw new ServiceError(
        'not_found',
        'this page is not in the index, and this server visits no pages on request (GLEANER_LEARN=1 lets it): work with the title and snippet of the search result',
      );
    }
    if (storedPage && now() - storedPage.crawledAt < keepMs) return { page: storedPage, isStored: true };
    const visitor = (isAnonymous && visitAnonymously) || visitAndKeep;
    const key = `${isAnonymous ? 'anonymous ' : ''}${url}`;
    const visit = await visits.get(key, (shared) => visitNow(url, visitor, shared), signal);
    if (visit.kind === 'page') return visit;
    // An older text, with its crawl time, is better than none, unless the site has withdrawn the page.
    if (visit.kind === 'later' || (visit.kind === 'never' && !visit.isWithdrawn)) {
      const copy = store.page(pageId(visit.url)) ?? store.page(pageId(url));
      if (copy) return { page: copy, isStored: true, notVisited: visit.why };
    }
    throw refusal(visit);
  };
}

const whatElse = 'work with the title and snippet of the search result, or read another page';

const drawnAdvice =
  "the page has no text without its scripts, and its site ships none beside them. Do not read it again: look for its words with web_search, read the site's llms.txt, or work with the title and snippet of the search result";

function refusal(visit: Exclude<KeptVisit, { kind: 'page' }>): ServiceError {
  switch (visit.kind) {
    case 'gone':
      return new ServiceError('not_found', 'the site has no page at this URL: look for it with web_search');
    case 'later': {
      const message = `${visit.why}: ${whatElse}, or try again later`;
      return new ServiceError('unreadable', message, { retryAfterSeconds: Math.ceil(visit.seconds) });
    }
    case 'never':
      return new ServiceError(
        'unreadable',
        visit.isDrawn ? `${visit.why}: ${drawnAdvice}` : `${visit.why}: ${whatElse}`,
      );
  }
}
