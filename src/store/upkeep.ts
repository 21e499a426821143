import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../contract/errors.ts';
import type { Page } from '../page.ts';
import { createCopies } from './duplicates/near-duplicates.ts';
import { createHostFacts, type Mending, mendingTable } from './host/host-facts.ts';
import { hostPagesTable, type PageFeatures } from './host/host-pages.ts';
import { pageId } from './page/page-id.ts';
import { createPageIntake } from './page/page-intake.ts';
import { createStructures } from './page/structures.ts';
import { decodeUnreserved } from './page/unreserved.ts';
import type { PageStore, Writer } from './page-store.ts';

/** Updates earlier pages to the current rules and the current facts of their hosts. */
export interface Upkeep {
  /** Starts in the background if work is due, and continues until none is left. */
  start(): void;
  /** Works without pauses, and resolves once no work is due. */
  settled(): Promise<void>;
  /** Stops after the current slice. The next process that writes continues. */
  stop(): Promise<void>;
}

interface UpkeepParts {
  readonly store: PageStore;
  /** Brings this process's index up to the store. */
  readonly catchUp: () => Promise<void>;
  /** Called for unexpected errors; a closed store is not one. */
  readonly onError?: (error: unknown) => void;
}

/** Pages of one transaction: some milliseconds. */
const slicePages = 32;
/** Pause between two slices in the background, so that other work of the process goes on. */
const pauseMs = 50;
/** The version of the rules for addresses, copies and the facts of pages. When it is increased, all pages are reviewed once. */
const rulesVersion = 2;

/** Progress of the review of pages from older versions. */
interface Review {
  readonly version: number;
  /**
   * First pages move to the address that is canonical now, since all else is kept by their ids. Then the facts of all pages
   * are recorded, because copies are detected by them.
   */
  readonly step: 'move' | 'note' | 'file' | 'done';
  /** The last id that was reviewed. */
  readonly after: string;
}

const nextStep = { move: 'note', note: 'file', file: 'done', done: 'done' } as const;

const reviewTable = 'review';
const reviewKey = 'pages';

/**
 * The work is in two queues in the store, so that another process can continue it. First, pages of a folder of an older
 * version move to their canonical address, are recorded for `host-facts.ts`, and filed as copies by the current rules. Second, when the facts of a host
 * have changed, the affected pages go to the change log, to be indexed again. Each slice is a transaction, and other
 * writes come in between.
 */
export function createUpkeep({ store, catchUp, onError = () => {} }: UpkeepParts): Upkeep {
  const reviews = store.table<Review>(reviewTable);
  const mendings = store.table<Mending>(mendingTable);
  const hostPages = store.table<PageFeatures>(hostPagesTable);
  const copies = createCopies(store);
  const hostFacts = createHostFacts(store);
  const structures = createStructures(store);
  const pages = createPageIntake(store);
  let running: Promise<void> | undefined;
  let stopped = false;
  let isHurried = false;

  const reviewOf = (): Review => {
    const found = reviews.get(reviewKey);
    return found?.version === rulesVersion ? found : { version: rulesVersion, step: 'move', after: '' };
  };
  const isDue = (): boolean => reviewOf().step !== 'done' || mendings.count() > 0;

  /** Older versions kept escapes of unreserved characters. A page that is stored at both addresses is the newer one. */
  const move = (writer: Writer, page: Page): void => {
    const url = decodeUnreserved(page.url);
    if (url === page.url || !/^https?:/.test(url)) return;
    const id = pageId(url);
    if (!store.has(id)) {
      structures.copy(writer, page.id, id);
      pages.put(writer, { ...page, id, url });
    }
    pages.remove(writer, page.id);
  };

  const reviewSlice = (writer: Writer, { step, after }: Review): void => {
    let last = after;
    let count = 0;
    for (const { id } of store.heads(after)) {
      const page = store.source(id);
      if (page && step === 'move') move(writer, page);
      if (page && step === 'note') hostFacts.note(writer, page);
      if (page && step === 'file') copies.review(writer, id);
      last = id;
      if (++count === slicePages) break;
    }
    const goesOn = count === slicePages;
    const next = goesOn ? step : nextStep[step];
    writer.put(reviews, reviewKey, { version: rulesVersion, step: next, after: goesOn ? last : '' });
  };

  const mendSlice = (writer: Writer): void => {
    const [next] = mendings.entries({ limit: 1 });
    if (!next) return;
    const [host, { from, changed }] = next;
    const found = [...hostPages.entries({ from, to: `${host} \uffff`, limit: slicePages })];
    for (const [key, features] of found)
      if (features.some((hash) => changed.includes(hash))) writer.reindexPage(key.slice(host.length + 1));
    const last = found.at(-1)?.[0];
    if (found.length < slicePages || last === undefined) writer.delete(mendings, host);
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
      // The store was closed meanwhile: the next process continues.
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
