import type { Log } from '../runtime.ts';
import type { ChangeLog } from './packed/manifest.ts';
import { createManifestWatcher } from './packed/manifest-watcher.ts';
import type { SegmentFiles } from './packed/segment-files.ts';
import { createSegmentMapping, type SegmentMapping } from './packed/segment-mapping.ts';
import type { IndexSearch, IndexStats, PageIndex } from './page-index.ts';
import { findPartialMatches } from './partial-matches.ts';
import { searchTiers } from './search-tiers.ts';
import { similarWords } from './similar-words.ts';
import { rarity } from './term-weights.ts';
import type { SearchThreads } from './threads/search-threads.ts';
import { createTiers } from './tiers.ts';

export interface OpenIndexOptions {
  /** The folder of the packed segments. Without it, or before anything was packed, all pages are in the live tier. */
  readonly folder?: string;
  readonly log: Log;
  /** The change log of the store. Segments that were packed from another log are not used. */
  readonly changeLog?: ChangeLog;
  /** Bytes of the segment files that were read before; see `readAhead`. */
  readonly files?: SegmentFiles;
  /** How segments are mapped into memory; by default all that are large, where the machine can. */
  readonly mapping?: SegmentMapping;
  /** Threads that share the work of dear searches. The index closes them. */
  readonly threads?: SearchThreads;
}

/**
 * Opens the embedded index: packed segments for what was packed, the live tier for later changes. Maps or reads the
 * segments that are not in `files` before it returns; segments that are packed later are read while searches go on. Apply the
 * store's changes after `stats().seq`, as `followStore` does:
 *
 *     const index = openIndex({ folder: indexFolderOf(dataFolder), log, changeLog: store });
 *     const follower = followStore({ store, index, log });
 *     await follower.catchUp();
 *     const { total, hits } = await index.search({ query: parseQuery('heron -grey'), limit: 10 });
 */
export function openIndex(options: OpenIndexOptions): PageIndex {
  const { folder, log, changeLog, files, mapping = createSegmentMapping({ log }), threads } = options;
  const tiers = createTiers();
  const watcher =
    folder === undefined
      ? undefined
      : createManifestWatcher({ folder, tiers, log, mapping, ...(changeLog && { changeLog }) });
  watcher?.open(files);

  const stats = (): IndexStats => {
    watcher?.checkWhenDue();
    return { ...tiers.stats(), needsPacking: watcher?.needsPacking() ?? false };
  };

  return {
    search: async (search) => {
      watcher?.checkWhenDue();
      return searchTiers(tiers, withoutPauseIfExplained(search), threads);
    },
    partialMatches: async (search) => {
      watcher?.checkWhenDue();
      return findPartialMatches(withoutPauseIfExplained(search), tiers);
    },
    rarities: async (words) => {
      const counts = tiers.counts();
      return words.map((word) => rarity(word, counts));
    },
    similarWords: (search) => {
      const segments = tiers.parts().map(({ segment }) => segment);
      const { documentFrequency } = tiers.counts();
      return similarWords({ segments, liveTerms: tiers.live().terms(), documentFrequency }, search);
    },
    apply: async (changes) => {
      watcher?.checkWhenDue();
      for (const change of changes) tiers.apply(change);
    },
    stats,
    answersKey: () => JSON.stringify(stats()),
    refresh: async () => watcher?.refresh(),
    close: async () => {
      watcher?.close();
      await threads?.close();
      tiers.clear();
    },
  };
}

/** A search that is explained does not pause: the parts of scores are looked up at the end, in the pages as they are then. */
function withoutPauseIfExplained<Search extends Pick<IndexSearch, 'explain' | 'pause'>>(
  search: Search,
): Search {
  return search.explain ? { ...search, pause: undefined } : search;
}
