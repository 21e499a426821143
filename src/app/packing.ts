import type { Config } from '../config/config.ts';
import { createCompactor, type PackOutcome } from '../index/packed/compactor.ts';
import { readManifest } from '../index/packed/manifest.ts';
import { indexFolderOf } from '../index/packed/read-ahead.ts';
import type { Log } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';

/** Packing of the index, for a command that adds or removes pages. */
export interface Packing {
  /** Packs in the background when it is due; checks once in `checkEvery` pages. */
  pagesDone(pages: number): void;
  /**
   * Packs the rest, so that no later process has to index it again. Aborting the signal ends that; with a signal that is
   * aborted already, only a small rest is packed, which takes seconds. Logs what could not be packed.
   */
  packRest(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

interface PackingParts {
  readonly store: PageStore;
  readonly config: Pick<Config, 'dataFolder'> & Partial<Pick<Config, 'mappedIndex'>>;
  /** Gets what could not be packed, in words for a person. */
  readonly log: Log;
  /** Gets an explanation for a person, when packing takes longer than `explainAfterMs` and was not stopped before. */
  readonly onLong: ((explanation: string) => void) | undefined;
}

/** Pages between two looks at whether packing is due. */
const checkEvery = 500;
/** Entries of the change log that a stopped command still packs: that takes some three seconds. */
const maxEntriesOnceStopped = 500;
/** A packing that takes longer is explained. */
const explainAfterMs = 2000;

export function openPacking({ store, config, log, onLong }: PackingParts): Packing {
  const { dataFolder, mappedIndex: mapsSegments = true } = config;
  const indexFolder = indexFolderOf(dataFolder);
  const packedSeq = () => readManifest(indexFolder)?.seq ?? 0;
  // A packing that fails is repeated at the end, and a failure is reported there.
  const quietLog = { ...log, error: () => {} };
  const compactor = createCompactor({
    store,
    log: quietLog,
    dataFolder,
    indexFolder,
    packedSeq,
    mapsSegments,
  });
  const notPacked = (why: string): void =>
    log.warn(
      {},
      `the index is not packed: ${why}. Everything is stored and can be found; searches start slowly until the next crawl or import packs it.`,
    );

  return {
    pagesDone(pages) {
      if (pages % checkEvery === 0) void compactor.packWhenDue();
    },
    async packRest(signal) {
      const entries = store.lastSeq() - packedSeq();
      if (entries === 0) return;
      if (signal?.aborted && entries > maxEntriesOnceStopped) return notPacked('the command was stopped');
      const interrupt = (): void => void compactor.close();
      signal?.addEventListener('abort', interrupt, { once: true });
      // Once stopped, the user has been told what goes on.
      const timer = signal?.aborted ? undefined : setTimeout(() => onLong?.(packingNow), explainAfterMs);
      const outcome = await compactor.packNow();
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupt);
      const why = whyNotPacked(outcome);
      if (why !== undefined) notPacked(why);
    },
    close: compactor.close,
  };
}

const packingNow =
  'Packing the index, so that searches start fast. Everything is stored: Ctrl-C leaves the packing to the next crawl or import.';

function whyNotPacked(outcome: PackOutcome): string | undefined {
  switch (outcome.kind) {
    case 'packed':
      return undefined;
    case 'busy':
      return 'another process is packing it';
    case 'closed':
      return 'the packing was stopped';
    case 'failed':
      return outcome.error instanceof Error ? outcome.error.message : String(outcome.error);
  }
}
