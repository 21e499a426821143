import { Worker } from 'node:worker_threads';
import type { Log } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';
import { readManifest } from './manifest.ts';
import type { PackResult } from './pack.ts';
import { termsVersion } from './terms-version.ts';

export interface CompactorOptions {
  readonly store: PageStore;
  readonly log: Log;
  readonly dataFolder: string;
  readonly indexFolder: string;
  /** Up to which entry of the change log the index is packed. */
  readonly packedSeq: () => number;
  /** Whether what is packed cannot be used, or has to be looked through, so that packing is due at once. */
  readonly needsPacking?: () => boolean;
}

/** How a packing ended. Whatever the outcome, the index is complete: what is not packed costs time at the next start. */
export type PackOutcome =
  | { readonly kind: 'packed' }
  /** Another process packs this data folder. What was stored after it began stays unpacked. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The compactor was closed before the end. */
  | { readonly kind: 'closed' };

export interface Compactor {
  /** Packs when much of the change log is not packed; at once done when it is not due or another process packs. */
  packWhenDue(): Promise<void>;
  /**
   * Packs whatever is in the store at the time of the call, such as at the end of a crawl: a packing under way is
   * followed by another one. Never rejects.
   */
  packNow(): Promise<PackOutcome>;
  /** Ends a packing under way; what it has not committed is done again another time. */
  close(): Promise<void>;
}

/** So many unpacked entries make packing due: with fewer, a search of the live tier takes well under 1 ms. */
const maxUnpacked = 2000;
/** After a packing that failed, such as on a full disk, none is due for this long. */
const retryAfterFailureMs = 60_000;

/**
 * Keeps the live tier small. Packing runs in a worker thread, so searches go on; one process at a time packs a data
 * folder, and the others take over what it has packed. A packing that fails is logged, and tried when next due.
 */
export function createCompactor(options: CompactorOptions): Compactor {
  const { store, log, dataFolder, indexFolder, packedSeq, needsPacking = () => false } = options;
  let worker: Worker | undefined;
  let packing: Promise<PackOutcome> | undefined;
  let closed = false;
  let notBefore = Number.NEGATIVE_INFINITY;
  let hasCheckedTerms = false;

  /** Whether an older version packed the index: it answers as it did then until it is packed again. */
  const isOutdated = (): boolean => {
    if (hasCheckedTerms) return false;
    hasCheckedTerms = true;
    const manifest = readManifest(indexFolder);
    return manifest !== undefined && manifest.termsVersion !== termsVersion;
  };

  const runWorker = (): Promise<PackResult | undefined> =>
    new Promise((resolve, reject) => {
      worker = new Worker(workerFile, { workerData: { dataFolder, indexFolder } });
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => resolve(undefined));
    });

  const packOnce = async (): Promise<PackOutcome> => {
    let release: (() => Promise<void>) | undefined;
    try {
      if (closed) return { kind: 'closed' };
      release = await store.claimPlace('packer');
      if (!release) return { kind: 'busy' };
      if (closed) return { kind: 'closed' };
      const result = await runWorker();
      if (!result) return { kind: 'closed' };
      log.info(result, 'the index was packed');
      if (result.damaged) {
        log.error(
          { pages: result.damaged },
          'damaged pages were left out of the index: run "gleaner verify"',
        );
      }
      return { kind: 'packed' };
    } catch (error) {
      notBefore = performance.now() + retryAfterFailureMs;
      log.error({ err: error }, 'the index could not be packed; it is complete all the same, but slower');
      return { kind: 'failed', error };
    } finally {
      worker = undefined;
      // The place is free again when this process ends, at the latest.
      await release?.().catch((error: unknown) =>
        log.warn({ err: error }, "the packer's place was not given back"),
      );
    }
  };

  const join = (): Promise<PackOutcome> => {
    packing ??= packOnce().finally(() => {
      packing = undefined;
    });
    return packing;
  };

  return {
    packNow: async () => {
      // One that began before the call may have read the log too early.
      await packing;
      return join();
    },
    packWhenDue: async () => {
      if (performance.now() < notBefore) return;
      const unpacked = store.lastSeq() - packedSeq();
      // Negative: the store was put back from a copy older than the index, which is to be packed anew.
      if (unpacked >= maxUnpacked || unpacked < 0 || needsPacking()) await join();
      else if (isOutdated()) void join();
    },
    close: async () => {
      closed = true;
      await worker?.terminate();
      await packing;
    },
  };
}

const workerFile = new URL('./pack-worker.js', import.meta.url);
