import type { Log } from '../../runtime.ts';
import type { PageStore } from '../../store/page-store.ts';
import { type GuardedWorker, startGuardedWorker } from './guarded-worker.ts';
import { readManifest } from './manifest.ts';
import type { PackResult } from './pack.ts';
import { termsVersion } from './terms-version.ts';

export interface CompactorOptions {
  readonly store: PageStore;
  readonly log: Log;
  readonly dataFolder: string;
  readonly indexFolder: string;
  /** The last entry of the change log that is packed. */
  readonly packedSeq: () => number;
  /** Whether the packed index is unusable or has to be checked, so that packing is due at once. */
  readonly needsPacking?: () => boolean;
  /** Whether the worker maps large segments into memory. */
  readonly mapsSegments?: boolean;
}

/** What the worker is told. */
export interface PackWorkerData {
  readonly dataFolder: string;
  readonly indexFolder: string;
  readonly mapsSegments: boolean;
}

/** How a packing ended. The index is complete in any case: changes that are not packed only cost time at the next start. */
export type PackOutcome =
  | { readonly kind: 'packed' }
  /** Another process is packing this data folder. Changes since it began stay unpacked. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The compactor was closed before the end. */
  | { readonly kind: 'closed' };

export interface Compactor {
  /** Packs if much of the change log is not packed. Does nothing if packing is not due, or another process packs. */
  packWhenDue(): Promise<void>;
  /**
   * Packs everything that is in the store at the time of the call, such as at the end of a crawl. A packing under way is
   * followed by another one. Never rejects.
   */
  packNow(): Promise<PackOutcome>;
  /** Stops a packing under way. The next packing repeats what was not committed. */
  close(): Promise<void>;
}

/** Packing is due from this many unpacked entries on. With fewer, a search of the live tier takes well under 1 ms. */
const maxUnpacked = 2000;
/** Pause after a packing that failed, such as on a full disk. */
const retryAfterFailureMs = 60_000;

/**
 * Keeps the live tier small. Packing runs in a worker thread, so searches go on. One process at a time packs a data
 * folder; the others adopt the new segments. A failed packing is logged, and repeated when it is next due.
 */
export function createCompactor(options: CompactorOptions): Compactor {
  const {
    store,
    log,
    dataFolder,
    indexFolder,
    packedSeq,
    needsPacking = () => false,
    mapsSegments = true,
  } = options;
  let guarded: GuardedWorker | undefined;
  let packing: Promise<PackOutcome> | undefined;
  let closed = false;
  let notBefore = Number.NEGATIVE_INFINITY;
  let hasCheckedTerms = false;

  /** Whether an older version packed the index. Until it is packed again, it answers as that version did. */
  const isOutdated = (): boolean => {
    if (hasCheckedTerms) return false;
    hasCheckedTerms = true;
    const manifest = readManifest(indexFolder);
    return manifest !== undefined && manifest.termsVersion !== termsVersion;
  };

  const runWorker = (): Promise<PackResult | undefined> =>
    new Promise((resolve, reject) => {
      const data: PackWorkerData = { dataFolder, indexFolder, mapsSegments };
      guarded = startGuardedWorker(workerFile, data);
      const { worker } = guarded;
      let result: PackResult | undefined;
      worker.once('message', (packed: PackResult) => {
        result = packed;
      });
      worker.once('error', reject);
      worker.once('exit', () => resolve(result));
    });

  const packOnce = async (): Promise<PackOutcome> => {
    let release: (() => Promise<void>) | undefined;
    try {
      if (closed) return { kind: 'closed' };
      release = await store.acquireLock('packer');
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
      guarded = undefined;
      // At the latest, the end of this process releases the lock.
      await release?.().catch((error: unknown) =>
        log.warn({ err: error }, "the packer's lock could not be released"),
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
      // A packing that began before the call may have read the log too early.
      await packing;
      return join();
    },
    packWhenDue: async () => {
      if (performance.now() < notBefore) return;
      const unpacked = store.lastSeq() - packedSeq();
      // Negative: the store was restored from a copy that is older than the index, which has to be packed again.
      if (unpacked >= maxUnpacked || unpacked < 0 || needsPacking()) await join();
      else if (isOutdated()) void join();
    },
    close: async () => {
      closed = true;
      await guarded?.end();
      await packing;
    },
  };
}

const workerFile = new URL('./pack-worker.js', import.meta.url);
