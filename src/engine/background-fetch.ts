import type { VisitAndKeep } from '../crawl/visit-and-keep.ts';
import type { Clock, Log } from '../runtime.ts';
import { pageId } from '../store/page/page-id.ts';
import type { PageStore } from '../store/page-store.ts';
import { addressKey } from '../text/address-key.ts';

/** Fetches pages of external results in the background, so that the next search has them in the local index. */
export interface BackgroundFetch {
  /** Queues pages, best first. They are visited while no visit is held. When the queue is full, the oldest are dropped. */
  offer(urls: readonly string[]): void;
  /** Checks in the background whether the site of a page has an llms.txt. */
  lookAtSite(url: string): void;
  /** The address under which a page is stored that was found under another one; the address itself if unknown. */
  homeOf(addressKey: string): string;
  /** Starts no visits until the returned function is called: a client is waiting for a page. */
  hold(): () => void;
  /** Resolves once no visit is under way. While visits are held, pages may still be queued. */
  settled(): Promise<void>;
  /** Aborts all visits and accepts no more pages. */
  stop(): Promise<void>;
}

export interface BackgroundFetchParts {
  readonly store: PageStore;
  readonly visitAndKeep: VisitAndKeep;
  readonly checkLlmsTxt: (url: string, signal?: AbortSignal) => Promise<unknown>;
  readonly now: Clock;
  readonly log: Log;
  readonly maxQueued?: number;
  readonly concurrency?: number;
}

const hourMs = 60 * 60 * 1000;
/** A page that was crawled within this time is not visited again. */
const freshMs = 24 * hourMs;
/** A page that was tried within this time, with any outcome, is not tried again. */
const revisitAfterMs = hourMs;
const maxRemembered = 5000;

export function createBackgroundFetch(parts: BackgroundFetchParts): BackgroundFetch {
  const { store, visitAndKeep, checkLlmsTxt, now, log, maxQueued = 64, concurrency = 2 } = parts;
  const queue = new Set<string>();
  /** Time of the last visit by URL. */
  const lastVisits = new Map<string, number>();
  const homes = new Map<string, string>();
  const ended = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let holds = 0;
  let onIdle: (() => void)[] = [];

  const isWanted = (url: string): boolean =>
    now() - (store.head(pageId(url))?.crawledAt ?? 0) > freshMs &&
    now() - (lastVisits.get(url) ?? 0) > revisitAfterMs;

  /**
   * Why a page could not be stored now; undefined if it could. Another process may crawl, and so hold the writer's lock,
   * for hours, and a disk may be full for as long.
   */
  const storageProblem = async (): Promise<string | undefined> => {
    const health = store.health();
    if (health.kind !== 'ok') return health.why;
    try {
      await store.write(() => {});
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

  const fetchPage = async (url: string): Promise<void> => {
    remember(lastVisits, url, now());
    const why = await storageProblem();
    if (why !== undefined) {
      log.info({ url, why }, 'not learned: it could not be stored');
      lastVisits.delete(url);
      queue.clear();
      return;
    }
    const visit = await visitAndKeep(url, ended.signal);
    if (visit.kind === 'page') {
      if (visit.url !== url) remember(homes, addressKey(url), addressKey(visit.url));
      await checkLlmsTxt(visit.url, ended.signal);
    }
    log.debug(
      { url, outcome: visit.kind, ...('why' in visit && { why: visit.why }) },
      'visited in the background',
    );
  };

  const next = (): void => {
    while (underWay.size < concurrency && holds === 0 && !ended.signal.aborted) {
      const [url] = queue;
      if (url === undefined) break;
      queue.delete(url);
      start(url, fetchPage(url));
    }
    if (queue.size > 0 || underWay.size > 0) return;
    for (const wake of onIdle) wake();
    onIdle = [];
  };

  const start = (url: string, work: Promise<unknown>): void => {
    const job = work
      .catch((error: unknown) => {
        if (!ended.signal.aborted) log.warn({ err: error, url }, 'a page could not be learned');
      })
      .finally(() => {
        underWay.delete(job);
        next();
      });
    underWay.add(job);
  };

  return {
    offer(urls) {
      if (ended.signal.aborted) return;
      for (const url of urls) if (isWanted(url)) queue.add(url);
      // The newest queries are the most likely to be repeated.
      for (const oldest of queue) {
        if (queue.size <= maxQueued) break;
        queue.delete(oldest);
      }
      next();
    },
    lookAtSite(url) {
      if (!ended.signal.aborted) start(url, checkLlmsTxt(url, ended.signal));
    },
    homeOf: (key) => homes.get(key) ?? key,
    hold() {
      let isHeld = true;
      holds += 1;
      return () => {
        if (isHeld) holds -= 1;
        isHeld = false;
        next();
      };
    },
    settled: () =>
      new Promise((resolve) => {
        onIdle.push(resolve);
        next();
      }),
    async stop() {
      ended.abort(new Error('the service is being closed'));
      queue.clear();
      await Promise.all(underWay);
      next();
    },
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxRemembered && oldest !== undefined) map.delete(oldest);
}
