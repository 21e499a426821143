import { mentionsSite } from '../query/site.ts';
import type { Log } from '../runtime.ts';
import type { ChangeLog } from './manifest.ts';
import { createManifestWatcher } from './manifest-watcher.ts';
import type { PageIndex } from './page-index.ts';
import { findPartialMatches } from './partial-matches.ts';
import { searchTiers } from './search-tiers.ts';
import type { SegmentFiles } from './segment-files.ts';
import { similarWords } from './similar-words.ts';
import { rarity } from './term-weights.ts';
import { createTiers } from './tiers.ts';

export interface OpenIndexOptions {
  /** The folder of the packed segments. Without it, or before anything was packed, all pages are in the live tier. */
  readonly folder?: string;
  readonly log: Log;
  /** The change log of the store. Segments that were packed from another log are not used. */
  readonly changeLog?: ChangeLog;
  /** Bytes of the segment files that were read before; see `readAhead`. */
  readonly files?: SegmentFiles;
}

/**
 * Opens the embedded index: packed segments for what was packed, the live tier for later changes. Reads the segments
 * that are not in `files` before it returns; segments that are packed later are read while searches go on. Apply the
 * store's changes after `stats().seq`, as `followStore` does:
 *
 *     const index = openIndex({ folder: indexFolderOf(dataFolder), log, changeLog: store });
 *     const follower = followStore({ store, index, log });
 *     await follower.catchUp();
 *     const { total, hits } = await index.search({ query: parseQuery('heron -grey'), limit: 10 });
 */
export function openIndex({ folder, log, changeLog, files }: OpenIndexOptions): PageIndex {
  let live = createGenerations();
  let manifest: Manifest = emptyManifest;
  let parts: readonly PackedPart[] = [];
  let stamp: string | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let closed = false;
  let needsPacking = false;
  /** The stamp of a manifest that was there and could not be used, and what it was seen as. */
  let unusable: { found: string; isWarned: boolean } | undefined;
  let seq = 0;
  /** What was applied beyond the manifest: id to the newest entry. */
  const recent = new Map<string, number>();

  /** Takes over a manifest, and drops from the live tier what it covers. */
  const takeOver = (from: string, found: string, read: Manifest, atHand?: SegmentFiles): void => {
    const opened = openParts(from, read, { open: parts, ...(atHand && { files: atHand }) });
    if (opened.kind === 'damaged') {
      // A file may be gone because a still newer manifest is there; else it is damaged, and the log fills the gap.
      if (manifestStamp(from) === found) {
        stamp = found;
        needsPacking = true;
        log.warn(
          { file: opened.file, why: opened.why },
          'a segment of the index cannot be read; it will be packed again',
        );
      }
      return;
    }
    stamp = found;
    needsPacking = isUnchecked(read);
    if (read.seq < manifest.seq) {
      // The store was put back from an older copy, so what was applied belongs to another log.
      live = createGenerations();
      recent.clear();
      seq = 0;
    }
    manifest = read;
    parts = opened.parts;
    for (const [id, changed] of recent) {
      if (changed > manifest.seq) markIdDead(parts, id);
      else recent.delete(id);
    }
    live.keepOnly((id) => recent.has(id));
    seq = Math.max(seq, manifest.seq);
  };

  /** A manifest that is not taken over yet, with what tells it from the next. */
  const newer = (): { found: string; read: Manifest } | undefined => {
    if (folder === undefined) return undefined;
    lookedAt = performance.now();
    const found = manifestStamp(folder);
    if (found === undefined || found === stamp) return undefined;
    const read = readManifest(folder);
    if (read && (changeLog === undefined || isOfLog(read, changeLog))) return { found, read };
    needsPacking = true;
    // At the second look: a packing may be some moments ahead of what this process sees of the store.
    if (unusable?.found === found && !unusable.isWarned) {
      const why = read ? 'is of another change log' : 'cannot be read';
      log.warn({ folder }, `the index ${why}; it will be packed again, and answers come from the store`);
    }
    unusable = { found, isWarned: unusable?.found === found };
    return undefined;
  };
  const lookNow = async (): Promise<void> => {
    const next = newer();
    if (folder === undefined || next === undefined) return;
    const fresh = await readSegmentFiles(folder, next.read, parts);
    if (!closed) takeOver(folder, next.found, next.read, fresh);
  };
  const look = (): Promise<void> => {
    looking ??= lookNow()
      .catch((error: unknown) => log.error({ err: error }, 'what was packed could not be taken over'))
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  const lookSometimes = (): void => {
    if (performance.now() - lookedAt >= lookAgainMs) void look();
  };
  const counts = (): TermCounts =>
    sumOfCounts([...parts.map(({ segment }) => segmentCounts(segment)), live.corpus()]);
  const averageLengths = (): PerField =>
    parts.length > 0 ? manifest.averageLengths : live.corpus().averageLengths;
  const first = newer();
  if (folder !== undefined && first !== undefined) takeOver(folder, first.found, first.read, files);

  const search: PageIndex['search'] = async ({ query, prefer, limit, explain = false, ...filters }) => {
    lookSometimes();
    const averages = averageLengths();
    const weights = termWeights(query, counts());
    const asked = { query, ...filters, copies: mentionsSite(query), ...(prefer && { prefer }) };
    const top = new TopK(limit);
    let total = 0;
    for (const { segment, dead } of parts) total += searchSegment(segment, { ...asked, weights, dead, top });
    const matches = live.match(asked);
    const liveHits = matches.map((page): IndexHit => {
      const factor = prefer?.lang === page.lang ? prefer.factor : 1;
      const score = liveScore(page, weights, averages) * factor;
      return { id: page.id, crawledAt: page.crawledAt, score };
    });
    const hits = [...top.hits(), ...liveHits].sort(byRank).slice(0, limit);
    return {
      total: total + matches.length,
      hits: explain ? hits.map((hit) => ({ ...hit, parts: partsOf(hit.id, weights) })) : hits,
      weights,
    };
  };

  const partialMatches: PageIndex['partialMatches'] = async (request) => {
    lookSometimes();
    const found = findPartialMatches(request, { parts, live, counts: counts(), averages: averageLengths() });
    if (!request.explain) return found;
    const explained = (hit: IndexHit) => ({ ...hit, parts: partsOf(hit.id, found.weights) });
    return { ...found, well: found.well.map(explained), rest: found.rest.map(explained) };
  };

  /** What each term adds to the score of a page, wherever the page is. */
  const partsOf = (id: string, weights: ReadonlyMap<string, number>) => {
    for (const { segment, dead } of parts) {
      const page = pageNumber(segment, id);
      if (page >= 0 && !hasPage(dead, page)) return scoreParts(segment, page, weights);
    }
    return live.scoreParts(id, weights, averageLengths());
  };

  const applyOne = (change: IndexChange): void => {
    if (change.seq <= seq) return;
    const id = change.kind === 'put' ? change.page.id : change.id;
    markIdDead(parts, id);
    if (change.kind === 'put') live.put(change.page);
    else live.remove(id);
    recent.set(id, change.seq);
    seq = change.seq;
  };

  return {
    search: async (search) => {
      watcher?.checkWhenDue();
      return searchTiers(tiers, search);
    },
    partialMatches: async (search) => {
      watcher?.checkWhenDue();
      return findPartialMatches(search, tiers);
    },
    rarities: (words) => {
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
    stats: () => {
      watcher?.checkWhenDue();
      return { ...tiers.stats(), needsPacking: watcher?.needsPacking() ?? false };
    },
    refresh: async () => watcher?.refresh(),
    close: async () => {
      watcher?.close();
      tiers.clear();
    },
  };
}
