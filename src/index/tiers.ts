import type { PerField } from './bm25f.ts';
import { createGenerations } from './generations.ts';
import { emptyManifest, type Manifest } from './packed/manifest.ts';
import { markIdDead, type PackedPart } from './packed/segment-files.ts';
import type { IndexChange, IndexHit, IndexStats } from './page-index.ts';
import { hasPage, type PageSet } from './segment/page-set.ts';
import { pageNumber } from './segment/reader.ts';
import { scoreParts } from './segment/search.ts';
import { segmentCounts, sumOfCounts, type TermCounts } from './term-weights.ts';

/** A segment at one moment. */
export interface PartNow extends Pick<PackedPart, 'file' | 'identity' | 'segment'> {
  readonly isMapped: boolean;
  /** Undefined if none is dead. */
  readonly dead: PageSet | undefined;
}

/** The pages of an index: packed segments for what was packed, the live tier for later changes. */
export interface Tiers {
  parts(): readonly PackedPart[];
  live(): ReturnType<typeof createGenerations>;
  /** The segments with the pages that are dead now. Later changes do not alter the answer, so a search may pause. */
  partsNow(): PartNow[];
  /** Replaces the segments by those of a manifest, and drops from the live tier the pages that they cover. */
  adopt(manifest: Manifest, parts: readonly PackedPart[]): void;
  /** Applies a change; one that was applied before is skipped. */
  apply(change: IndexChange): void;
  /** Page counts and document frequencies over both tiers. */
  counts(): TermCounts;
  /** The field lengths that scores are normalized by. */
  averageLengths(): PerField;
  /** The hits with what each term adds to their scores. */
  explained(hits: readonly IndexHit[], weights: ReadonlyMap<string, number>): IndexHit[];
  stats(): Omit<IndexStats, 'needsPacking'>;
  /** Frees the pages. */
  clear(): void;
}

export function createTiers(): Tiers {
  let live = createGenerations();
  let manifest: Manifest = emptyManifest;
  let parts: readonly PackedPart[] = [];
  let seq = 0;
  /** The pages that were changed after the manifest, each with the `seq` of its newest change. */
  const recent = new Map<string, number>();

  const averageLengths = (): PerField =>
    parts.length > 0 ? manifest.averageLengths : live.corpus().averageLengths;

  const partsOfScore = (id: string, weights: ReadonlyMap<string, number>) => {
    for (const { segment, dead } of parts) {
      const page = pageNumber(segment, id);
      if (page >= 0 && !hasPage(dead, page)) return scoreParts(segment, page, weights);
    }
    return live.scoreParts(id, weights, averageLengths());
  };

  return {
    parts: () => parts,
    live: () => live,
    partsNow: () =>
      parts.map(({ file, identity, segment, bytes, dead, deadCount }) => ({
        file,
        identity,
        segment,
        isMapped: bytes.held === 'map',
        dead: deadCount > 0 ? dead.slice() : undefined,
      })),
    adopt: (newManifest, newParts) => {
      if (newManifest.seq < manifest.seq) {
        // The store was restored from an older copy, so the applied changes belong to another log.
        live = createGenerations();
        recent.clear();
        seq = 0;
      }
      manifest = newManifest;
      parts = newParts;
      for (const [id, changeSeq] of recent) {
        if (changeSeq > manifest.seq) markIdDead(parts, id);
        else recent.delete(id);
      }
      live.keepOnly((id) => recent.has(id));
      seq = Math.max(seq, manifest.seq);
    },
    apply: (change) => {
      if (change.seq <= seq) return;
      const id = change.kind === 'put' ? change.page.id : change.id;
      markIdDead(parts, id);
      if (change.kind === 'put') live.put(change.page);
      else live.remove(id);
      recent.set(id, change.seq);
      seq = change.seq;
    },
    counts: () => sumOfCounts([...parts.map(({ segment }) => segmentCounts(segment)), live.corpus()]),
    averageLengths,
    explained: (hits, weights) => hits.map((hit) => ({ ...hit, parts: partsOfScore(hit.id, weights) })),
    stats: () => {
      const packed = parts.reduce((sum, { segment, deadCount }) => sum + segment.pageCount - deadCount, 0);
      const livePages = live.corpus().pages;
      return {
        pages: packed + livePages,
        livePages,
        segments: parts.length,
        mappedSegments: parts.filter(({ bytes }) => bytes.held === 'map').length,
        seq,
        packedSeq: manifest.seq,
        averageLengths: averageLengths(),
      };
    },
    clear: () => {
      live = createGenerations();
      parts = [];
    },
  };
}
