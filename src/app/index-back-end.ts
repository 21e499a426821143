import { type Follower, followStore } from '../index/follow.ts';
import { openIndex } from '../index/open-index.ts';
import { createCompactor } from '../index/packed/compactor.ts';
import { indexFolderOf } from '../index/packed/read-ahead.ts';
import type { SegmentFiles } from '../index/packed/segment-files.ts';
import { createSegmentMapping } from '../index/packed/segment-mapping.ts';
import type { PageIndex } from '../index/page-index.ts';
import type { OpenSearchThreads } from '../index/threads/search-threads.ts';
import type { Log } from '../runtime.ts';
import type { PageSource } from '../store/loadable-pages.ts';
import type { PageStore } from '../store/page-store.ts';

/** An index with what keeps it in step with the store. */
export interface IndexBackEnd {
  readonly index: PageIndex;
  readonly follower: Follower;
  /** Where pages are read, if not from the store: hosts are divided, and the store has some of them. */
  readonly pages?: PageSource | undefined;
  /** Hands pages over to the machines of their hosts, in the background. */
  givePages?(urls: readonly string[]): void;
  /** Resolves once the index has everything; of a cluster, once it is being sent there. */
  prepare(): Promise<void>;
  /** The state of the cluster that has the index; undefined for the embedded index. */
  clusterState(): ClusterState | undefined;
  close(): Promise<void>;
}

/** What a service knows of the cluster that has its index. */
export interface ClusterState {
  /** Why searches cannot be answered now; undefined while they can. */
  readonly unavailable: string | undefined;
  /** What becomes of changes: `sending`, `reading` (another process sends), `waiting`, `starting` or `stopped`. */
  readonly feed: string;
  /** Why they are not taken now; undefined while they are. */
  readonly feedProblem: string | undefined;
  /** Changes of the store that the index does not have yet. */
  readonly lag: number;
  /** Pages that can never be indexed as they are. */
  readonly failedPages: number;
}

interface EmbeddedParts {
  readonly store: PageStore;
  readonly log: Log;
  readonly dataFolder: string;
  /** Whether large segments are mapped into memory. */
  readonly mappedIndex: boolean;
  readonly openSearchThreads?: OpenSearchThreads | undefined;
  /** Whether this process packs; another one does otherwise. */
  readonly packs: boolean;
  readonly files?: SegmentFiles | undefined;
}

/** The index in the data folder, packed in the background. */
export function openEmbeddedBackEnd({
  store,
  log,
  dataFolder,
  mappedIndex,
  openSearchThreads,
  packs,
  files,
}: EmbeddedParts): IndexBackEnd {
  const indexFolder = indexFolderOf(dataFolder);
  const index = openIndex({
    folder: indexFolder,
    log,
    changeLog: store,
    mapping: createSegmentMapping({ log, enabled: mappedIndex }),
    ...(files && { files }),
    ...(openSearchThreads && { threads: openSearchThreads(indexFolder) }),
  });
  const needsPacking = () => index.stats().needsPacking;
  const packedSeq = () => index.stats().packedSeq;
  const compactor = createCompactor({
    store,
    log,
    dataFolder,
    indexFolder,
    packedSeq,
    needsPacking,
    mapsSegments: mappedIndex,
  });
  const packWhenDue = packs ? compactor.packWhenDue : async () => {};
  const follower = followStore({ store, index, log, onAdvance: packWhenDue });
  return {
    index,
    follower,
    prepare: async () => {
      await packWhenDue();
      await index.refresh();
      await follower.catchUp();
    },
    clusterState: () => undefined,
    close: async () => {
      await follower.stop();
      await compactor.close();
      await index.close();
    },
  };
}
