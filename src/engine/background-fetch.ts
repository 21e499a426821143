import type { VisitAndKeep } from '../crawl/visit-and-keep.ts';
import type { Clock, Log } from '../runtime.ts';
import { pageId } from '../store/page/page-id.ts';
import type { PageStore } from '../store/page-store.ts';
import { addressKey } from '../text/address-key.ts';

/** Reads in the background what searches found elsewhere, so that the next search finds it here. */
export interface BackgroundFetch {
  /** Queues pages, best first, to be visited when nobody waits for another visit. What does not fit is dropped. */
  offer(urls: readonly string[]): void;
  /** Looks, in the background, at what the site of a page that was read has for agents. */
  lookAtSite(url: string): void;
  /** Under which address the page is kept that was found under another; the same for all that is not known. */
  homeOf(addressKey: string): string;
  /** Starts no visit until the function that it returns is called: somebody waits for a page. */
  hold(): () => void;
  /** Resolves once nothing is queued and nothing under way, so not while visits are held. */
  settled(): Promise<void>;
  /** Ends what is under way and takes nothing more. */
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
/** A page that was crawled or tried within this time is left alone. */
const freshMs = 24 * hourMs;
const revisitAfterMs = hourMs;
const maxRemembered = 5000;

export function createBackgroundFetch(parts: BackgroundFetchParts): BackgroundFetch {
  const { store, visitAndKeep, checkLlmsTxt, now, log, maxQueued = 64, concurrency = 2 } = parts;
  const queue = new Set<string>();
  /** When a page was visited last, by its URL. */
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
   * Why nothing could be kept of what would be read now: another process that writes may crawl for hours, and a disk be
   * full for as long.
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
      // What was asked for last is what may be asked for next.
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
