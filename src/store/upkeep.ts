import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../contract/errors.ts';
import { createCopies } from './duplicates/near-duplicates.ts';
import { createHostFacts, type Mending, mendingTable } from './host/host-facts.ts';
import { hostPagesTable, type PageFeatures } from './host/host-pages.ts';
import type { PageStore, Writer } from './page-store.ts';

/** Brings earlier pages in line with what is known by now. */
export interface Upkeep {
  /** Begins in the background where something is due, and goes on until nothing is. */
  start(): void;
  /** Goes on without pauses, and resolves once nothing is due. */
  settled(): Promise<void>;
  /** Ends after the slice under way. The next process that writes goes on. */
  stop(): Promise<void>;
}

interface UpkeepParts {
  readonly store: PageStore;
  /** Brings this process's index up to the store. */
  readonly catchUp: () => Promise<void>;
  /** Told of what is our own mistake; a store that is closed is none. */
  readonly onError?: (error: unknown) => void;
}

/** So many pages are seen to in one transaction: some milliseconds. */
const slicePages = 32;
/** In the background, what else the process does comes between two slices. */
const pauseMs = 50;
/** The rules for copies and for what is noted of a page; raised, all pages are reviewed once. */
const rulesVersion = 1;

/** How far the review of the pages of older versions has come. */
interface Review {
  readonly version: number;
  /** First all pages are noted, because copies are told from their siblings by what a host's pages share. */
  readonly step: 'note' | 'file' | 'done';
  /** The id to go on after. */
  readonly after: string;
}

const reviewTable = 'review';
const reviewKey = 'pages';

/**
 * The work is in two queues in the store, so that a process that ends leaves it to the next: pages of a folder of an
 * older version are noted for `host-facts.ts` and filed as copies by the rules of today; and where a host's facts have
 * changed, its pages that read otherwise now go to the change log, to be indexed again. A slice is a transaction of its
 * own, and other writes come between.
 */
export function createUpkeep({ store, catchUp, onError = () => {} }: UpkeepParts): Upkeep {
  const reviews = store.table<Review>(reviewTable);
  const mendings = store.table<Mending>(mendingTable);
  const hostPages = store.table<PageFeatures>(hostPagesTable);
  const copies = createCopies(store);
  const hostFacts = createHostFacts(store);
  let running: Promise<void> | undefined;
  let stopped = false;
  let isHurried = false;

  const reviewOf = (): Review => {
    const found = reviews.get(reviewKey);
    return found?.version === rulesVersion ? found : { version: rulesVersion, step: 'note', after: '' };
  };
  const isDue = (): boolean => reviewOf().step !== 'done' || mendings.count() > 0;

  const reviewSlice = (writer: Writer, { step, after }: Review): void => {
    let last = after;
    let count = 0;
    for (const { id } of store.heads(after)) {
      const page = store.source(id);
      if (page && step === 'note') hostFacts.note(writer, page);
      if (page && step === 'file') copies.review(writer, id);
      last = id;
      if (++count === slicePages) break;
    }
    const goesOn = count === slicePages;
    const next = goesOn ? step : step === 'note' ? 'file' : 'done';
    writer.put(reviews, reviewKey, { version: rulesVersion, step: next, after: goesOn ? last : '' });
  };

  const mendSlice = (writer: Writer): void => {
    const [next] = mendings.entries({ limit: 1 });
    if (!next) return;
    const [host, { from, changed }] = next;
    const pages = [...hostPages.entries({ from, to: `${host} \uffff`, limit: slicePages })];
    for (const [key, features] of pages)
      if (features.some((hash) => changed.includes(hash))) writer.reindexPage(key.slice(host.length + 1));
    const last = pages.at(-1)?.[0];
    if (pages.length < slicePages || last === undefined) writer.delete(mendings, host);
    else writer.put(mendings, host, { from: `${last}\0`, changed });
  };

  const slice = (writer: Writer): boolean => {
    const review = reviewOf();
    if (review.step !== 'done') reviewSlice(writer, review);
    else mendSlice(writer);
    return isDue();
  };

  const run = async (): Promise<void> => {
    try {
      do await wait(isHurried ? 0 : pauseMs);
      while (!stopped && (await store.edit(slice)));
      if (!stopped) await catchUp();
    } catch (error) {
      // Closed meanwhile: the next process goes on.
      stopped = true;
      if (!(error instanceof ServiceError)) onError(error);
    }
  };

  const start = (): void => {
    if (stopped || running || !isDue()) return;
    running = run().finally(() => {
      running = undefined;
    });
  };

  return {
    start,
    settled: async () => {
      isHurried = true;
      while (!stopped && isDue()) {
        start();
        await running;
      }
      isHurried = false;
      await running;
    },
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}
