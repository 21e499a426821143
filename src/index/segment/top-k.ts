import type { IndexHit } from '../page-index.ts';

/** Where the page numbers that a `TopK` is offered come from. */
export interface HitSource {
  idOf(page: number): string;
}

/**
 * The best `limit` of all hits offered: by score, then newer crawl, then id. A binary heap with the worst hit on
 * top, so an offer that is refused costs one comparison; memory is for `limit` hits, however many are offered.
 */
export class TopK {
  readonly limit: number;
  /** A hit with a lower score is not among the best any more. */
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

  /** Best first; takes them out. */
  hits(): IndexHit[] {
    const hits: IndexHit[] = new Array(this.size);
    this.floor = Number.NEGATIVE_INFINITY;
    for (let at = this.size - 1; at >= 0; at--) {
      const source = this.sources[0] as HitSource;
      hits[at] = {
        id: source.idOf(this.pages[0] as number),
        score: this.scores[0] as number,
        crawledAt: this.crawlTimes[0] as number,
      };
      this.size = at;
      this.siftDown(
        0,
        this.scores[at] as number,
        this.crawlTimes[at] as number,
        this.sources[at] as HitSource,
        this.pages[at] as number,
      );
    }
    return hits;
  }

  /** Whether the hit at a place of the heap ranks behind another. */
  private isWorse(at: number, score: number, crawledAt: number, source: HitSource, page: number): boolean {
    const ownScore = this.scores[at] as number;
    if (ownScore !== score) return ownScore < score;
    const ownTime = this.crawlTimes[at] as number;
    if (ownTime !== crawledAt) return ownTime < crawledAt;
    const ownSource = this.sources[at] as HitSource;
    const ownPage = this.pages[at] as number;
    return ownSource === source ? ownPage > page : ownSource.idOf(ownPage) > source.idOf(page);
  }

  /** Places a hit at `at` or, while its parents are better, above. */
  private siftUp(at: number, score: number, crawledAt: number, source: HitSource, page: number): void {
    let place = at;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.isWorse(parent, score, crawledAt, source, page)) break;
      this.copy(parent, place);
      place = parent;
    }
    this.set(place, score, crawledAt, source, page);
  }

  /** Places a hit at `at` or, while a child is worse, below. */
  private siftDown(at: number, score: number, crawledAt: number, source: HitSource, page: number): void {
    let place = at;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.isWorseThan(child + 1, child)) child++;
      if (!this.isWorse(child, score, crawledAt, source, page)) break;
      this.copy(child, place);
      place = child;
    }
    this.set(place, score, crawledAt, source, page);
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

  private set(at: number, score: number, crawledAt: number, source: HitSource, page: number): void {
    this.scores[at] = score;
    this.crawlTimes[at] = crawledAt;
    this.sources[at] = source;
    this.pages[at] = page;
  }
}
