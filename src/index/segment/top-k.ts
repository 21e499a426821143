import type { IndexHit } from '../page-index.ts';
import type { PageMarks } from '../page-marks.ts';

/** Resolves the page numbers that a `TopK` is offered. */
export interface HitSource {
  idOf(page: number): string;
  /** The marks of a page; undefined if the source has none. */
  marksOf(page: number): PageMarks | undefined;
}

/** A hit, and where its page is. */
export interface HitPlace {
  readonly source: HitSource;
  readonly page: number;
  readonly score: number;
  readonly crawledAt: number;
}

/**
 * The best `limit` of all hits that were offered: by score, then by newer crawl, then by id. A binary heap with the worst
 * hit on top: rejecting an offer costs one comparison, and memory is for `limit` hits.
 */
export class TopK {
  readonly limit: number;
  /** Hits with a lower score are rejected. */
  floor = Number.NEGATIVE_INFINITY;
  private size = 0;
  private readonly scores: Float64Array;
  private readonly crawlTimes: Float64Array;
  private readonly pages: Uint32Array;
  private readonly sources: HitSource[] = [];

  constructor(limit: number) {
    this.limit = limit;
    this.scores = new Float64Array(limit);
    this.crawlTimes = new Float64Array(limit);
    this.pages = new Uint32Array(limit);
  }

  /** Page numbers of one source must be in the order of its ids. */
  offer(score: number, crawledAt: number, source: HitSource, page: number): void {
    if (this.size < this.limit) {
      this.siftUp(this.size++, score, crawledAt, source, page);
    } else if (this.size > 0 && score >= this.floor && this.isWorse(0, score, crawledAt, source, page)) {
      this.siftDown(0, score, crawledAt, source, page);
    } else return;
    if (this.size === this.limit) this.floor = this.scores[0] as number;
  }

  /** The hits, best first; removes them from the heap. */
  hits(): IndexHit[] {
    return this.places().map(({ source, page, score, crawledAt }) => {
      const marks = source.marksOf(page);
      return { id: source.idOf(page), score, crawledAt, ...(marks && { marks }) };
    });
  }

  /** What was offered of the hits, best first; removes them from the heap. */
  places(): HitPlace[] {
    const places: HitPlace[] = new Array(this.size);
    this.floor = Number.NEGATIVE_INFINITY;
    for (let slot = this.size - 1; slot >= 0; slot--) {
      places[slot] = {
        source: this.sources[0] as HitSource,
        page: this.pages[0] as number,
        score: this.scores[0] as number,
        crawledAt: this.crawlTimes[0] as number,
      };
      this.size = slot;
      this.siftDown(
        0,
        this.scores[slot] as number,
        this.crawlTimes[slot] as number,
        this.sources[slot] as HitSource,
        this.pages[slot] as number,
      );
    }
    return places;
  }

  /** Whether the hit in a slot of the heap ranks behind another. */
  private isWorse(slot: number, score: number, crawledAt: number, source: HitSource, page: number): boolean {
    const ownScore = this.scores[slot] as number;
    if (ownScore !== score) return ownScore < score;
    const ownTime = this.crawlTimes[slot] as number;
    if (ownTime !== crawledAt) return ownTime < crawledAt;
    const ownSource = this.sources[slot] as HitSource;
    const ownPage = this.pages[slot] as number;
    return ownSource === source ? ownPage > page : ownSource.idOf(ownPage) > source.idOf(page);
  }

  /** Puts a hit into slot `start` or, while its parents are better, above. */
  private siftUp(start: number, score: number, crawledAt: number, source: HitSource, page: number): void {
    let slot = start;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (this.isWorse(parent, score, crawledAt, source, page)) break;
      this.copy(parent, slot);
      slot = parent;
    }
    this.set(slot, score, crawledAt, source, page);
  }

  /** Puts a hit into slot `start` or, while a child is worse, below. */
  private siftDown(start: number, score: number, crawledAt: number, source: HitSource, page: number): void {
    let slot = start;
    for (;;) {
      let child = 2 * slot + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.isWorseThan(child + 1, child)) child++;
      if (!this.isWorse(child, score, crawledAt, source, page)) break;
      this.copy(child, slot);
      slot = child;
    }
    this.set(slot, score, crawledAt, source, page);
  }

  private isWorseThan(one: number, other: number): boolean {
    return this.isWorse(
      one,
      this.scores[other] as number,
      this.crawlTimes[other] as number,
      this.sources[other] as HitSource,
      this.pages[other] as number,
    );
  }

  private copy(from: number, to: number): void {
    this.set(
      to,
      this.scores[from] as number,
      this.crawlTimes[from] as number,
      this.sources[from] as HitSource,
      this.pages[from] as number,
    );
  }

  private set(slot: number, score: number, crawledAt: number, source: HitSource, page: number): void {
    this.scores[slot] = score;
    this.crawlTimes[slot] = crawledAt;
    this.sources[slot] = source;
    this.pages[slot] = page;
  }
}
